import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class ClockDelete extends operationCommand(testClocks.delete, 'clock_4bT9…') {
  static override summary = 'Delete a test clock and its customers'
  static override aliases = ['clock:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
