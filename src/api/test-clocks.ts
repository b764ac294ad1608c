import type { Change } from '../domain/changes.ts'
import { deleteCustomer } from '../domain/customer-deletion.ts'
import { customerUpdated, requireCustomer } from '../domain/customers.ts'
import { Refusal } from '../domain/refusal.ts'
import {
  beginAdvance,
  breakClock,
  createTestClock,
  deleteClock,
  isDeletedClock,
  type TestClock,
  timeAfter,
  timeOn,
} from '../domain/test-clocks.ts'
import { finishAdvance, loadClockCustomers, loadWay, setOut } from '../engine/clocks.ts'
import { realTime } from '../engine/moments.ts'
import type { Reader } from '../store/store.ts'
import { EXAMPLE_CLOCK } from './example-requests.ts'
import { listOperation } from './lists.ts'
import { lookup, operation, procedure } from './operation.ts'
import { deletedTestClock, testClock } from './resources/test-clocks.ts'
import { byId, missing } from './retrieving.ts'
import { choice, id, integer, shape, text, timestamp } from './schema.ts'

const PATH = '/v1/test_helpers/test_clocks'

const by = shape(
  {
    interval: choice(['hour', 'day', 'week', 'month', 'year'], 'The unit.'),
    count: integer({ min: 1, max: 100_000 }, 'How many of them.'),
  },
  {},
)

/** A time of their own for customers, which only moves when it is advanced. */
export const testClocks = {
  create: operation({
    method: 'POST',
    path: PATH,
    summary: 'Creates a test clock: customers made on it live in its time.',
    params: shape(
      { frozen_time: timestamp('Where the clock stands, in Unix seconds.') },
      {
        name: text(300, 'Your own name for the clock.'),
        customer: id('A customer without sessions and subscriptions, who moves to the clock.'),
      },
    ),
    answer: testClock,
    example: EXAMPLE_CLOCK,
    load: async (reader, params) => (params.customer === undefined ? null : movable(reader, params.customer)),
    when: (_loaded, params) => ({ at: params.frozen_time }),
    decide: (customer, params, world) => {
      const created = createTestClock(params, world)
      const { id: test_clock } = created.after
      const moved: Change[] = customer === null ? [] : customerUpdated(customer, { ...customer, test_clock })
      return { changes: [created, ...moved], result: created.after }
    },
  }),

  list: listOperation({
    collection: 'test_clocks',
    path: PATH,
    summary: 'Lists test clocks, newest first.',
    filters: {},
  }),

  retrieve: lookup({
    method: 'GET',
    path: `${PATH}/:id`,
    summary: 'Retrieves a test clock.',
    params: byId,
    answer: testClock,
    load: (reader, params) => requireClock(reader, params.id),
  }),

  advance: procedure({
    method: 'POST',
    path: `${PATH}/:id/advance`,
    summary: 'Advances a test clock and does all that becomes due on it, before it answers.',
    params: shape(
      { id: id('The id of the clock.') },
      { frozen_time: timestamp('Where to, in Unix seconds.'), by },
    ),
    answer: testClock,
    example: { by: { interval: 'month', count: 1 } },
    load: async (reader, params, { asking }) => {
      const clock = await requireClock(reader, params.id)
      return { way: await loadWay(reader, clock, targetOf(clock, params)), asking }
    },
    when: () => realTime,
    decide: ({ way, asking }) => setOut(way, asking),
    finish: finishAdvance,
  }),

  fail: operation({
    method: 'POST',
    path: `${PATH}/:id/fail`,
    summary: 'Breaks a test clock in the middle of an advance, as a failure of the service itself would.',
    params: byId,
    answer: testClock,
    load: (reader, params) => requireClock(reader, params.id),
    when: ({ frozen_time }) => ({ at: frozen_time }),
    decide: (clock) => {
      timeOn(clock, clock.id)
      const begun = beginAdvance(clock, clock.frozen_time + 1)
      const broken = breakClock(begun.after)
      return { changes: [begun, broken], result: broken.after }
    },
  }),

  delete: operation({
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Deletes a test clock with its customers; what happened on it stays readable.',
    params: byId,
    answer: deletedTestClock,
    load: async (reader, params) => {
      const clock = await requireClock(reader, params.id)
      return { clock, customers: await loadClockCustomers(reader, clock) }
    },
    // A broken clock can still be deleted, so its time is taken as it is.
    when: ({ clock }) => ({ at: clock.frozen_time }),
    decide: ({ clock, customers }, _params, world) => {
      if (clock.status === 'advancing') timeOn(clock, clock.id)
      const deleted = deleteClock(clock)
      const gone = customers.flatMap(
        ({ customer, belongings }) => deleteCustomer(customer, belongings, world).changes,
      )
      return { changes: [...gone, deleted], result: deleted.after }
    },
  }),
}

async function requireClock(reader: Reader, clockId: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', clockId)
  if (clock === null || isDeletedClock(clock)) throw missing('test_clocks', clockId)
  return clock
}

// Past a session or a subscription, the customer's own history would have two times.
async function movable(reader: Reader, customerId: string) {
  const customer = requireCustomer(await reader.get('customers', customerId), customerId)
  if (customer.test_clock !== null) {
    throw new Refusal(
      'customer_has_clock',
      `Customer '${customerId}' is on test clock '${customer.test_clock}' already, and stays there. Create another customer with test_clock.`,
      { param: 'customer' },
    )
  }
  for (const collection of ['checkout_sessions', 'payment_sessions'] as const) {
    const { data } = await reader.list(collection, { where: { customer: customerId }, limit: 1 })
    if (data.length === 0) continue
    throw new Refusal(
      'customer_has_objects',
      `Customer '${customerId}' has ${collection} in real time and cannot move to a test clock. Create a new customer with test_clock.`,
      { param: 'customer' },
    )
  }
  return customer
}

function targetOf(
  clock: TestClock,
  given: {
    readonly frozen_time?: number
    readonly by?: { readonly interval: 'hour' | 'day' | 'week' | 'month' | 'year'; readonly count: number }
  },
): number {
  const { frozen_time, by: span } = given
  if (frozen_time !== undefined && span !== undefined) {
    throw new Refusal('parameters_exclusive', 'Give frozen_time or by, not both.', { param: 'by' })
  }
  if (span !== undefined) return timeAfter(clock, span)
  if (frozen_time !== undefined) return frozen_time
  throw new Refusal(
    'parameter_missing',
    'Say where the clock goes: frozen_time in Unix seconds, or by, such as {"interval":"month","count":1}.',
    { param: 'frozen_time' },
  )
}
