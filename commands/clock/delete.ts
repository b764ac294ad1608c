import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { dryRunFlag } from '../../src/cli/parse/create-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

export default class ClockDelete extends BaseCommand {
  static override call = callOf(testClocks.delete)
  static override summary = testClocks.delete.summary
  static override aliases = ['clock:rm']
  static override args = idArg('clock_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
