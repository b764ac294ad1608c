import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { changeFlags } from '../../src/cli/parse/change-flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class ClockFail extends BaseCommand {
  static override call = manifestCall(testClocks.fail)
  static override summary = 'Mark a test clock as failed, to test error handling'
  static override args = idArg('clock_4bT9…')
  static override flags = changeFlags
  static override examples = ['<%= config.bin %> <%= command.id %> clock_4bT9…']
}
