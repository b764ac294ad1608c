import { disputes } from '../../src/api/operations/disputes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(disputes.retrieve, {
  summary: 'Retrieve a dispute',
  examples: ['dp_4bT9…', 'dp_4bT9… --field status'],
})
