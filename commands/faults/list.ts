import { faults } from '../../src/api/operations/faults.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class FaultsList extends operationCommand(faults.list) {
  static override summary = 'List faults with the numbers of their matches'
  static override description =
    'matched counts the requests, deliveries or payments that a fault matches, and applied counts those to which it was applied.'
  static override aliases = ['faults:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ]
}
