import type { PortalPlan, PortalSession } from '../sessions/portal-sessions.ts'
import type { SubscriptionChangeParams } from './subscription-change-params.ts'
import { isLiveSubscription, type Subscription } from './subscriptions.ts'

/** A plan that a portal session offers for a subscription. */
export interface PlanOption {
  /** The index of the plan in `features.plans`, or `current`. */
  readonly key: string
  /** The new plan; null for the current plan, which keeps its price. */
  readonly plan: PortalPlan | null
}

/**
 * Returns the plans that the customer can choose for a subscription, the current plan first. Returns an empty list when
 * the subscription cannot be changed: a subscription with several items has no single plan to replace.
 */
export function listPlanOptions({ features }: PortalSession, subscription: Subscription): PlanOption[] {
  const { plans } = features
  if (plans === 'off' || subscription.items.length !== 1 || !isLiveSubscription(subscription)) return []
  const others = plans
    .map((plan, index) => ({ key: String(index), plan }))
    .filter(({ plan }) => isOtherPlan(plan, subscription))
  return [{ key: 'current', plan: null }, ...others]
}

function isOtherPlan(plan: PortalPlan, subscription: Subscription): boolean {
  if (plan.currency !== null && plan.currency !== subscription.currency) return false
  const { price, description, interval, interval_count } = getPlanTerms(plan, subscription)
  const [item] = subscription.items
  const isSamePrice =
    item?.price_data.amount === price.amount && item.price_data.tax_percent === price.tax_percent
  const isSamePeriod = interval === subscription.interval && interval_count === subscription.interval_count
  return !isSamePrice || !isSamePeriod || description !== item?.description
}

/** Returns the price and billing period of a subscription after a change to a plan; null changes neither. */
export function getPlanTerms(plan: PortalPlan | null, { items, interval, interval_count }: Subscription) {
  const [item] = items
  const count = plan?.interval_count ?? 1
  return {
    description: plan?.description ?? item?.description ?? null,
    price: {
      amount: plan?.amount ?? item?.price_data.amount ?? 0,
      tax_percent: plan?.tax_percent ?? item?.price_data.tax_percent ?? 0,
    },
    interval: plan?.interval ?? interval,
    interval_count: plan?.interval ? count : interval_count,
  }
}

/** The plan that a customer chose in the portal, and the time of the preview in Unix seconds. */
export interface PlanChoice {
  readonly plan: PortalPlan | null
  readonly quantity: number
  readonly at: number
}

/**
 * Returns the change of a subscription with one item that a customer chose. The change is invoiced immediately; if the
 * charge fails, nothing changes.
 */
export function toSubscriptionChange(
  { plan, quantity, at }: PlanChoice,
  subscription: Subscription,
): SubscriptionChangeParams {
  const [item] = subscription.items
  const { description, price, interval, interval_count } = getPlanTerms(plan, subscription)
  const named = description === null ? {} : { description }
  return {
    items: [{ id: item?.id ?? '', quantity, price_data: price, ...named }],
    ...{ interval, interval_count },
    proration_behavior: 'always_invoice',
    proration_date: at,
    payment_behavior: 'error_if_incomplete',
  }
}

/**
 * Returns whether a cancellation by the customer ends a subscription immediately, as for a paused subscription, which
 * has no current period.
 */
export function isCanceledImmediately({ features }: PortalSession, { status }: Subscription): boolean {
  return features.cancel === 'now' || status === 'paused'
}

/** Returns whether the customer can cancel a subscription. */
export function isCancelable(session: PortalSession, subscription: Subscription): boolean {
  const isPlanned = subscription.cancel_at_period_end && !isCanceledImmediately(session, subscription)
  return session.features.cancel !== 'off' && isLiveSubscription(subscription) && !isPlanned
}

/** Returns whether the customer can undo the cancellation of a subscription at the end of its period. */
export function canUndoCancellation({ features }: PortalSession, subscription: Subscription): boolean {
  return features.cancel !== 'off' && isLiveSubscription(subscription) && subscription.cancel_at_period_end
}
