import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SandboxesDelete extends operationCommand(sandboxes.delete, 'sbx_4bT9…') {
  static override summary = 'Delete a sandbox with everything in it'
  static override aliases = ['sandboxes:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> sbx_4bT9…']
}
