import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { sandboxCommand } from '../../src/cli/command/sandbox-command.ts'

export default class SandboxesReset extends sandboxCommand(sandboxes.reset) {
  static override summary = 'Empty a sandbox or restore its original state'
  static override description =
    'A sandbox that was created with --from is restored to its original contents, unless you give --to empty. Its API keys stay valid. The sandbox default cannot be reset: stop the server and use paycli serve --reset.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> sbx_4bT9…',
    '<%= config.bin %> <%= command.id %> current --to empty',
  ]
}
