import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { createFlags } from '../../src/cli/parse/create-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { callOf } from '../../src/cli/request/call.ts'
import { OMITTED } from '../../src/cli/sessions/clock-creation.ts'

const { create } = testClocks

export default class ClockCreate extends BaseCommand {
  static override call = callOf(create)
  static override summary = create.summary
  static override flags = {
    at: string({
      description: 'Where the clock stands; now, as the service has it, unless given.',
      helpValue: '<unix|iso date|now>',
    }),
    ...flagsOf(create.params, { omit: OMITTED }),
    ...createFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --at 2026-01-31 --name 'A year of rent'",
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --field id',
  ]
}
