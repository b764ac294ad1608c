import { isCardRequired } from '../../domain/completion/session-offers.ts'
import { sumLineTotals } from '../../domain/core/money.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import {
  getAmountDueToday,
  hasFutureStart,
  hasTrial,
  isFreeToday,
} from '../../domain/sessions/checkout-start.ts'
import type { Discount } from '../../domain/sessions/discounts.ts'
import { toTaxableLine } from '../../domain/sessions/item-amounts.ts'
import { findTrialEnd } from '../../domain/sessions/trial-terms.ts'
import { type BillingSchedule, getPeriodIndex, getPeriodStart } from '../../domain/time/periods.ts'
import type { Language } from '../languages/language.ts'
import type { TextKey } from '../languages/messages.ts'

/** The terms of a subscription as texts for the customer; numeric amounts are in minor units. */
export type SubscriptionTermsTexts = ReturnType<typeof describeSubscriptionTerms>

/** Returns the terms of a checkout session if a customer with `balance` completes it at `now`, in Unix seconds. */
export function describeSubscriptionTerms(
  session: CheckoutSession,
  now: number,
  language: Language,
  { balance, duration }: { readonly balance: number; readonly duration: Discount['duration'] | null } = {
    balance: 0,
    duration: null,
  },
) {
  const { t, formatMoney, formatDate } = language
  const every = describeInterval(session, language)
  const recurring = getRecurringTotal(session, duration)
  const total = formatMoney(recurring, session.currency)
  const isZero = recurring === 0
  const dueToday = getAmountDueToday(session, balance, now)
  const isFree = dueToday === 0
  const isTrial = hasTrial(session, now)
  const next = formatDate(getNextPeriodStart(session, now))
  const common = {
    /** The billing interval, such as `every month`. */
    every,
    /** The total of a period after the end of the discount; a discount without an end is included. */
    total,
    /** The heading of a trial, with the end of the trial and the later price; null without a trial or a price. */
    trialPrice: isTrial && !isZero ? t('trialPrice', { next, total, every }) : null,
    dueToday,
    /** The credit that the first invoice uses if it is created today, in minor units. */
    creditUsed: isFreeToday(session, now) ? 0 : session.amount_total - dueToday,
    /** The schedule of the charges with their amounts; null if the heading contains the whole schedule. */
    schedule: describeSchedule(session, { now, dueToday, isZero }, language),
  }
  const trialButton = isTrial ? t('startTrial') : null
  if (!isCardRequired(session, now)) {
    return {
      ...common,
      dueLabel: t(isFree ? 'dueToday' : 'firstInvoice'),
      button: trialButton ?? t('subscribe'),
      consent: t(isZero ? 'consentRenewal' : getUnpaidConsent(session), { total, every }),
    }
  }
  return {
    ...common,
    dueLabel: t('totalDueToday'),
    button: trialButton ?? getCardButton(session, dueToday, language),
    consent: t(isZero ? 'consentSaving' : 'consentCharge', { total, every }),
  }
}

/**
 * Returns the total of a period after the discount of a session, in minor units. A discount with the duration `forever`
 * never ends, so the total includes it.
 */
export function getRecurringTotal(
  { amount_total, subscription_data: { items } }: CheckoutSession,
  duration: Discount['duration'] | null,
): number {
  return duration === null || duration === 'forever'
    ? amount_total
    : sumLineTotals(items.map(toTaxableLine)).amount_total
}

function getCardButton(
  { currency }: CheckoutSession,
  dueToday: number,
  { t, formatMoney }: Language,
): string {
  return dueToday === 0
    ? t('saveAndSubscribe')
    : t('payAndSubscribe', { amount: formatMoney(dueToday, currency) })
}

function getUnpaidConsent({ subscription_data }: CheckoutSession): TextKey {
  return subscription_data.collection_method === 'send_invoice' ? 'consentInvoice' : 'consentTrial'
}

/** Returns the billing interval of a session's subscription, for example `every month`. */
export function describeInterval(
  { subscription_data }: CheckoutSession,
  { plural, messages }: Language,
): string {
  return plural(messages.every[subscription_data.interval], subscription_data.interval_count)
}

/**
 * Returns the start of the next billing period in Unix seconds; if billing starts later, the start of the first period.
 */
export function getNextPeriodStart(session: CheckoutSession, now: number): number {
  const schedule = scheduleOf(session, now)
  return getPeriodStart(schedule, getPeriodIndex(schedule, now) + 1)
}

function scheduleOf({ subscription_data }: CheckoutSession, now: number): BillingSchedule {
  const { interval, interval_count, start_date } = subscription_data
  const anchor = findTrialEnd(subscription_data, now) ?? start_date ?? now
  return { anchor, interval, interval_count }
}

function describeSchedule(
  session: CheckoutSession,
  { now, dueToday, isZero }: { readonly now: number; readonly dueToday: number; readonly isZero: boolean },
  language: Language,
): string | null {
  const schedule = scheduleOf(session, now)
  const start = getPeriodStart(schedule, getPeriodIndex(schedule, now))
  const isCharged = session.subscription_data.collection_method === 'charge_automatically'
  const kind = isCharged ? 'charged' : 'invoiced'
  const isTrial = hasTrial(session, now)
  const isLater = isTrial || hasFutureStart(session, now)
  const values = {
    total: language.formatMoney(isLater ? session.amount_total : dueToday, session.currency),
    every: describeInterval(session, language),
    next: language.formatDate(getNextPeriodStart(session, now)),
    start: language.formatDate(start),
  }
  if (isZero) return language.t(isTrial ? 'trialThenFree' : `${kind}Never`, values)
  if (isCharged && !isCardRequired(session, now)) return null
  const isCovered = !isLater && dueToday === 0
  // Compare the dates, so that a period that began earlier on the same day counts as a period that starts now.
  const timing = values.start === language.formatDate(Math.max(start, now)) ? 'Now' : 'NowSince'
  const isDiscount = session.amount_total === 0
  const covered = isDiscount ? 'Discount' : isLater ? 'Later' : isCovered ? 'Credit' : timing
  const text = language.t(`${kind}${covered}`, values)
  return kind === 'charged' ? text : `${text} ${describeDueDays(session, language)}`
}

function describeDueDays({ subscription_data }: CheckoutSession, { t, plural, messages }: Language): string {
  const days = subscription_data.days_until_due ?? 0
  return days === 0 ? t('payAtOnce') : plural(messages.payWithin, days)
}
