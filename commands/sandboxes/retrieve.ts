import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { sandboxCommand } from '../../src/cli/command/sandbox-command.ts'

export default class SandboxesRetrieve extends sandboxCommand(sandboxes.retrieve) {
  static override summary = 'Retrieve a sandbox'
  static override description =
    'The id current stands for the sandbox of the API key, default for the default sandbox.'
  static override aliases = ['sandboxes:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> sbx_4bT9…',
    '<%= config.bin %> <%= command.id %> current',
  ]
}
