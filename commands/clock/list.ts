import { testClocks } from '../../src/api/test-clocks.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { flagsOf } from '../../src/cli/flags.ts'

export default class ClockList extends BaseCommand {
  static override summary = testClocks.list.summary
  static override aliases = ['clock:ls']
  static override flags = flagsOf(testClocks.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ]

  override run(): Promise<void> {
    return this.callFromFlags(testClocks.list)
  }
}
