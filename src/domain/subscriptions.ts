import type { CollectionMethod, SubscriptionItem, SubscriptionTerms } from './billing-terms.ts'
import { type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { DomainError } from './domain-error.ts'
import { type Metadata, type MetadataFields, mergeMetadata } from './metadata.ts'
import { type BillingSchedule, type Interval, periodIndexAt, periodStart } from './periods.ts'

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

/** The completed session that creates a subscription. */
export interface SubscriptionSource {
  readonly id: string
  readonly customer: string
  readonly currency: string
  readonly description: string
  readonly subscription_data: SubscriptionTerms
  readonly test_clock: string | null
}

export interface CreateSubscriptionOptions {
  readonly id: string
  readonly session: SubscriptionSource
  readonly payment_method: string | null
  readonly latest_invoice: string | null
}

/**
 * Creates the subscription of a completed session. With a start in the future it is `pending` and has no period. A past
 * start is the billing anchor, and the current period is the first one that is billed.
 */
export function createSubscription(
  options: CreateSubscriptionOptions,
  context: RuleContext,
): Creation<Subscription> {
  const { session } = options
  const terms = session.subscription_data
  const startDate = terms.start_date ?? context.now
  const isPending = startDate > context.now
  const schedule = { anchor: startDate, interval: terms.interval, interval_count: terms.interval_count }
  const periodIndex = isPending ? -1 : periodIndexAt(schedule, context.now)
  return creation('subscription.created', {
    id: options.id,
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
    current_period_start: isPending ? null : periodStart(schedule, periodIndex),
    current_period_end: isPending ? null : periodStart(schedule, periodIndex + 1),
    period_index: periodIndex,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_reason: null,
    default_payment_method: options.payment_method,
    latest_invoice: options.latest_invoice,
    metadata: terms.metadata,
    test_clock: session.test_clock,
  })
}

/** Changes to a subscription. Omitted fields keep their value; null unsets a field. */
export interface SubscriptionUpdateFields {
  readonly description?: string
  readonly metadata?: MetadataFields
  readonly default_payment_method?: string | null
  readonly cancel_at_period_end?: boolean
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

/** Starts a pending subscription with the period that contains the current time. */
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

/** Starts the next period of a subscription, whether or not earlier ones are paid. */
export function renewSubscription(subscription: Subscription, invoice: string): Mutation<Subscription> {
  return mutation('subscription.renewed', subscription, {
    ...subscription,
    ...periodOf(subscription, subscription.period_index + 1),
    latest_invoice: invoice,
  })
}

// Compute every boundary from the anchor: computing from the previous one would drift at the ends of months.
function periodOf(subscription: Subscription, index: number) {
  const schedule = scheduleOf(subscription)
  return {
    current_period_start: periodStart(schedule, index),
    current_period_end: periodStart(schedule, index + 1),
    period_index: index,
  }
}

function scheduleOf(subscription: Subscription): BillingSchedule {
  const { billing_cycle_anchor: anchor, interval, interval_count } = subscription
  return { anchor, interval, interval_count }
}

/** Returns the number of billing periods that start after the current one, up to `until` in Unix seconds. */
export function countPeriodsUntil(subscription: Subscription, until: number): number {
  return Math.max(0, periodIndexAt(scheduleOf(subscription), until) - subscription.period_index)
}

/** Marks an active subscription as past due; changes nothing in other states. */
export function markPastDue(subscription: Subscription): Mutation<Subscription>[] {
  if (subscription.status !== 'active') return []
  return [mutation('subscription.past_due', subscription, { ...subscription, status: 'past_due' })]
}

/** Marks a past due subscription as unpaid after its last retry; changes nothing in other states. */
export function markUnpaid(subscription: Subscription): Mutation<Subscription>[] {
  if (subscription.status !== 'past_due') return []
  return [mutation('subscription.unpaid', subscription, { ...subscription, status: 'unpaid' })]
}

/** Makes a past due or unpaid subscription active again; changes nothing in other states. */
export function recoverSubscription(subscription: Subscription): Mutation<Subscription>[] {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return []
  return [mutation('subscription.recovered', subscription, { ...subscription, status: 'active' })]
}

/** Cancels a subscription, without refund or proration. `canceled_at` is the time of the first cancellation request. */
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

/** Sets the card of a subscription; with null, renewals charge the customer's default card. */
export function setDefaultCard(subscription: Subscription, card: string | null): Mutation<Subscription> {
  return mutation('subscription.updated', subscription, { ...subscription, default_payment_method: card })
}

/** Returns the `subscription.updated` change with the given fields, or nothing when no field differs. */
export function updateSubscription(
  subscription: Subscription,
  fields: SubscriptionUpdateFields,
  context: RuleContext,
): Mutation<Subscription>[] {
  const cancelAtPeriodEnd = fields.cancel_at_period_end ?? subscription.cancel_at_period_end
  const after: Subscription = {
    ...subscription,
    description: fields.description ?? subscription.description,
    metadata: mergeMetadata(subscription.metadata, fields.metadata),
    default_payment_method:
      fields.default_payment_method === undefined
        ? subscription.default_payment_method
        : fields.default_payment_method,
    cancel_at_period_end: cancelAtPeriodEnd,
    canceled_at: cancelAtPeriodEnd ? (subscription.canceled_at ?? context.now) : null,
  }
  if (JSON.stringify(after) === JSON.stringify(subscription)) return []
  return [mutation('subscription.updated', subscription, after)]
}
