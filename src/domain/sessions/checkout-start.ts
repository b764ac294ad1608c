import { getAmountAfterCredit } from '../payments/credit-balance.ts'
import type { CheckoutSession } from './checkout-sessions.ts'
import { findTrialEnd } from './trial-terms.ts'

/**
 * Returns whether completing the session at `now` charges nothing even without credit: a trial, a future start, or a
 * total of zero.
 */
export function isFreeToday(session: CheckoutSession, now: number): boolean {
  return session.amount_total === 0 || hasFutureStart(session, now) || hasTrial(session, now)
}

/** Returns the amount to pay if the session is completed at `now`, after the credit of a balance in minor units. */
export function getAmountDueToday(session: CheckoutSession, balance: number, now: number): number {
  return isFreeToday(session, now) ? 0 : getAmountAfterCredit(session.amount_total, balance)
}

/** Returns whether completing the session at `now`, in Unix seconds, starts a trial. */
export function hasTrial({ subscription_data }: CheckoutSession, now: number): boolean {
  return findTrialEnd(subscription_data, now) !== null
}

/** Returns whether the subscription starts after `now`, in Unix seconds. */
export function hasFutureStart(session: CheckoutSession, now: number): boolean {
  return (session.subscription_data.start_date ?? now) > now
}
