import {
  createProjection,
  getProjectionRange,
  listProjectionErrors,
  type Projection,
  projectionParams,
  projectionSchema,
} from '../../domain/reports/projections.ts'
import { projectClock, projectSubscription } from '../../engine/projections.ts'
import { getTimeReference, loadReferencedTime } from '../../engine/time-reference.ts'
import { defineReadOperation } from '../core/operation.ts'
import { requireById } from '../core/retrieve.ts'

/** The operation that computes future events. */
export const projections = {
  retrieve: defineReadOperation({
    path: '/v1/projections',
    summary: 'Computes the future events of a subscription or a test clock.',
    description:
      'Returns the events that follow if only time changes, in order: renewals, charges, retries, ends of trials and pauses, and cancellations. For a test clock, it also returns the events of expired sessions, settled refunds, abandoned payments and released reservations. A projection runs the scheduled jobs on a copy and stores nothing; the same events occur later. Faults on payments are not simulated, and invoice numbers assume that no other invoice is finalized before. New objects have placeholder ids, such as `in_projected_1`, which stay the same within the response. `has_more` is also true when the computation ends early, after 5,000 jobs or 4 MiB of events. To continue, advance the clock to the time of the last event, in a copy of the sandbox if this sandbox must not change. Requires the scope `events:read`.',
    params: projectionParams,
    response: projectionSchema,
    needsClockTime: true,
    cost: 'expensive',
    validate: listProjectionErrors,
    async load(reader, { subscription: id, test_clock: clock, ...fields }, runtime): Promise<Projection> {
      const subscription =
        id === undefined ? null : await requireById(reader, 'subscriptions', id, 'subscription')
      if (clock !== undefined) await requireById(reader, 'test_clocks', clock, 'test_clock')
      const test_clock = subscription === null ? (clock ?? null) : subscription.test_clock
      const now = await loadReferencedTime(getTimeReference({ test_clock }), reader, runtime.wallNow())
      const range = getProjectionRange(fields, now)
      const projected =
        subscription === null
          ? await projectClock(runtime, test_clock ?? '', range)
          : await projectSubscription(runtime, subscription, range)
      return createProjection({ subscription: subscription?.id ?? null, test_clock, range }, projected)
    },
  }),
}
