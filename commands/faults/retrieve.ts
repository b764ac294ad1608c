import { faults } from '../../src/api/operations/faults.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(faults.retrieve, {
  summary: 'Retrieve a fault',
  examples: ['flt_4bT9…', 'flt_4bT9… --field applied'],
})
