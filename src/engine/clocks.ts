import { type Customer, isDeleted } from '../domain/customers.ts'
import { timeQueue } from '../domain/deadlines.ts'
import type { EventRequest } from '../domain/events.ts'
import { periodsUntil } from '../domain/subscriptions.ts'
import {
  beginAdvance,
  breakClock,
  endAdvance,
  isDeletedClock,
  type TestClock,
  timeOn,
  tooFar,
} from '../domain/test-clocks.ts'
import type { Reader } from '../store/store.ts'
import { loadAll, loadCustomerBelongings } from './belongings.ts'
import { commit } from './commit.ts'
import { carryOutDue } from './deadlines.ts'
import { realTime } from './moments.ts'
import type { Runtime } from './runtime.ts'

const MAX_PERIODS_PER_ADVANCE = 1_000_000

/** One call that moves a clock. */
export interface Advance {
  /** Reads the clock; refuses when there is none. */
  readonly load: (reader: Reader) => Promise<TestClock>
  /** Where to, in Unix seconds. */
  readonly target: (clock: TestClock) => number
  readonly request: EventRequest
}

/**
 * Moves a clock and does all that becomes due on it, each at its own time, before it resolves with the clock at its new
 * time. When something cannot be done the clock is marked as broken, and it rejects with what went wrong.
 */
export async function advanceClock(runtime: Runtime, { load, target, request }: Advance): Promise<TestClock> {
  const clock = await commit(runtime, {
    request,
    load: async (reader) => {
      const found = await load(reader)
      const until = target(found)
      return { found, until, periods: await countPeriods(reader, found, until) }
    },
    when: () => realTime,
    decide: ({ found, until, periods }) => {
      timeOn(found, found.id)
      const begun = beginAdvance(found, until)
      if (periods > MAX_PERIODS_PER_ADVANCE) {
        throw tooFar(
          found,
          `about ${periods} billing periods, and ${MAX_PERIODS_PER_ADVANCE} can be done at once; advance in smaller steps`,
        )
      }
      return { changes: [begun], result: begun.after }
    },
  })
  return finishAdvance(runtime, clock, request)
}

async function countPeriods(reader: Reader, { id }: TestClock, until: number): Promise<number> {
  const live = await loadAll(reader, 'subscriptions', { where: { live_test_clock: id } })
  return live.reduce((sum, subscription) => sum + periodsUntil(subscription, until), 0)
}

/** Goes on with every advance that a stop of the process interrupted; resolves when all clocks stand still. */
export async function resumeAdvances(runtime: Runtime): Promise<void> {
  const advancing = await loadAll(runtime.store, 'test_clocks', { where: { status: 'advancing' } })
  for (const clock of advancing) if (!isDeletedClock(clock)) await finishAdvance(runtime, clock, null)
}

async function finishAdvance(
  runtime: Runtime,
  { id, status_details }: TestClock,
  request: EventRequest | null,
): Promise<TestClock> {
  const until = status_details.advancing?.target_frozen_time ?? 0
  const [failed] = await carryOutDue(runtime, { queue: timeQueue(id), until, stopsAtFailure: true })
  const clock = await commit(runtime, {
    request,
    load: (reader) => loadClock(reader, id),
    when: () => realTime,
    decide: (current) => {
      const ended = failed ? breakClock(current) : endAdvance(current, until)
      return { changes: [ended], result: ended.after }
    },
  })
  if (failed) throw failed.error
  return clock
}

async function loadClock(reader: Reader, id: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', id)
  if (clock === null || isDeletedClock(clock)) throw new Error(`test clock ${id} went away while it advanced`)
  return clock
}

/** Loads the customers of a clock with all that ends with them. */
export async function loadClockCustomers(reader: Reader, clock: TestClock) {
  const customers = await loadAll(reader, 'customers', { where: { test_clock: clock.id } })
  return Promise.all(
    customers
      // A deleted one is on no clock any more.
      .filter((customer): customer is Customer => !isDeleted(customer))
      .map(async (customer) => ({
        customer,
        belongings: await loadCustomerBelongings(reader, customer.id),
      })),
  )
}
