import { testClocks } from '../../api/operations/test-clocks.ts'
import { findResourceOfId } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseRequestTarget } from '../request/object-paths.ts'

const MAX_NAMES = 10

/** The clock of a command, and whether the clock was chosen because no other clock exists. */
export type ChosenClock = Awaited<ReturnType<typeof chooseClock>>

/**
 * Returns the clock with this id; without an id, the only clock. Throws without an id if there is no clock or more than
 * one. `command` returns the command that the error suggests if the id belongs to an object on a clock.
 */
export async function chooseClock(
  client: Client,
  id: string | undefined,
  command: (clock: string) => string = (clock) => `paycli clock retrieve ${clock}`,
) {
  if (id !== undefined) await requireClockId(client, id, command)
  if (id !== undefined) return { clock: await client.call(testClocks.retrieve, { id }), isOnly: false }
  const { data, has_more } = await client.call(testClocks.list, { limit: MAX_NAMES })
  const clocks = data.filter((clock): clock is TestClock => !isDeleted(clock))
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

async function requireClockId(client: Client, id: string, command: (clock: string) => string): Promise<void> {
  const owner = findResourceOfId(id)
  if (owner === undefined || owner.object === 'test_clock') return
  const { path } = parseRequestTarget(id)
  const { test_clock: clock } = Object(await client.send({ method: 'GET', path }, {}))
  const hint =
    typeof clock === 'string'
      ? `Use its clock: ${command(clock)}`
      : `It is on no clock. For a customer on a clock: paycli customers create --email ada@example.com --test-clock <clock>`
  const problem = `'${id}' is the id of a ${owner.object.replaceAll('_', ' ')}, not of a clock.`
  throw new UsageError('argument_invalid', problem, { param: 'clock', hint })
}
