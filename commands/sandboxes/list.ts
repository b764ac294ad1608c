import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SandboxesList extends operationCommand(sandboxes.list) {
  static override summary = 'List sandboxes, newest first'
  static override aliases = ['sandboxes:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status active',
  ]
}
