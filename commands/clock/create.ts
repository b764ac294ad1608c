import { testClocks } from '../../src/api/test-clocks.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { createFlags } from '../../src/cli/create-flags.ts'
import { flagsOf } from '../../src/cli/flags.ts'
import { string } from '../../src/cli/options.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/params.ts'
import { bodyParams } from '../../src/cli/request-body.ts'
import { parseFrozenTime } from '../../src/cli/spans.ts'

const { create } = testClocks
const OMITTED = ['frozen_time']

export default class ClockCreate extends BaseCommand {
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

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const client = this.client()
    const file = await bodyParams(flags, create.params)
    const { at = file['frozen_time'] ?? 'now' } = flags
    const frozen_time = at === 'now' ? await client.now() : parseFrozenTime('at', String(at))
    const params = { ...file, ...paramsFromFlags(create.params, flags, OMITTED), frozen_time }
    requireParams(create.params, params)
    const clock = await client.call(create, params)
    this.print(clock, () => `Next: paycli customers create --email <address> --test-clock ${clock.id}`)
  }
}
