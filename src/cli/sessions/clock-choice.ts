import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Client } from '../../client/client.ts'
import { isDeletedClock, type TestClock } from '../../domain/time/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'

const MAX_NAMES = 10

/** The clock of a command, and whether the clock was chosen because no other clock exists. */
export type ChosenClock = Awaited<ReturnType<typeof chooseClock>>

/**
 * Returns the clock with this id; without an id, the only clock. Throws without an id if there is no clock or more than
 * one.
 */
export async function chooseClock(client: Client, id: string | undefined) {
  if (id !== undefined) return { clock: await client.call(testClocks.retrieve, { id }), isOnly: false }
  const { data, has_more } = await client.call(testClocks.list, { limit: MAX_NAMES })
  const clocks = data.filter((clock): clock is TestClock => !isDeletedClock(clock))
  const [clock, ...others] = clocks
  if (clock !== undefined && others.length === 0) return { clock, isOnly: true }
  if (clock === undefined) {
    const hint = 'Create one: paycli clock create --at 2026-01-01'
    throw new UsageError('argument_missing', 'There are no test clocks.', { param: 'clock', hint })
  }
  const names = clocks.map(({ id, name }) => (name === null ? id : `${id} (${name})`)).join(', ')
  throw new UsageError(
    'argument_missing',
    `There are ${has_more ? `more than ${MAX_NAMES}` : clocks.length} test clocks, and no id was given.`,
    { param: 'clock', hint: `Give one of: ${names}${has_more ? ', …' : ''}` },
  )
}
