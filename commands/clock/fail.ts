import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class ClockFail extends operationCommand(testClocks.fail, 'clock_4bT9…') {
  static override summary = 'Mark a test clock as failed, to test error handling'
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
