import { getPeriodIndex, getPeriodStart } from '../time/periods.ts'
import type { CheckoutSession } from './checkout-sessions.ts'
import { findTrialEnd } from './trial-terms.ts'

/**
 * Returns the status and the first period of a subscription that is created at `now`, in Unix seconds. A trial is a
 * separate period before period 0. Before a start in the future, there is no period. A past start is the billing
 * anchor, and the current period is the first billed period.
 */
export function getInitialStatusAndPeriod(terms: CheckoutSession['subscription_data'], now: number) {
  const { interval, interval_count, trial_settings } = terms
  const trialEnd = findTrialEnd(terms, now)
  if (trialEnd !== null) {
    const period = {
      billing_cycle_anchor: trialEnd,
      current_period_start: now,
      current_period_end: trialEnd,
      period_index: -1,
      trial_start: now,
      trial_end: trialEnd,
      trial_settings,
    }
    return { status: 'trialing', period } as const
  }
  const anchor = terms.start_date ?? now
  const schedule = { anchor, interval, interval_count }
  const index = getPeriodIndex(schedule, now)
  const isPending = index < 0
  const period = {
    billing_cycle_anchor: anchor,
    current_period_start: isPending ? null : getPeriodStart(schedule, index),
    current_period_end: isPending ? null : getPeriodStart(schedule, index + 1),
    period_index: index,
    trial_start: null,
    trial_end: null,
    trial_settings: null,
  }
  return { status: isPending ? 'pending' : 'active', period } as const
}
