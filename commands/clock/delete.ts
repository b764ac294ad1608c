import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { dryRunFlag } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class ClockDelete extends BaseCommand {
  static override call = manifestCall(testClocks.delete)
  static override summary = 'Delete a test clock and its customers'
  static override aliases = ['clock:rm']
  static override args = idArg('clock_4bT9…')
  static override flags = dryRunFlag
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
