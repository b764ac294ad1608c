import { createClockFor } from '../../domain/clock-customers.ts'
import {
  destinationProblems,
  failClock,
  frozenTimeProblems,
  isDeletedClock,
  type TestClock,
  targetOf,
} from '../../domain/test-clocks.ts'
import { loadMover } from '../../engine/clock-customers.ts'
import { beginToDelete } from '../../engine/clock-deletion.ts'
import { finishAdvance, finishDeletion, loadWay, setOut } from '../../engine/clocks.ts'
import { realTime } from '../../engine/time-source.ts'
import type { Reader } from '../../store/port/store.ts'
import { listOperation } from '../core/lists.ts'
import { lookup, operation, procedure } from '../core/operation.ts'
import { byId, missing } from '../core/retrieving.ts'
import { deletedTestClock, testClock } from '../resources/test-clocks.ts'
import { choice, id, integer, shape, text, timestamp } from '../schema/schema.ts'
import { EXAMPLE_CLOCK } from './example-requests.ts'

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
    faults: ({ frozen_time }) => frozenTimeProblems(frozen_time),
    load: async (reader, { customer }) => (customer === undefined ? null : loadMover(reader, customer)),
    when: (_loaded, params) => ({ at: params.frozen_time }),
    decide: createClockFor,
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
      {
        frozen_time: timestamp(
          'Where to, in Unix seconds: at most 10 years ahead, and at most 100,000 billing periods on the way.',
        ),
        by,
      },
    ),
    answer: testClock,
    example: { by: { interval: 'month', count: 1 } },
    faults: destinationProblems,
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
    decide: failClock,
  }),

  delete: procedure({
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Deletes a test clock with its customers; what happened on it stays readable.',
    params: byId,
    answer: deletedTestClock,
    load: async (reader, params, { asking }) => ({ clock: await requireClock(reader, params.id), asking }),
    // A broken clock can still be deleted, so its time is taken as it is.
    when: ({ clock }) => ({ at: clock.frozen_time }),
    decide: ({ clock, asking }) => beginToDelete(clock, asking),
    finish: finishDeletion,
  }),
}

async function requireClock(reader: Reader, clockId: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', clockId)
  if (clock === null || isDeletedClock(clock)) throw missing('test_clocks', clockId)
  return clock
}
