import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class SandboxesCreate extends operationCommand(sandboxes.create) {
  static override summary = 'Create a sandbox and print its API key once'
  static override description =
    'A sandbox has its own objects, events, API keys, webhook endpoints and test clocks. With --from it begins as a copy of another sandbox or of a state that paycli state save wrote.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --name 'Worker 1' --from default --field api_key",
    '<%= config.bin %> <%= command.id %> --storage memory --expires-at 2027-01-01',
  ]
}
