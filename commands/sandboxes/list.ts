import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(sandboxes.list, {
  summary: 'List sandboxes, newest first',
  examples: ['', '--status active'],
})
