import type { RuleContext } from '../core/changes.ts'
import { DomainError, throwValidationErrors } from '../core/domain-error.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { getPeriodStart, listPeriodLengthErrors } from '../time/periods.ts'
import {
  type BilledLine,
  getLatestProrationTime,
  type Period,
  type Proration,
  prorateChange,
} from './prorations.ts'
import type { SubscriptionChangeParams } from './subscription-change-params.ts'
import { applyItemChanges } from './subscription-items.ts'
import type { Subscription } from './subscriptions.ts'

/** A change of prices or of the billing period, with its prorations and its invoice. */
export interface PlannedSubscriptionChange {
  /** The changed fields of the subscription. */
  readonly fields: Partial<Subscription>
  readonly prorations: readonly Proration[]
  /**
   * The parts that are invoiced immediately: nothing, the pending invoice items, or also the first period of a new
   * schedule.
   */
  readonly invoicing: 'nothing' | 'items' | 'period'
}

/** A subscription with the lines that were billed in its current period, oldest first. */
export interface SubscriptionWithBilledLines {
  readonly subscription: Subscription
  readonly billed: readonly BilledLine[]
}

/**
 * Returns the effect of a change of items, interval or billing anchor. Prorations exist only while periods are billed:
 * a pending, trialing or paused subscription gets the new prices without prorations. Throws for unknown items, a period
 * that is too long, and a `proration_date` outside the period.
 */
export function planSubscriptionChange(
  { subscription, billed }: SubscriptionWithBilledLines,
  change: SubscriptionChangeParams,
  context: RuleContext,
): PlannedSubscriptionChange {
  const items =
    change.items === undefined ? subscription.items : applyItemChanges(subscription, change.items, context)
  const schedule = changeSchedule(subscription, change)
  const isReset = schedule !== null || change.billing_cycle_anchor === 'now'
  const period = currentPeriod(subscription)
  if (period === null) {
    if (change.billing_cycle_anchor === 'now') throw anchorError(subscription)
    return { fields: { items, ...schedule }, prorations: [], invoicing: 'nothing' }
  }
  const isProrated = change.proration_behavior !== 'none'
  const at = change.proration_date ?? context.now
  requireInPeriod(at, {
    start: isProrated ? getLatestProrationTime(billed, period) : period.start,
    end: context.now,
  })
  const after = isReset ? [] : items
  const prorations = isProrated
    ? prorateChange({ before: subscription.items, after, billed, period, at })
    : []
  if (isReset) {
    const reset = resetPeriod({ ...subscription, ...schedule }, at, context)
    return { fields: { items, ...schedule, ...reset }, prorations, invoicing: 'period' }
  }
  const isInvoiced = change.proration_behavior === 'always_invoice' && subscription.status !== 'unpaid'
  const invoicing = isInvoiced && prorations.length > 0 ? 'items' : 'nothing'
  return { fields: { items }, prorations, invoicing }
}

/** Returns the credits for the time from now until the end of the current period; no credits when no period is billed. */
export function createRemainingPeriodCredits(
  { subscription, billed }: SubscriptionWithBilledLines,
  { now }: RuleContext,
): Proration[] {
  const period = currentPeriod(subscription)
  return period === null
    ? []
    : prorateChange({ before: subscription.items, after: [], billed, period, at: now })
}

const BILLED_STATUSES: readonly string[] = ['active', 'past_due', 'unpaid']

/** Returns the period that a subscription bills now; null before the first period, and in a trial. */
function currentPeriod({ status, current_period_start, current_period_end }: Subscription): Period | null {
  if (!BILLED_STATUSES.includes(status)) return null
  if (current_period_start === null || current_period_end === null) return null
  return { start: current_period_start, end: current_period_end }
}

/** Returns the new billing interval, or null if the interval does not change. */
function changeSchedule(
  { interval, interval_count }: Subscription,
  change: SubscriptionChangeParams,
): Pick<Subscription, 'interval' | 'interval_count'> | null {
  const next = {
    interval: change.interval ?? interval,
    interval_count: change.interval_count ?? (change.interval === undefined ? interval_count : 1),
  }
  if (next.interval === interval && next.interval_count === interval_count) return null
  throwValidationErrors(listPeriodLengthErrors(next, 'interval_count'))
  return next
}

function resetPeriod(subscription: Subscription, anchor: number, { now }: RuleContext) {
  const { interval, interval_count } = subscription
  const end = getPeriodStart({ anchor, interval, interval_count }, 1)
  if (end <= now)
    throw dateError(anchor, `its period would have ended at ${formatTimestamp(end)}. Use a later time`)
  return {
    billing_cycle_anchor: anchor,
    current_period_start: anchor,
    current_period_end: end,
    period_index: 0,
  }
}

function requireInPeriod(at: number, { start, end }: Period): void {
  if (at < start)
    throw dateError(
      at,
      `the current period, or its last prorated change, starts at ${formatTimestamp(start)}. Use a time from this start until now`,
    )
  if (at > end) throw dateError(at, 'it is in the future. Use the current time or an earlier time')
}

function dateError(at: number, reason: string): DomainError {
  return new DomainError(
    'proration_date_out_of_range',
    `Invalid proration_date ${formatTimestamp(at)}: ${reason}, or omit proration_date.`,
    { param: 'proration_date' },
  )
}

function anchorError({ id, status }: Subscription): DomainError {
  return new DomainError(
    'subscription_unexpected_state',
    `Cannot start a new period of subscription '${id}': its status is ${status}, and its periods have not begun. Omit billing_cycle_anchor.`,
    { param: 'billing_cycle_anchor' },
  )
}
