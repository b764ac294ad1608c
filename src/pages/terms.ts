import { isCardAsked } from '../domain/card-submission.ts'
import { type CheckoutSession, isFreeToday, startsLater } from '../domain/checkout-sessions.ts'
import { boundary, describeInterval, periodIndexAt, type Schedule } from '../domain/periods.ts'
import { formatMoney } from './amounts.ts'
import { formatDay } from './days.ts'

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
export function describeTerms(session: CheckoutSession, now: number): Terms {
  const every = everyPeriod(session)
  const total = formatMoney(session.amount_total, session.currency)
  const until = `${total} ${every} until the subscription is canceled.`
  const isCardless = !isCardAsked(session)
  if (isCardless) {
    const dueToday = startsLater(session, now) ? 0 : session.amount_total
    const consent = `By subscribing you agree to be invoiced ${until}`
    const words = { schedule: invoiceSchedule(session, now), button: 'Subscribe', consent }
    return { every, dueToday, dueLabel: dueToday === 0 ? 'Due today' : 'First invoice', ...words }
  }
  const isFree = isFreeToday(session, now)
  return {
    every,
    dueToday: isFree ? 0 : session.amount_total,
    dueLabel: 'Total due today',
    schedule: chargeSchedule(session, now),
    button: isFree ? 'Save card and subscribe' : `Pay ${total} and subscribe`,
    consent: `By subscribing you allow your card to be charged ${until}`,
  }
}

/** Says in English how often a session's subscription is billed, such as `every month`. */
export function everyPeriod({ subscription_data }: CheckoutSession): string {
  return describeInterval(subscription_data.interval, subscription_data.interval_count)
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

function chargeSchedule(session: CheckoutSession, now: number): string {
  const total = formatMoney(session.amount_total, session.currency)
  const every = everyPeriod(session)
  const next = formatDay(nextPeriodStart(session, now))
  if (session.amount_total === 0) {
    return `Nothing is charged: the total is ${total}. Your card is saved for the subscription, which renews ${every}.`
  }
  if (startsLater(session, now)) {
    return `Nothing is charged today. Your card is saved, and ${total} is charged on ${next}, then ${every}.`
  }
  return `${total} is charged today${currentPeriod(session, now)}. The next payment is on ${next}, then ${every}.`
}

function currentPeriod(session: CheckoutSession, now: number): string {
  const schedule = scheduleOf(session, now)
  const start = boundary(schedule, periodIndexAt(schedule, now))
  return start < now ? ` for the period that began on ${formatDay(start)}` : ''
}

function invoiceSchedule(session: CheckoutSession, now: number): string {
  const total = formatMoney(session.amount_total, session.currency)
  const every = everyPeriod(session)
  const next = formatDay(nextPeriodStart(session, now))
  if (startsLater(session, now)) {
    return `Nothing is due today. The first invoice, for ${total}, is sent on ${next}, then ${every}.`
  }
  const first = `An invoice for ${total}${currentPeriod(session, now)} is sent to you by email now, ${dueWords(session)}.`
  return `${first} The next one is sent on ${next}, then ${every}.`
}

function dueWords({ subscription_data }: CheckoutSession): string {
  const days = subscription_data.days_until_due ?? 0
  if (days === 0) return 'to be paid at once'
  return `to be paid within ${days === 1 ? 'a day' : `${days} days`}`
}
