import type { TestClock } from '../../domain/test-clocks.ts'
import { paramsFromFlags, requireParams } from '../parse/params.ts'
import { parseFrozenTime } from '../parse/spans.ts'
import { bodyOf, type Task } from '../request/call.ts'

/** What of a clock has a flag of another shape. */
export const OMITTED = ['frozen_time']

/** Creates a test clock that stands where `--at` says, or where the service is now. */
export async function createClock({ call, given: { flags }, client, print }: Task): Promise<void> {
  const own = paramsFromFlags<unknown>(call.params, flags, OMITTED)
  const said = flags['at'] === undefined ? own : { ...own, frozen_time: momentOf(flags['at']) }
  const file = await bodyOf(call, flags, said)
  const { at = file['frozen_time'] ?? 'now' } = flags
  const frozen_time = at === 'now' ? await client.now() : parseFrozenTime('at', String(at))
  const params = { ...file, ...own, frozen_time }
  requireParams<unknown>(call.params, params)
  const clock = (await client.send(call, params)) as TestClock
  await print(clock, () => `Next: paycli customers create --email <address> --test-clock ${clock.id}`)
}

function momentOf(at: unknown): unknown {
  return at === 'now' ? at : parseFrozenTime('at', String(at))
}
