import { testClocks } from '../../src/api/test-clocks.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { dryRunFlag } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class ClockDelete extends BaseCommand {
  static override call = callOf(testClocks.delete)
  static override summary = testClocks.delete.summary
  static override aliases = ['clock:rm']
  static override args = idArg('clock_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
