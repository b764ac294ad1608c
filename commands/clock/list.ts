import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class ClockList extends BaseCommand {
  static override call = manifestCall(testClocks.list)
  static override summary = 'List test clocks, newest first'
  static override aliases = ['clock:ls']
  static override flags = flagsOf(testClocks.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ]
}
