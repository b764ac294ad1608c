import type { TestClock } from '../../domain/test-clocks.ts'
import { paramsFromFlags, requireParams } from '../parse/params.ts'
import { requireTimestamp } from '../parse/timestamp.ts'
import { type CommandContext, readBodyFlags } from '../request/call.ts'

/** Parameters that `--at` replaces. */
export const OMITTED_PARAMS = ['frozen_time']

/** Creates a test clock at `--at` (default: the current time of the server). */
export async function createTestClock({ operation, input, client, print }: CommandContext): Promise<void> {
  const { flags } = input
  const own = paramsFromFlags<unknown>(operation.params, flags, OMITTED_PARAMS)
  const flagParams = flags['at'] === undefined ? own : { ...own, frozen_time: parseAt(flags['at']) }
  const file = await readBodyFlags(operation, flags, flagParams)
  const at = parseAt(flags['at'] ?? file['frozen_time'] ?? 'now')
  const params = { ...file, ...own, frozen_time: at === 'now' ? await client.now() : at }
  requireParams<unknown>(operation.params, params)
  const clock = (await client.send(operation, params)) as TestClock
  await print(clock, () => `Next: paycli customers create --email <address> --test-clock ${clock.id}`)
}

function parseAt(at: unknown): number | 'now' {
  return at === 'now' ? at : requireTimestamp('at', String(at))
}
