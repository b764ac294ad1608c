import { type Creation, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import * as s from '../core/schema.ts'
import { billedItemProperties, billingTermsProperties } from '../sessions/billing-terms.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import { createDiscount, discountField, type Redemption, rescheduleDiscount } from '../sessions/discounts.ts'
import { getInitialStatusAndPeriod } from '../sessions/initial-period.ts'
import { trialSettingsField } from '../sessions/trial-terms.ts'
import { type BillingSchedule, getPeriodIndex, getPeriodStart } from '../time/periods.ts'
import { pauseCollectionField } from './pause-collection.ts'

const item = s.object(
  { id: s.id('The id of the item.'), ...billedItemProperties },
  'An item that is billed each period.',
)

/** The schema of a subscription. */
export const subscriptionSchema = s.resourceObject(
  'subscription',
  'A recurring charge that a completed checkout session set up.',
  {
    status: s.enumOf(
      ['pending', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
      '`pending` before billing starts; `trialing` during a free trial; `active` while billed; `past_due` while a renewal is retried; `unpaid` if the subscription continues after the last retry; `paused` after a trial without a card; `canceled` after its end.',
    ),
    customer: s.id('The customer who subscribed.'),
    checkout_session: s.id('The checkout session that created the subscription.'),
    currency: s.currencyCode('The currency of all prices.'),
    description: s.text('The description that the customer sees.'),
    ...billingTermsProperties,
    items: s.arrayOf(item, 'The items that are billed each period, 1 to 20.'),
    start_date: s.timestamp('The given start time, or the completion time of the checkout session.'),
    billing_cycle_anchor: s.timestamp(
      'The time from which all billing periods are computed, such as the end of the trial.',
    ),
    current_period_start: s.nullable(
      s.timestamp(
        'Time at which the current period or trial started; null before the start and while paused.',
      ),
    ),
    current_period_end: s.nullable(
      s.timestamp('Time at which the current period or trial ends; null before the start and while paused.'),
    ),
    period_index: s.integer(-1, 'The index of the current period, from 0; -1 before the first paid period.'),
    trial_start: s.nullable(s.timestamp('Time at which the trial started; null without a trial.')),
    trial_end: s.nullable(s.timestamp('Time at which the trial ends or ended; null without a trial.')),
    trial_settings: trialSettingsField,
    cancel_at_period_end: s.boolean('Whether the subscription is canceled when the current period ends.'),
    canceled_at: s.nullable(s.timestamp('Time at which cancellation was requested; null without a request.')),
    ended_at: s.nullable(s.timestamp('Time at which the subscription ended; null if it has not ended.')),
    cancellation_reason: s.nullable(
      s.enumOf(
        ['requested', 'payment_failed', 'missing_payment_method', 'customer_deleted'],
        'The reason for the end: cancellation was requested, payment failed, the trial ended without a card, or the customer was deleted. Null if the subscription has not ended.',
      ),
    ),
    default_payment_method: s.nullable(
      s.id("The card that renewals charge; null for the customer's default card."),
    ),
    latest_invoice: s.nullable(s.id('The newest invoice; null before the first invoice.')),
    pause_collection: pauseCollectionField,
    discount: discountField,
    ...s.metadataAndClockProperties,
  },
)

export type Subscription = s.ValueOf<typeof subscriptionSchema>
export type CancellationReason = NonNullable<Subscription['cancellation_reason']>

/** Creates the subscription of a completed session, with the ids of the subscription, its card and its first invoice. */
export function createSubscription(
  session: CheckoutSession,
  ids: Pick<Subscription, 'id' | 'default_payment_method' | 'latest_invoice'>,
  redemption: Redemption | null,
  context: RuleContext,
): Creation<Subscription> {
  const terms = session.subscription_data
  const initial = getInitialStatusAndPeriod(terms, context.now)
  const { trial_end, current_period_start } = initial.period
  // With a past start date, the first period begins before the session is completed.
  const discountStart = trial_end ?? current_period_start ?? terms.start_date ?? context.now
  return toCreation('subscription.created', {
    id: ids.id,
    object: 'subscription',
    created: context.now,
    livemode: false,
    status: initial.status,
    customer: session.customer,
    checkout_session: session.id,
    currency: session.currency,
    description: session.description,
    collection_method: terms.collection_method,
    days_until_due: terms.days_until_due,
    interval: terms.interval,
    interval_count: terms.interval_count,
    items: terms.items.map(({ description, type, price_data, quantity }) => ({
      id: context.newId('si_'),
      ...{ description, type, price_data, quantity },
    })),
    start_date: terms.start_date ?? context.now,
    ...initial.period,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_reason: null,
    default_payment_method: ids.default_payment_method,
    latest_invoice: ids.latest_invoice,
    pause_collection: null,
    discount: redemption && createDiscount(redemption, discountStart),
    metadata: terms.metadata,
    test_clock: session.test_clock,
  })
}

/** Returns whether a subscription is not canceled. */
export function isLiveSubscription(subscription: Subscription): boolean {
  return subscription.status !== 'canceled'
}

/** Throws when a subscription is canceled. */
export function requireLiveSubscription(subscription: Subscription, action: string): void {
  if (isLiveSubscription(subscription)) return
  throw new DomainError(
    'subscription_unexpected_state',
    `Cannot ${action} subscription '${subscription.id}': it is canceled, which is final. Create a new subscription with a checkout session.`,
  )
}

/** Starts a pending subscription with the period that contains the current time, or ends a trial with period 0. */
export function startSubscription(
  subscription: Subscription,
  invoice: string,
  context: RuleContext,
): ObjectUpdate<Subscription> {
  const ended = { ...subscription, ...endOfTrial(subscription, context) }
  const first = getPeriodIndex(scheduleOf(ended), context.now)
  return toUpdate('subscription.started', subscription, {
    ...ended,
    ...periodOf(ended, first),
    status: 'active',
    latest_invoice: invoice,
  })
}

// When a trial ends early, its new end anchors the billing periods and the discount.
function endOfTrial({ status, discount }: Subscription, { now }: RuleContext) {
  if (status !== 'trialing') return {}
  return { billing_cycle_anchor: now, trial_end: now, discount: rescheduleDiscount(discount, now) }
}

/** Pauses a subscription whose trial has ended without a card. The subscription has no period until it is resumed. */
export function pauseAfterTrial(
  subscription: Subscription,
  context: RuleContext,
): ObjectUpdate<Subscription> {
  return toUpdate('subscription.paused', subscription, {
    ...subscription,
    ...endOfTrial(subscription, context),
    status: 'paused',
    current_period_start: null,
    current_period_end: null,
  })
}

/** Resumes a paused subscription: the current time is its billing anchor, and period 0 starts. */
export function resumeSubscription(
  subscription: Subscription,
  invoice: string,
  context: RuleContext,
): ObjectUpdate<Subscription> {
  const anchored = { ...subscription, billing_cycle_anchor: context.now }
  return toUpdate('subscription.resumed', subscription, {
    ...anchored,
    ...periodOf(anchored, 0),
    status: 'active',
    latest_invoice: invoice,
  })
}

/** Starts the next period of a subscription, whether or not earlier periods are paid. */
export function renewSubscription(subscription: Subscription, invoice: string): ObjectUpdate<Subscription> {
  return toUpdate('subscription.renewed', subscription, {
    ...subscription,
    ...periodOf(subscription, subscription.period_index + 1),
    latest_invoice: invoice,
  })
}

// Compute each period from the anchor: computing from the previous period would drift at the ends of months.
function periodOf(subscription: Subscription, index: number) {
  const schedule = scheduleOf(subscription)
  return {
    current_period_start: getPeriodStart(schedule, index),
    current_period_end: getPeriodStart(schedule, index + 1),
    period_index: index,
  }
}

function scheduleOf(subscription: Subscription): BillingSchedule {
  const { billing_cycle_anchor: anchor, interval, interval_count } = subscription
  return { anchor, interval, interval_count }
}

/** Returns the number of billing periods that start after the current period, up to `until` in Unix seconds. */
export function countPeriodStartsUntil(subscription: Subscription, until: number): number {
  if (subscription.status === 'paused') return 0
  return Math.max(0, getPeriodIndex(scheduleOf(subscription), until) - subscription.period_index)
}

/** Marks an active subscription as past due; changes nothing in other states. */
export function markPastDue(subscription: Subscription): ObjectUpdate<Subscription>[] {
  if (subscription.status !== 'active') return []
  return [toUpdate('subscription.past_due', subscription, { ...subscription, status: 'past_due' })]
}

/** Marks a past due subscription as unpaid after its last retry; changes nothing in other states. */
export function markUnpaid(subscription: Subscription): ObjectUpdate<Subscription>[] {
  if (subscription.status !== 'past_due') return []
  return [toUpdate('subscription.unpaid', subscription, { ...subscription, status: 'unpaid' })]
}

/** Makes a past due or unpaid subscription active again; changes nothing in other states. */
export function recoverSubscription(subscription: Subscription): ObjectUpdate<Subscription>[] {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return []
  return [toUpdate('subscription.recovered', subscription, { ...subscription, status: 'active' })]
}

/** Cancels a subscription. `canceled_at` is the time of the first cancellation request. */
export function markSubscriptionCanceled(
  subscription: Subscription,
  reason: CancellationReason,
  context: RuleContext,
  latest_invoice = subscription.latest_invoice,
): ObjectUpdate<Subscription> {
  return toUpdate('subscription.canceled', subscription, {
    ...subscription,
    latest_invoice,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? context.now,
    ended_at: context.now,
    cancellation_reason: reason,
  })
}

/** Sets the card of a subscription; with null, renewals charge the customer's default card. */
export function setDefaultCard(subscription: Subscription, card: string | null): ObjectUpdate<Subscription> {
  return toUpdate('subscription.updated', subscription, {
    ...subscription,
    default_payment_method: card,
  })
}

/** Ends the discount of a subscription. */
export function endDiscount(subscription: Subscription): ObjectUpdate<Subscription> {
  return toUpdate('subscription.updated', subscription, { ...subscription, discount: null })
}

/** Ends the pause of a subscription's collection. Invoices that were created as drafts during the pause stay drafts. */
export function resumeCollection(subscription: Subscription): ObjectUpdate<Subscription> {
  return toUpdate('subscription.updated', subscription, { ...subscription, pause_collection: null })
}
