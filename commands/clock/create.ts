import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { createFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { manifestCall } from '../../src/cli/request/call.ts'
import { OMITTED_PARAMS } from '../../src/cli/sessions/clock-creation.ts'

const { create } = testClocks

export default class ClockCreate extends BaseCommand {
  static override call = manifestCall(create)
  static override summary = 'Create a test clock'
  static override flags = {
    at: string({
      description: 'Initial time of the clock (default: the current time of the server).',
      helpValue: '<unix|iso date|now>',
    }),
    ...flagsOf(create.params, { omit: OMITTED_PARAMS }),
    ...createFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --at 2026-01-31 --name 'A year of rent'",
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --field id',
  ]
}
