import { isCardAsked } from '../../domain/card-submission.ts'
import { type CheckoutSession, isFreeToday, startsLater } from '../../domain/checkout-sessions.ts'
import { boundary, periodIndexAt, type Schedule } from '../../domain/periods.ts'
import type { Language } from '../languages/language.ts'

/** What a subscription asks of its buyer, in words; amounts in minor units. */
export interface Terms {
  /** Such as `every month`. */
  readonly every: string
  readonly dueToday: number
  readonly dueLabel: string
  /** What is charged when. */
  readonly schedule: string
  readonly button: string
  readonly consent: string
}

/** Says what a checkout session asks of its buyer if it is completed now, in Unix seconds. */
export function describeTerms(session: CheckoutSession, now: number, language: Language): Terms {
  const { say, money } = language
  const every = everyPeriod(session, language)
  const total = money(session.amount_total, session.currency)
  const isNothing = session.amount_total === 0
  if (!isCardAsked(session)) {
    const isFree = isFreeToday(session, now)
    return {
      every,
      dueToday: isFree ? 0 : session.amount_total,
      dueLabel: say(isFree ? 'dueToday' : 'firstInvoice'),
      schedule: invoiceSchedule(session, now, language),
      button: say('subscribe'),
      consent: say(isNothing ? 'consentRenewal' : 'consentInvoice', { total, every }),
    }
  }
  const isFree = isFreeToday(session, now)
  return {
    every,
    dueToday: isFree ? 0 : session.amount_total,
    dueLabel: say('totalDueToday'),
    schedule: chargeSchedule(session, now, language),
    button: isFree ? say('saveAndSubscribe') : say('payAndSubscribe', { amount: total }),
    consent: say(isNothing ? 'consentSaving' : 'consentCharge', { total, every }),
  }
}

/** Says how often a session's subscription is billed, such as `every month`. */
export function everyPeriod({ subscription_data }: CheckoutSession, { count, messages }: Language): string {
  return count(messages.every[subscription_data.interval], subscription_data.interval_count)
}

/** When the next period begins, in Unix seconds: the first one for a start that lies ahead. */
export function nextPeriodStart(session: CheckoutSession, now: number): number {
  const schedule = scheduleOf(session, now)
  return boundary(schedule, periodIndexAt(schedule, now) + 1)
}

function scheduleOf({ subscription_data }: CheckoutSession, now: number): Schedule {
  const { interval, interval_count, start_date } = subscription_data
  return { anchor: start_date ?? now, interval, interval_count }
}

function chargeSchedule(session: CheckoutSession, now: number, language: Language): string {
  const values = scheduleValues(session, now, language)
  if (session.amount_total === 0) return language.say('chargedNever', values)
  if (startsLater(session, now)) return language.say('chargedLater', values)
  return language.say(values.start === '' ? 'chargedNow' : 'chargedNowSince', values)
}

function invoiceSchedule(session: CheckoutSession, now: number, language: Language): string {
  const values = scheduleValues(session, now, language)
  if (session.amount_total === 0) return language.say('invoicedNever', values)
  const due = dueWords(session, language)
  if (startsLater(session, now)) return `${language.say('invoicedLater', values)} ${due}`
  return `${language.say(values.start === '' ? 'invoicedNow' : 'invoicedNowSince', values)} ${due}`
}

/** What sentences about the schedule are made of; `start` is empty unless the period that is billed began before. */
function scheduleValues(session: CheckoutSession, now: number, language: Language) {
  const schedule = scheduleOf(session, now)
  const began = boundary(schedule, periodIndexAt(schedule, now))
  return {
    total: language.money(session.amount_total, session.currency),
    every: everyPeriod(session, language),
    next: language.day(nextPeriodStart(session, now)),
    start: began < now && !startsLater(session, now) ? language.day(began) : '',
  }
}

function dueWords({ subscription_data }: CheckoutSession, { say, count, messages }: Language): string {
  const days = subscription_data.days_until_due ?? 0
  return days === 0 ? say('payAtOnce') : count(messages.payWithin, days)
}
