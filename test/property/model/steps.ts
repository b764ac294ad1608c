import fc from 'fast-check'
import { type ValueOf, weighted } from '../../support/random-acts.ts'
import {
  alias,
  DAY,
  HOUR,
  isApproved,
  item,
  lifetime,
  optionalPick,
  pick,
  rhythm,
  seconds,
  step,
} from './random-values.ts'
import {
  cardSteps,
  chargeSteps,
  couponSteps,
  disputeSteps,
  itemSteps,
  pauseSteps,
  planSteps,
  trial,
  trialSteps,
} from './steps-changes.ts'

/**
 * The terms of a purchase, with a start relative to the creation of the purchase. An order with a trial has no start.
 */
const order = fc
  .tuple(
    rhythm,
    fc.record({
      start: fc.oneof(
        fc.constant(null),
        fc.integer({ min: -90, max: 60 }).map((days) => days * DAY),
        fc.integer({ min: -90 * DAY, max: 60 * DAY }),
      ),
      items: fc.array(item, { minLength: 1, maxLength: 3 }),
      daysUntilDue: weighted([3, fc.constant(null)], [1, fc.constantFrom(0, 5, 30)]),
      currency: weighted([4, fc.constant('eur')], [1, fc.constant('usd')]),
      trial,
      coupon: fc.option(pick, { freq: 2 }),
      code: fc.option(pick, { freq: 2 }),
    }),
  )
  .map(([period, { start, ...rest }]) => ({ ...period, ...rest, start: rest.trial === null ? start : null }))

/** Terms of a random purchase. */
export type RandomOrder = ValueOf<typeof order>

const mostlyPicked = fc.option(pick, { freq: 4 })
const sessions = step('create session', {
  pick,
  order: fc.option(order, { freq: 2 }),
  amount: fc.integer({ min: 1, max: 1_000_000 }),
  saves: fc.boolean(),
  isHold: fc.boolean(),
  lifetime,
})
const updates = step('update', {
  pick,
  endsWithPeriod: fc.option(fc.boolean()),
  card: fc.option(optionalPick, { nil: undefined }),
})

/** All requests. Steps that create deadlines are more frequent. */
const requests = weighted(
  [8, planSteps],
  [4, itemSteps],
  [6, trialSteps],
  [5, cardSteps],
  [4, chargeSteps],
  [5, disputeSteps],
  [4, pauseSteps],
  [10, couponSteps],
  [1, step('create clock', { offset: fc.constantFrom(-400 * DAY, 0, 16 * DAY + 9 * HOUR, 45 * DAY) })],
  [2, step('create customer', { clock: mostlyPicked })],
  [12, step('buy', { pick, alias, isApproved, order })],
  [4, sessions],
  [3, step('complete', { pick, alias, isApproved })],
  [6, step('submit', { pick, alias })],
  [3, step('answer session', { pick, isApproved })],
  [1, step('expire', { pick })],
  [12, step('advance', { pick, seconds })],
  [
    7,
    step('pay', {
      pick,
      card: optionalPick,
      how: fc.constantFrom('off session', 'on session', 'on session', 'out of band'),
    }),
  ],
  [3, step('finalize', { pick, isCollected: fc.boolean() })],
  [1, step('void', { pick })],
  [1, step('write off', { pick })],
  [2, step('detach', { pick })],
  [1, step('cancel', { pick, prorates: fc.boolean(), bills: fc.boolean() })],
  [1, step('delete customer', { pick })],
  [4, step('answer invoice', { pick, isApproved })],
  [3, step('refund', { pick, share: fc.integer({ min: 1, max: 3 }) })],
  [3, step('choose', { pick, card: optionalPick })],
  [3, updates],
)

const waits = step('wait', { seconds })
const restarts = step('restart', { seconds: fc.oneof(fc.constant(0), seconds) })
const clockDeletions = step('delete clock', { pick })

/** One operation for the model and the implementation. A `pick` selects one of the existing objects. */
export type Step = ValueOf<typeof requests | typeof waits | typeof restarts | typeof clockDeletions>

/** Concurrent steps. Each lag delays one transaction by a number of microtask turns. */
export interface ConcurrentSteps {
  readonly steps: readonly Step[]
  readonly lags: readonly number[]
}

const single = (steps: fc.Arbitrary<Step>) =>
  steps.map((one): ConcurrentSteps => ({ steps: [one], lags: [] }))

/** Concurrent steps, which often pick the same objects. */
const concurrent: fc.Arbitrary<ConcurrentSteps> = fc.record({
  steps: fc.array(requests, { minLength: 2, maxLength: 6 }),
  lags: fc.array(fc.nat({ max: 12 }), { maxLength: 12 }),
})

/** Generates mostly single steps, sometimes concurrent steps or a restart, and rarely the deletion of a clock. */
export const randomSteps: fc.Arbitrary<ConcurrentSteps> = weighted(
  [60, single(requests)],
  [6, single(waits)],
  [3, single(restarts)],
  [12, concurrent],
  [1, single(clockDeletions)],
)
