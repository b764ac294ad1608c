import { testClocks } from '../../src/api/operations/test-clocks.ts'
import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'
import { createParamFlags } from '../../src/cli/parse/flags.ts'
import { objectCreationFlags } from '../../src/cli/parse/mutation-flags.ts'
import { getParamsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { parseTimestampFlag } from '../../src/cli/parse/timestamp.ts'
import { readFileAndDataParams } from '../../src/cli/request/call.ts'

const { create } = testClocks
/** The parameters that `--at` sets. */
const OMITTED = ['frozen_time']

export default class ClockCreate extends BaseCommand {
  static override summary = 'Create a test clock'
  static override flags = {
    at: string({
      description: 'Initial time of the clock (default: the current time of the server).',
      helpValue: '<unix|iso date|now>',
    }),
    ...createParamFlags(create.params, { omit: OMITTED }),
    ...objectCreationFlags,
  }
  static override examples = toExamples([
    '',
    "--at 2026-01-31 --name 'A year of rent'",
    '--customer cus_4bT9… --field id',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const own = getParamsFromFlags(create.params, flags, OMITTED)
    const flagParams = flags['at'] === undefined ? own : { ...own, frozen_time: parseAt(flags['at']) }
    const file = await readFileAndDataParams(create, flags, flagParams)
    const at = parseAt(flags['at'] ?? file['frozen_time'] ?? 'now')
    const client = this.client()
    const params = { ...file, ...own, frozen_time: at === 'now' ? await client.now() : at }
    requireParams(create.params, params)
    const clock = await client.call(create, params)
    this.print(clock, () => `Next: paycli customers create --email <address> --test-clock ${clock.id}`)
  }
}

function parseAt(at: unknown): number | 'now' {
  return at === 'now' ? at : parseTimestampFlag('at', String(at))
}
