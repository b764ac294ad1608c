import type { CollectionMethod, SubscriptionItem, SubscriptionTerms } from './billing-terms.ts'
import { type Creation, creation, type Mutation, mutation, type World } from './changes.ts'
import type { Metadata } from './metadata.ts'
import { boundary, type Interval, periodIndexAt } from './periods.ts'

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
export function createSubscription(start: SubscriptionStart, world: World): Creation<Subscription> {
  const { session } = start
  const terms = session.subscription_data
  const startDate = terms.start_date ?? world.now
  const isPending = startDate > world.now
  const schedule = { anchor: startDate, interval: terms.interval, interval_count: terms.interval_count }
  const periodIndex = isPending ? -1 : periodIndexAt(schedule, world.now)
  return creation('subscription.created', {
    id: start.id,
    object: 'subscription',
    created: world.now,
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
      id: world.newId('si_'),
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

/** Ends a subscription now: no refund, no proration, terminal. */
export function cancelSubscription(
  subscription: Subscription,
  reason: CancellationReason,
  world: World,
): Mutation<Subscription> {
  return mutation('subscription.canceled', subscription, {
    ...subscription,
    status: 'canceled',
    canceled_at: world.now,
    ended_at: world.now,
    cancellation_reason: reason,
  })
}
