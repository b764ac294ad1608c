import fc from 'fast-check'
import { type ValueOf, weighted } from '../../support/random-acts.ts'
import {
  alias,
  DAY,
  HOUR,
  isApproved,
  lifetime,
  optionalPick,
  pick,
  ppm,
  quantity,
  rhythm,
  seconds,
  step,
} from './random-values.ts'
import type { CardUse, Item, MissingCardPolicy, Pause, TrialOffer } from './state.ts'

/** A pause is more frequent, because only a later resumption ends it. */
const withoutCard = fc.constantFrom<MissingCardPolicy>('create_invoice', 'cancel', 'pause', 'pause')

/** A trial, with its end relative to the creation of its order; most orders have no trial. */
export const trial = fc.option(
  fc.record({
    days: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
    end: fc.constantFrom(1, 3 * HOUR, 2 * DAY, 3 * DAY, 14 * DAY, 30 * DAY),
    asksCard: fc.boolean(),
    withoutCard,
  }),
  { freq: 3 },
)

/** A trial of a random purchase. */
export type RandomTrial = NonNullable<ValueOf<typeof trial>>

const unit = fc.nat({ max: 1_000_000 })

const price: fc.Arbitrary<Partial<Item>> = fc.oneof(
  fc.record({ quantity: fc.nat({ max: 9 }) }),
  fc.record({ unit, ppm }),
  fc.record({ unit, ppm, quantity }),
)

/** A change of an item. A null `pick` adds an item. */
const edit = weighted(
  [4, fc.record({ pick, price })],
  [1, fc.record({ pick, price: fc.constant('deleted') })],
  [1, fc.record({ pick: fc.constant(null), price: fc.record({ unit, ppm, quantity }) })],
)

/** A change of a plan. The proration date is a share of the time since the start of the period; null for now. */
const change = step('change plan', {
  pick,
  edits: fc.array(edit, { maxLength: 2 }),
  rhythm: fc.option(rhythm, { freq: 2 }),
  startsNow: weighted([8, fc.constant(false)], [1, fc.constant(true)]),
  behavior: fc.constantFrom('create_prorations', 'always_invoice', 'none'),
  share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2 }),
  isStrict: weighted([3, fc.constant(false)], [1, fc.constant(true)]),
})

const optionalSeconds = fc.option(seconds)

/** Pauses and resumptions of collection. */
export const pauseSteps = step('pause', {
  pick,
  behavior: fc.option(fc.constantFrom<Pause['behavior']>('keep_as_draft', 'mark_uncollectible', 'void')),
  seconds: optionalSeconds,
})

/** The terms of a coupon. */
const couponTerms = fc
  .record({
    percent: fc.option(fc.constantFrom(1, 1000, 3333, 5000, 10_000), { freq: 2 }),
    off: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 1_000_000_000 })),
    currency: weighted([4, fc.constant('eur')], [1, fc.constant('usd')]),
    isOnce: fc.boolean(),
    months: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 3 }),
    max: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 }),
  })
  .map(({ isOnce, months, percent, off, ...rest }) => ({
    ...rest,
    isOnce,
    months: isOnce ? null : months,
    percent,
    off: percent === null ? off : null,
  }))

/** The terms of a promotion code. */
const promotionCodeTerms = fc.record({
  max: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 2 }),
  isFirstOnly: fc.boolean(),
  lifetime: fc.option(seconds, { freq: 2 }),
})

/** Coupons, promotion codes and discounts. */
export const couponSteps = weighted(
  [2, step('create coupon', { terms: couponTerms })],
  [1, step('delete coupon', { pick })],
  [2, step('create promotion code', { pick, terms: promotionCodeTerms })],
  [1, step('update promotion code', { pick, isActive: isApproved })],
  [3, step('give discount', { pick, coupon: optionalPick })],
)

/** Changes of trials. */
export const trialSteps = weighted(
  [1, step('move trial end', { pick, seconds: optionalSeconds })],
  [2, step('resume', { pick })],
)

/** Plan changes and previews. */
export const planSteps = weighted([4, change], [1, step('preview', { change })])

/** Invoice items. */
export const itemSteps = weighted(
  [3, step('create item', { pick, unit: fc.integer({ min: -1_000_000, max: 1_000_000 }), quantity, ppm })],
  [1, step('delete item', { pick })],
)

/** Card sessions, portal sessions, and invoices that the customer pays. */
export const cardSteps = fc.oneof(
  step('create portal session', { pick }),
  step('create card session', {
    pick,
    for: fc.constantFrom<CardUse['for']>('all', 'customer', 'subscription'),
    pays: isApproved,
    lifetime,
  }),
  step('pay as customer', { pick, alias, keeps: fc.boolean(), isApproved }),
)

/** Payments with saved cards. */
export const chargeSteps = weighted(
  [
    3,
    step('charge card', {
      pick,
      card: optionalPick,
      amount: fc.integer({ min: 1, max: 1_000_000 }),
      isOffSession: fc.boolean(),
      isHold: fc.boolean(),
    }),
  ],
  [2, step('capture payment', { pick, share: fc.integer({ min: 1, max: 4 }) })],
  [1, step('cancel payment', { pick })],
  [2, step('answer payment', { pick, isApproved })],
)

/** Disputes, and answers to them. */
export const disputeSteps = weighted(
  [3, step('dispute', { pick, share: fc.integer({ min: 1, max: 3 }), isInquiry: fc.boolean() })],
  [
    3,
    step('answer dispute', {
      pick,
      text: fc.constantFrom('winning_evidence', 'losing_evidence', 'Receipt', null),
      submits: isApproved,
    }),
  ],
  [1, step('accept dispute', { pick })],
)

/** Returns the trial of a session that is created now. */
export function trialOfferAt(trial: RandomTrial | null, now: number): TrialOffer | null {
  if (trial === null) return null
  const { days, end, asksCard, withoutCard } = trial
  return { days, end: days === null ? now + end : null, asksCard, withoutCard }
}
