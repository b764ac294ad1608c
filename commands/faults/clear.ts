import { faults } from '../../src/api/operations/faults.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class FaultsClear extends operationCommand(faults.clear) {
  static override summary = 'Delete all faults'
  static override description = 'The server sends the webhook deliveries that faults delay or hold.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --field deleted',
  ]
}
