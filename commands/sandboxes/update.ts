import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SandboxesUpdate extends operationCommand(sandboxes.update, 'sbx_4bT9…') {
  static override summary = 'Change the name or the expiry of a sandbox'
  static override examples = [
    "<%= config.bin %> <%= command.id %> sbx_4bT9… --name 'Tests of the checkout'",
    "<%= config.bin %> <%= command.id %> current --expires-at ''",
  ]
}
