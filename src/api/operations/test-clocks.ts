import * as p from '../../domain/core/params.ts'
import { createTestClockForCustomer } from '../../domain/schedule/test-clock-creation.ts'
import {
  advanceParams,
  deletedTestClockSchema,
  getAdvanceTarget,
  listAdvanceErrors,
  simulateClockFailure,
  testClockSchema,
} from '../../domain/time/test-clocks.ts'
import { listUnixSecondsErrors } from '../../domain/time/unix-seconds.ts'
import { decideClockDeletion } from '../../engine/clock-deletion.ts'
import {
  decideClockAdvance,
  finishClockAdvance,
  finishClockDeletion,
  planClockAdvance,
} from '../../engine/clocks.ts'
import { loadCustomerForClockMove } from '../../engine/load-related.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import { defineListOperation } from '../core/lists.ts'
import { defineClockProcedure, defineReadOperation, defineWriteOperation } from '../core/operation.ts'
import { idParams, requireUndeleted } from '../core/retrieve.ts'
import { EXAMPLE_NOW } from './example-requests.ts'

const PATH = '/v1/test_helpers/test_clocks'

/** Operations on test clocks. The time of a test clock and its customers changes only with `advance`. */
export const testClocks = {
  create: defineWriteOperation({
    path: PATH,
    summary: 'Creates a test clock.',
    description:
      'Create customers with the `test_clock` of the response, or give a `customer` that has no sessions and subscriptions yet. The time of these customers stands still until you advance the clock, so that you can test months of renewals in seconds.',
    params: p.shape(
      { frozen_time: p.timestamp('Initial time of the clock in Unix seconds.') },
      {
        name: p.text(300, 'Name of the clock.'),
        customer: p.id('Existing customer without sessions and subscriptions to move to the clock.'),
      },
    ),
    response: testClockSchema,
    example: { frozen_time: EXAMPLE_NOW, name: 'Renewals' },
    validate: ({ frozen_time }) => listUnixSecondsErrors('frozen_time', frozen_time),
    load: async (reader, { customer }) =>
      customer === undefined ? null : loadCustomerForClockMove(reader, customer),
    when: (_loaded, params) => ({ at: params.frozen_time }),
    decide: createTestClockForCustomer,
  }),

  list: defineListOperation('test_clocks', testClockSchema, {
    description: 'Returns the test clocks that are not deleted, with their current time.',
    filters: {},
  }),

  retrieve: defineReadOperation({
    path: `${PATH}/:id`,
    summary: 'Retrieves a test clock.',
    description:
      '`frozen_time` is the current time of the clock in Unix seconds. `status` is `ready`, `advancing` or `internal_failure`.',
    params: idParams,
    response: testClockSchema,
    load: (reader, params) => requireUndeleted(reader, 'test_clocks', params.id),
  }),

  advance: defineClockProcedure({
    path: `${PATH}/:id/advance`,
    summary: 'Advances a test clock and runs every due job.',
    description:
      'Give `frozen_time` or `by`. Every job that is due, such as a renewal, a payment retry or an expiry, runs at its scheduled time before the response. One long advance and several short advances give the same result. Steps in months or years use the day of the month on which the first step began, such as 31 January, 28 February, 31 March. A step in another unit starts a new sequence. Other requests that change objects on the clock return 409 until the clock is ready.',
    params: advanceParams,
    response: testClockSchema,
    example: { by: { interval: 'month', count: 1 } },
    validate: listAdvanceErrors,
    load: async (reader, params, { procedureRequest }) => {
      const clock = await requireUndeleted(reader, 'test_clocks', params.id)
      return {
        plan: await planClockAdvance(reader, clock, getAdvanceTarget(clock, params)),
        procedureRequest,
      }
    },
    when: () => REAL_TIME,
    decide: ({ plan, procedureRequest }) => decideClockAdvance(plan, procedureRequest),
    finish: finishClockAdvance,
  }),

  fail: defineWriteOperation({
    path: `${PATH}/:id/fail`,
    summary: 'Marks a test clock as failed, to test error handling.',
    description:
      'Sets `status` to `internal_failure`, so that you can test how your code handles a broken clock. A broken clock cannot be advanced or repaired, only deleted.',
    params: idParams,
    response: testClockSchema,
    load: (reader, params) => requireUndeleted(reader, 'test_clocks', params.id),
    when: ({ frozen_time }) => ({ at: frozen_time }),
    decide: simulateClockFailure,
  }),

  delete: defineClockProcedure({
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Deletes a test clock and its customers.',
    description:
      'Deletes the customers on the clock and cancels their subscriptions. Events and payments of the clock stay readable, but its objects can no longer be changed.',
    params: idParams,
    response: deletedTestClockSchema,
    load: async (reader, params, { procedureRequest }) => ({
      clock: await requireUndeleted(reader, 'test_clocks', params.id),
      procedureRequest,
    }),
    // A failed clock can still be deleted, so use its time without a check.
    when: ({ clock }) => ({ at: clock.frozen_time }),
    decide: ({ clock, procedureRequest }) => decideClockDeletion(clock, procedureRequest),
    finish: finishClockDeletion,
  }),
}
