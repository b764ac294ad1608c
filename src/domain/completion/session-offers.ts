import type { DomainError } from '../core/domain-error.ts'
import type { Authentication } from '../payments/authentications.ts'
import { getCreditBalance } from '../payments/credit-balance.ts'
import type { Customer, DeletedCustomer } from '../payments/customers.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import { getAmountDueToday, hasFutureStart, hasTrial } from '../sessions/checkout-start.ts'
import { discountSession, findRedemptionError, type Redemption } from '../sessions/discounts.ts'
import { getPeriodIndex } from '../time/periods.ts'
import type { CardUpdateRecords } from './card-session-completion.ts'
import type { CompletableSession } from './hosted-session.ts'

/** The records that determine the charges of completing a session. */
export interface SessionOfferRecords {
  readonly session: CompletableSession
  readonly customer: Customer | DeletedCustomer | null
  /** The records of the card update; null for sessions that do not replace a card. */
  readonly cardUpdate: CardUpdateRecords | null
  /** The discount of the session, or of a promotion code that its customer entered; null if there is no discount. */
  readonly redemption: Redemption | null
}

type PricedRecords = Pick<SessionOfferRecords, 'session' | 'redemption'>

/** Returns the error that prevents the redemption of a session at `now`, in Unix seconds; null without a promotion code. */
export function findSessionRedemptionError(
  { session, redemption }: PricedRecords,
  now: number,
): DomainError | null {
  if (session.object !== 'checkout_session' || redemption === null) return null
  const param = session.discounts.length > 0 ? null : 'promotion_code'
  return findRedemptionError(redemption, { currency: session.currency, now, param })
}

/** Returns whether the discount with which the merchant created a session can no longer be redeemed at `now`. */
export function isDiscountLost(records: PricedRecords, now: number): boolean {
  const { session } = records
  const isMerchants = session.object === 'checkout_session' && session.discounts.length > 0
  return isMerchants && findSessionRedemptionError(records, now) !== null
}

/** Returns a session with the discount of the code that its customer entered, if the code can be redeemed. */
export function addEnteredDiscount<S extends CompletableSession>(
  session: S,
  redemption: Redemption | null,
  now: number,
): S {
  if (redemption === null || session.object !== 'checkout_session') return session
  const isPriced = session.discounts.length > 0 || findSessionRedemptionError({ session, redemption }, now)
  return isPriced ? session : { ...session, ...discountSession(session, redemption) }
}

/** Returns whether completing the session at `now`, in Unix seconds, requires a card. */
export function isCardRequired(session: CompletableSession, now: number): boolean {
  if (session.object !== 'checkout_session') return true
  const isOptional = session.payment_method_collection === 'if_required' && hasTrial(session, now)
  return isCardAccepted(session) && !isOptional
}

/** Returns whether a session accepts a card. A checkout session with `send_invoice` accepts no card. */
export function isCardAccepted(session: CompletableSession): boolean {
  return (
    session.object !== 'checkout_session' || session.subscription_data.collection_method !== 'send_invoice'
  )
}

/** Returns the amount that completing the session at `now` charges, in minor units; 0 without a charge. */
export function getSessionCharge(
  { session: given, customer, redemption }: Omit<SessionOfferRecords, 'cardUpdate'>,
  now: number,
): number {
  const session = addEnteredDiscount(given, redemption, now)
  if (session.object === 'card_session') return 0
  if (session.object === 'payment_session') return session.amount
  return getAmountDueToday(session, getCreditBalance(customer, session.currency), now)
}

/**
 * Returns the terms of completing a session at `now`, in Unix seconds, as a string for comparison. The terms include
 * the charge, the start of billing and the invoices to pay. A form is rejected when its page showed other terms.
 */
export function createOfferFingerprint(offered: SessionOfferRecords, now: number): string {
  const { session, cardUpdate, redemption } = offered
  const amount = getSessionCharge(offered, now)
  const discount = redemption && describeDiscount(addEnteredDiscount(session, redemption, now))
  const isRedeemable = findSessionRedemptionError(offered, now) === null
  const terms = [...describeTerms(session, now), ...describeCardUpdate(cardUpdate)]
  return JSON.stringify([amount, ...terms, discount, isRedeemable])
}

/**
 * Returns whether the terms of completing a session at `now` differ from the terms that its customer accepted on a page. If the
 * API submitted the card, only a discount that can no longer be redeemed is a difference.
 */
export function hasChangedOffer(
  offered: SessionOfferRecords & { readonly authentication: Authentication | null },
  now: number,
): boolean {
  const agreed = offered.authentication?.offer
  return agreed === undefined
    ? findSessionRedemptionError(offered, now) !== null
    : agreed !== createOfferFingerprint(offered, now)
}

function describeTerms(session: CompletableSession, now: number): readonly unknown[] {
  if (session.object === 'card_session') return []
  if (session.object === 'payment_session') return [session.currency]
  return [
    session.currency,
    isCardRequired(session, now),
    hasTrial(session, now),
    hasFutureStart(session, now),
    firstPeriod(session, now),
  ]
}

// Includes the total of the first period, which is not part of the charge if the period starts later.
function describeDiscount(session: CompletableSession): readonly unknown[] {
  return session.object === 'checkout_session' ? [session.discounts, session.amount_total] : []
}

// The index of the first period depends on the time of the completion only if the start date is in the past.
function firstPeriod({ subscription_data }: CheckoutSession, now: number): number | null {
  const { start_date: anchor, interval, interval_count } = subscription_data
  return anchor === undefined || anchor === null || anchor > now
    ? null
    : getPeriodIndex({ anchor, interval, interval_count }, now)
}

function describeCardUpdate(update: CardUpdateRecords | null): readonly unknown[] {
  if (update === null) return []
  return [
    update.subscriptions.map(({ id }) => id),
    update.invoices.map(({ invoice: { id, amount_remaining } }) => [id, amount_remaining]),
  ]
}
