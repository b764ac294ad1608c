import { disputes } from '../../src/api/operations/disputes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(disputes.list, {
  summary: 'List disputes, newest first',
  examples: ['', '--status needs_response', '--payment py_4bT9…'],
})
