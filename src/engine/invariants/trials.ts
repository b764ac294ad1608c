import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import {
  createClockTimeLookup,
  groupEventsByObject,
  type Invariant,
  isEventHistoryTruncated,
} from './snapshot.ts'

const NOTICE_SECONDS = 3 * 86_400

/** A subscription that was created with a trial. */
export type SubscriptionWithTrial = Subscription & {
  readonly trial_start: number
  readonly trial_end: number
}

/** Returns whether a subscription was created with a trial. */
export function hasHadTrial(subscription: Subscription): subscription is SubscriptionWithTrial {
  return subscription.trial_start !== null
}

/** Returns whether an invoice is the free invoice of its subscription's trial. */
export function isTrialInvoice({ billing_reason }: Invoice, subscription: Subscription): boolean {
  return hasHadTrial(subscription) && billing_reason === 'subscription_create'
}

/** Yields the problems of the current period of a subscription that is in its trial or was canceled during the trial. */
export function* findTrialPeriodProblems(
  subscription: SubscriptionWithTrial,
  now: number | null,
): Generator<string> {
  const { id, status, trial_start, trial_end, billing_cycle_anchor, period_index } = subscription
  const { current_period_start: start, current_period_end: end } = subscription
  const isTrial = start === trial_start && end === trial_end && billing_cycle_anchor === trial_end
  if (!isTrial || period_index !== -1) yield `${id}: its period is not its trial`
  if (status === 'trialing' && now !== null && now >= trial_end) yield `${id}: its trial did not end`
}

/** Yields the problems of the invoice of a trial, which is free and covers the originally planned trial. */
export function* findTrialInvoiceProblems(
  { id, total, period_start, period_end, created, lines }: Invoice,
  { trial_start }: SubscriptionWithTrial,
): Generator<string> {
  if (total !== 0) yield `${id}: bills a trial with ${total}`
  if (period_start !== trial_start || created !== trial_start || period_end <= period_start)
    yield `${id}: its period is not the trial`
  for (const line of lines) {
    if (line.period.start !== period_start || line.period.end !== period_end)
      yield `${id}: ${line.id} has a different period`
  }
}

/** P48: the end of a trial is announced within the three preceding days, at most once for each end that was set. */
export const trialEndsAreAnnounced: Invariant = function* (snapshot) {
  if (isEventHistoryTruncated(snapshot)) return
  const history = groupEventsByObject(snapshot)
  const timeOf = createClockTimeLookup(snapshot)
  for (const subscription of snapshot.records.subscriptions.filter(hasHadTrial)) {
    const { id, status, trial_end, test_clock } = subscription
    const events = history.get(id) ?? []
    const notices = events.filter(({ type }) => type === 'subscription.trial_will_end')
    for (const { id: event, created, data } of notices) {
      const { trial_end: announced } = data.object as SubscriptionWithTrial
      if (created < announced - NOTICE_SECONDS || created >= announced)
        yield `${event}: announced at ${created}`
    }
    const now = timeOf(test_clock)
    const isDue = status === 'trialing' && now !== null && now >= trial_end - NOTICE_SECONDS
    if (isDue && notices.length === 0) yield `${id}: the end of its trial was not announced`
    // Each further notice follows an update that moved the end.
    const updates = events.filter(({ type }) => type === 'subscription.updated')
    const moves = updates.filter(({ data }) => 'trial_end' in (data.previous_attributes ?? {})).length
    if (notices.length > moves + 1) yield `${id}: announced ${notices.length} times`
  }
}
