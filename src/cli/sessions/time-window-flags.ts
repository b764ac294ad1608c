import type { Client } from '../../client/client.ts'
import type { FlagValues } from '../parse/params.ts'
import { parsePastTimestamp } from '../parse/timestamp.ts'

const TIME_FLAGS = ['since', 'until']

/** Returns the flags with `--since` and `--until` in Unix seconds: `10m` is 10 minutes before the server's current time. */
export async function withUnixTimeFlags(flags: FlagValues, client: Pick<Client, 'now'>): Promise<FlagValues> {
  const names = TIME_FLAGS.filter((name) => flags[name] !== undefined)
  const now = names.length === 0 ? 0 : await client.now()
  const times = names.map((name) => [name, String(parsePastTimestamp(name, String(flags[name]), now))])
  return { ...flags, ...Object.fromEntries(times) }
}
