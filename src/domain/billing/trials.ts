import {
  type Change,
  type Decision,
  type ObjectUpdate,
  type RuleContext,
  toRemoval,
  toUpdate,
} from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import { isDiscountEnded, rescheduleDiscount } from '../sessions/discounts.ts'
import { listTrialEndErrors } from '../sessions/trial-terms.ts'
import { createTimerChange, type TimerRecord } from '../time/timers.ts'
import { beginAndBillPeriod, endSubscriptionAsPlanned } from './billing-cycle.ts'
import { type BillingRecords, BillingUnitOfWork } from './billing-unit-of-work.ts'
import { endSubscription } from './charge-invoice.ts'
import {
  endDiscount,
  pauseAfterTrial,
  resumeSubscription,
  type Subscription,
  startSubscription,
} from './subscriptions.ts'

/** The time between `subscription.trial_will_end` and the end of a trial, in seconds. */
const NOTICE_SECONDS = 3 * 86_400

/**
 * Schedules `subscription.trial_will_end` three days before the end of a trial, or returns the event immediately for a
 * trial that ends sooner. Returns an empty list for a subscription without a trial.
 */
export function scheduleTrialNotice(subscription: Subscription, context: RuleContext): Change[] {
  const { id, trial_end, test_clock } = subscription
  if (subscription.status !== 'trialing' || trial_end === null) return []
  const at = trial_end - NOTICE_SECONDS
  if (at > context.now) return [createTimerChange({ id, what: 'trial_will_end', at, test_clock })]
  return [markTrialWillEnd(subscription)]
}

/** Returns the due `subscription.trial_will_end` event, or an empty list if the trial has ended early. */
export function createDueTrialNotice(subscription: Subscription): Change[] {
  return subscription.status === 'trialing' ? [markTrialWillEnd(subscription)] : []
}

function markTrialWillEnd(subscription: Subscription): ObjectUpdate<Subscription> {
  return toUpdate('subscription.trial_will_end', subscription, subscription)
}

/** Ends a trial at its due time. */
export function endDueTrial(account: BillingRecords, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  endTrial(billing)
  return billing.changes
}

/**
 * Ends a trial now: bills the first period and returns the id of its invoice. Returns null when the subscription is
 * canceled by request, or is canceled or paused because there is no card to charge.
 */
export function endTrial(billing: BillingUnitOfWork): string | null {
  const { subscription, context } = billing
  const action = findMissingCardAction(billing)
  if (subscription.cancel_at_period_end) endSubscriptionAsPlanned(billing)
  else if (action === 'cancel') endSubscription(billing, 'missing_payment_method')
  else if (action === 'pause') billing.add(pauseAfterTrial(subscription, context))
  else
    return beginAndBillPeriod(billing, 'subscription_cycle', (id) =>
      startSubscription(subscription, id, context),
    )
  return null
}

function findMissingCardAction({ account: { card, subscription } }: BillingUnitOfWork) {
  const isCharged = subscription.collection_method === 'charge_automatically'
  return isCharged && card === null ? subscription.trial_settings?.missing_payment_method : null
}

/**
 * Returns the fields that change when an update moves the end of a trial; returns no fields for `now` or an unchanged
 * end. Throws if `trial_end` is given and the subscription is not trialing.
 */
export function getMovedTrialFields(
  subscription: Subscription,
  trial_end: number | 'now' | undefined,
  context: RuleContext,
): Partial<Subscription> {
  if (trial_end !== undefined) requireTrial(subscription)
  if (typeof trial_end !== 'number' || trial_end === subscription.trial_end) return {}
  const [error] = listTrialEndErrors(trial_end, context.now)
  if (error) {
    const hint = trial_end <= context.now ? " To end the trial now, use 'now'." : ''
    throw new DomainError(error.code, error.message + hint, { param: error.param })
  }
  const discount = rescheduleDiscount(subscription.discount, trial_end)
  return { trial_end, billing_cycle_anchor: trial_end, current_period_end: trial_end, discount }
}

/**
 * Returns the changes that reschedule or send `subscription.trial_will_end` after the end of a trial was moved. An
 * event that was already sent is not repeated while the trial still ends within three days.
 */
export function rescheduleTrialNotice(
  subscription: Subscription,
  timer: TimerRecord | null,
  context: RuleContext,
): Change[] {
  const announced = scheduleTrialNotice(subscription, context)
  const isTimer = announced.some(({ event }) => event === null)
  if (isTimer) return announced
  return timer === null ? [] : [toRemoval(timer), ...announced]
}

function requireTrial({ id, status }: Subscription): void {
  if (status === 'trialing') return
  throw new DomainError(
    'subscription_unexpected_state',
    `Cannot change trial_end of subscription '${id}': its status is ${status}, and only a trialing subscription has a trial to change.`,
    { param: 'trial_end' },
  )
}

/** Resumes a paused subscription: its first period starts now and is billed. */
export function resumePausedSubscription(
  account: BillingRecords,
  context: RuleContext,
): Decision<Subscription> {
  const { subscription, card } = account
  requirePaused(subscription)
  if (card === null) throw cardMissingError(subscription)
  const billing = new BillingUnitOfWork(account, context)
  // A discount with an end can expire while the subscription is paused.
  if (isDiscountEnded(subscription.discount, context.now)) billing.add(endDiscount(subscription))
  beginAndBillPeriod(billing, 'subscription_cycle', (id) =>
    resumeSubscription(billing.subscription, id, context),
  )
  return { changes: billing.changes, result: billing.subscription }
}

function requirePaused({ id, status }: Subscription): void {
  if (status === 'paused') return
  throw new DomainError(
    'subscription_unexpected_state',
    `Cannot resume subscription '${id}': its status is ${status}, and only a paused subscription can be resumed.`,
  )
}

function cardMissingError({ id, customer }: Subscription): DomainError {
  return new DomainError(
    'payment_method_missing',
    `Cannot resume subscription '${id}': customer '${customer}' has no default card, and the subscription has no card. Let the customer save a card first: POST /v1/card_sessions with {"customer":"${customer}"}.`,
  )
}
