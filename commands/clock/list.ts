import { testClocks } from '../../src/api/test-clocks.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { flagsOf } from '../../src/cli/flags.ts'

export default class ClockList extends BaseCommand {
  static override call = callOf(testClocks.list)
  static override summary = testClocks.list.summary
  static override aliases = ['clock:ls']
  static override flags = flagsOf(testClocks.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ]
}
