import { disputes } from '../../src/api/operations/disputes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(disputes.list, {
  summary: 'List disputes, newest first',
  examples: ['', '--status needs_response', '--payment py_4bT9…'],
})
