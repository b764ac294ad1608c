import { faults } from '../../src/api/operations/faults.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(faults.retrieve, {
  summary: 'Retrieve a fault',
  examples: ['flt_4bT9…', 'flt_4bT9… --field applied'],
})
