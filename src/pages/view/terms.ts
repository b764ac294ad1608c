import { type CheckoutSession, hasFutureStart, isFreeToday } from '../../domain/checkout-sessions.ts'
import { type BillingSchedule, periodIndexAt, periodStart } from '../../domain/periods.ts'
import { isCardRequired } from '../../domain/session-submission.ts'
import type { Language } from '../languages/language.ts'

/** The terms of a subscription as texts for the customer; amounts in minor units. */
export interface SubscriptionTerms {
  /** For example `every month`. */
  readonly every: string
  readonly dueToday: number
  readonly dueLabel: string
  /** The schedule of the charges with their amounts. */
  readonly schedule: string
  readonly button: string
  readonly consent: string
}

/** Returns the terms of a checkout session if it is completed at `now`, in Unix seconds. */
export function describeTerms(session: CheckoutSession, now: number, language: Language): SubscriptionTerms {
  const { t, formatMoney } = language
  const every = describeInterval(session, language)
  const total = formatMoney(session.amount_total, session.currency)
  const isZero = session.amount_total === 0
  const isFree = isFreeToday(session, now)
  const common = {
    every,
    dueToday: isFree ? 0 : session.amount_total,
    schedule: describeSchedule(session, now, language),
  }
  if (!isCardRequired(session)) {
    return {
      ...common,
      dueLabel: t(isFree ? 'dueToday' : 'firstInvoice'),
      button: t('subscribe'),
      consent: t(isZero ? 'consentRenewal' : 'consentInvoice', { total, every }),
    }
  }
  return {
    ...common,
    dueLabel: t('totalDueToday'),
    button: isFree ? t('saveAndSubscribe') : t('payAndSubscribe', { amount: total }),
    consent: t(isZero ? 'consentSaving' : 'consentCharge', { total, every }),
  }
}

/** Returns the billing interval of a session's subscription, for example `every month`. */
export function describeInterval(
  { subscription_data }: CheckoutSession,
  { plural, messages }: Language,
): string {
  return plural(messages.every[subscription_data.interval], subscription_data.interval_count)
}

/** Returns the start of the next billing period in Unix seconds; the first period when the subscription starts later. */
export function nextPeriodStart(session: CheckoutSession, now: number): number {
  const schedule = scheduleOf(session, now)
  return periodStart(schedule, periodIndexAt(schedule, now) + 1)
}

function scheduleOf({ subscription_data }: CheckoutSession, now: number): BillingSchedule {
  const { interval, interval_count, start_date } = subscription_data
  return { anchor: start_date ?? now, interval, interval_count }
}

function describeSchedule(session: CheckoutSession, now: number, language: Language): string {
  const schedule = scheduleOf(session, now)
  const start = periodStart(schedule, periodIndexAt(schedule, now))
  const kind = isCardRequired(session) ? 'charged' : 'invoiced'
  const values = {
    total: language.formatMoney(session.amount_total, session.currency),
    every: describeInterval(session, language),
    next: language.formatDate(nextPeriodStart(session, now)),
    start: language.formatDate(start),
  }
  if (session.amount_total === 0) return language.t(`${kind}Never`, values)
  const isLater = hasFutureStart(session, now)
  const text = language.t(`${kind}${isLater ? 'Later' : start < now ? 'NowSince' : 'Now'}`, values)
  return kind === 'charged' ? text : `${text} ${describeDueDays(session, language)}`
}

function describeDueDays({ subscription_data }: CheckoutSession, { t, plural, messages }: Language): string {
  const days = subscription_data.days_until_due ?? 0
  return days === 0 ? t('payAtOnce') : plural(messages.payWithin, days)
}
