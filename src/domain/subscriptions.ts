import type { CollectionMethod, SubscriptionItem, SubscriptionTerms } from './billing-terms.ts'
import { type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { DomainError } from './domain-error.ts'
import { type Metadata, type MetadataFields, mergeMetadata } from './metadata.ts'
import { boundary, type Interval, periodIndexAt, type Schedule } from './periods.ts'

export type SubscriptionStatus = 'pending' | 'active' | 'past_due' | 'unpaid' | 'canceled'
export type CancellationReason = 'requested' | 'payment_failed' | 'customer_deleted'

export interface Subscription {
  readonly id: string
  readonly object: 'subscription'
  readonly created: number
  readonly livemode: false
  readonly status: SubscriptionStatus
  readonly customer: string
  readonly checkout_session: string
  readonly currency: string
  readonly description: string
  readonly collection_method: CollectionMethod
  readonly days_until_due: number | null
  readonly interval: Interval
  readonly interval_count: number
  readonly items: readonly SubscriptionItem[]
  readonly start_date: number
  readonly billing_cycle_anchor: number
  readonly current_period_start: number | null
  readonly current_period_end: number | null
  readonly period_index: number
  readonly cancel_at_period_end: boolean
  readonly canceled_at: number | null
  readonly ended_at: number | null
  readonly cancellation_reason: CancellationReason | null
  readonly default_payment_method: string | null
  readonly latest_invoice: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

/** The completed session a subscription comes from. */
export interface SubscriptionOrder {
  readonly id: string
  readonly customer: string
  readonly currency: string
  readonly description: string
  readonly subscription_data: SubscriptionTerms
  readonly test_clock: string | null
}

export interface SubscriptionStart {
  readonly id: string
  readonly session: SubscriptionOrder
  readonly payment_method: string | null
  readonly latest_invoice: string | null
}

/**
 * The subscription a completed session sets up. A future start leaves it `pending` without a period; a past start is
 * the billing anchor, and the period that contains now is the first one billed.
 */
export function createSubscription(start: SubscriptionStart, context: RuleContext): Creation<Subscription> {
  const { session } = start
  const terms = session.subscription_data
  const startDate = terms.start_date ?? context.now
  const isPending = startDate > context.now
  const schedule = { anchor: startDate, interval: terms.interval, interval_count: terms.interval_count }
  const periodIndex = isPending ? -1 : periodIndexAt(schedule, context.now)
  return creation('subscription.created', {
    id: start.id,
    object: 'subscription',
    created: context.now,
    livemode: false,
    status: isPending ? 'pending' : 'active',
    customer: session.customer,
    checkout_session: session.id,
    currency: session.currency,
    description: session.description,
    collection_method: terms.collection_method,
    days_until_due: terms.days_until_due,
    interval: terms.interval,
    interval_count: terms.interval_count,
    items: terms.items.map(({ description, type, price_data }) => ({
      id: context.newId('si_'),
      description,
      type,
      price_data,
    })),
    start_date: startDate,
    billing_cycle_anchor: startDate,
    current_period_start: isPending ? null : boundary(schedule, periodIndex),
    current_period_end: isPending ? null : boundary(schedule, periodIndex + 1),
    period_index: periodIndex,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_reason: null,
    default_payment_method: start.payment_method,
    latest_invoice: start.latest_invoice,
    metadata: terms.metadata,
    test_clock: session.test_clock,
  })
}

/** What a caller may change of a live subscription; absent fields stay, null unsets. */
export interface SubscriptionUpdateFields {
  readonly description?: string
  readonly metadata?: MetadataFields
  readonly default_payment_method?: string | null
  readonly cancel_at_period_end?: boolean
}

/** Whether a subscription can still change. */
export function isLive(subscription: Subscription): boolean {
  return subscription.status !== 'canceled'
}

/** Refuses to change a subscription that has ended. */
export function requireLive(subscription: Subscription, action: string): void {
  if (isLive(subscription)) return
  throw new DomainError(
    'subscription_unexpected_state',
    `Cannot ${action} subscription '${subscription.id}': it is canceled, which is final. Set up a new one with a checkout session.`,
  )
}

/** A pending subscription starts: period 0 of its anchor begins. */
export function startSubscription(
  subscription: Subscription,
  invoice: string,
  context: RuleContext,
): Mutation<Subscription> {
  const first = periodIndexAt(scheduleOf(subscription), context.now)
  return mutation('subscription.started', subscription, {
    ...subscription,
    ...periodOf(subscription, first),
    status: 'active',
    latest_invoice: invoice,
  })
}

/** The next period begins, paid or not. */
export function renewSubscription(subscription: Subscription, invoice: string): Mutation<Subscription> {
  return mutation('subscription.renewed', subscription, {
    ...subscription,
    ...periodOf(subscription, subscription.period_index + 1),
    latest_invoice: invoice,
  })
}

// Every boundary is counted from the anchor: counting from the one before would drift at the ends of months.
function periodOf(subscription: Subscription, index: number) {
  const schedule = scheduleOf(subscription)
  return {
    current_period_start: boundary(schedule, index),
    current_period_end: boundary(schedule, index + 1),
    period_index: index,
  }
}

function scheduleOf(subscription: Subscription): Schedule {
  const { billing_cycle_anchor: anchor, interval, interval_count } = subscription
  return { anchor, interval, interval_count }
}

/** How many billing periods begin until a moment in Unix seconds, counted from where the subscription is. */
export function periodsUntil(subscription: Subscription, until: number): number {
  return Math.max(0, periodIndexAt(scheduleOf(subscription), until) - subscription.period_index)
}

/** Something owed was not paid in time; nothing unless the subscription was in order. */
export function fallBehind(subscription: Subscription): Mutation<Subscription>[] {
  if (subscription.status !== 'active') return []
  return [mutation('subscription.past_due', subscription, { ...subscription, status: 'past_due' })]
}

/** Collecting has been given up, but the subscription goes on; nothing unless it was past due. */
export function leaveUnpaid(subscription: Subscription): Mutation<Subscription>[] {
  if (subscription.status !== 'past_due') return []
  return [mutation('subscription.unpaid', subscription, { ...subscription, status: 'unpaid' })]
}

/** All that was owed is settled; nothing unless the subscription was behind. */
export function recoverSubscription(subscription: Subscription): Mutation<Subscription>[] {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return []
  return [mutation('subscription.recovered', subscription, { ...subscription, status: 'active' })]
}

/** Ends a subscription now: no refund, no proration, terminal. `canceled_at` keeps when it was asked for. */
export function cancelSubscription(
  subscription: Subscription,
  reason: CancellationReason,
  context: RuleContext,
): Mutation<Subscription> {
  return mutation('subscription.canceled', subscription, {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? context.now,
    ended_at: context.now,
    cancellation_reason: reason,
  })
}

/** `subscription.updated` with another card to charge; null leaves the customer's. */
export function setDefaultCard(subscription: Subscription, card: string | null): Mutation<Subscription> {
  return mutation('subscription.updated', subscription, { ...subscription, default_payment_method: card })
}

/** `subscription.updated` with the given fields changed, or nothing when none differs. */
export function updateSubscription(
  subscription: Subscription,
  fields: SubscriptionUpdateFields,
  context: RuleContext,
): Mutation<Subscription>[] {
  const ends = fields.cancel_at_period_end ?? subscription.cancel_at_period_end
  const after: Subscription = {
    ...subscription,
    description: fields.description ?? subscription.description,
    metadata: mergeMetadata(subscription.metadata, fields.metadata),
    default_payment_method:
      fields.default_payment_method === undefined
        ? subscription.default_payment_method
        : fields.default_payment_method,
    cancel_at_period_end: ends,
    canceled_at: ends ? (subscription.canceled_at ?? context.now) : null,
  }
  if (JSON.stringify(after) === JSON.stringify(subscription)) return []
  return [mutation('subscription.updated', subscription, after)]
}
