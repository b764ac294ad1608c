import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Client } from '../../client/client.ts'
import { isDeletedClock, type TestClock } from '../../domain/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'

const MOST_NAMED = 10

/** The clock a command works on, and whether it was found without being named. */
export interface ChosenClock {
  readonly clock: TestClock
  readonly isOnly: boolean
}

/** The clock of this id, or the only one there is when none is named; refuses to guess among several. */
export async function chooseClock(client: Client, named: string | undefined): Promise<ChosenClock> {
  if (named !== undefined)
    return { clock: await client.call(testClocks.retrieve, { id: named }), isOnly: false }
  const { data, has_more } = await client.call(testClocks.list, { limit: MOST_NAMED })
  const clocks = data.filter((clock): clock is TestClock => !isDeletedClock(clock))
  const [clock, ...others] = clocks
  if (clock !== undefined && others.length === 0) return { clock, isOnly: true }
  if (clock === undefined) {
    const hint = 'Create one: paycli clock create --at 2026-01-01'
    throw new UsageError('argument_missing', 'There is no test clock.', { param: 'clock', hint })
  }
  const names = clocks.map(({ id, name }) => (name === null ? id : `${id} (${name})`)).join(', ')
  throw new UsageError(
    'argument_missing',
    `There are ${has_more ? `more than ${MOST_NAMED}` : clocks.length} test clocks: say which.`,
    { param: 'clock', hint: `Name one of ${names}${has_more ? ', …' : ''}` },
  )
}
