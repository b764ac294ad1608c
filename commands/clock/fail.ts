import { testClocks } from '../../src/api/test-clocks.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { changeFlags } from '../../src/cli/create-flags.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class ClockFail extends BaseCommand {
  static override call = callOf(testClocks.fail)
  static override summary = testClocks.fail.summary
  static override args = idArg('clock_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
