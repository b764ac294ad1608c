import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SandboxesRetrieve extends operationCommand(sandboxes.retrieve, 'sbx_4bT9…') {
  static override summary = 'Retrieve a sandbox'
  static override description =
    'The id current stands for the sandbox of the API key, default for the one that always exists.'
  static override aliases = ['sandboxes:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> sbx_4bT9…',
    '<%= config.bin %> <%= command.id %> current',
  ]
}
