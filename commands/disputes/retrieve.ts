import { disputes } from '../../src/api/operations/disputes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(disputes.retrieve, {
  summary: 'Retrieve a dispute',
  examples: ['dp_4bT9…', 'dp_4bT9… --field status'],
})
