import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class ClockList extends operationCommand(testClocks.list) {
  static override summary = 'List test clocks, newest first'
  static override aliases = ['clock:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ]
}
