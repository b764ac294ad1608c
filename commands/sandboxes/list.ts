import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(sandboxes.list, {
  summary: 'List sandboxes, newest first',
  examples: ['', '--status active'],
})
