import type { Invoice } from '../../domain/invoices.ts'
import { type BillingSchedule, periodIndexAt, periodStart } from '../../domain/periods.ts'
import type { Subscription } from '../../domain/subscriptions.ts'
import { clockTimesOf, type Invariant } from './snapshot.ts'
import {
  hadTrial,
  isTrialInvoice,
  type SubscriptionWithTrial,
  trialInvoiceProblems,
  trialPeriodProblems,
} from './trials.ts'

const MONTHS_OF = { day: 0, week: 0, month: 1, year: 12 }
const DAYS_OF = { day: 1, week: 7, month: 0, year: 0 }
const SECONDS_PER_DAY = 86_400

function scheduleOf({ billing_cycle_anchor, interval, interval_count }: Subscription): BillingSchedule {
  return { anchor: billing_cycle_anchor, interval, interval_count }
}

/** P17: the current period matches the period index, and contains the current time until the subscription is canceled. */
export const periodMatchesItsIndex: Invariant = function* (snapshot) {
  const timeOf = clockTimesOf(snapshot)
  for (const subscription of snapshot.records.subscriptions) {
    const { id, status, period_index, current_period_start, current_period_end } = subscription
    const { start_date } = subscription
    const now = timeOf(subscription.test_clock)
    yield* anchorProblems(subscription)
    if (current_period_start === null || current_period_end === null) {
      const isUnstarted = period_index === -1 && current_period_start === current_period_end
      if (!isUnstarted || !['pending', 'paused', 'canceled'].includes(status))
        yield `${id}: ${status} without a period`
      if (status === 'pending' && now !== null && start_date <= now)
        yield `${id}: not started at ${start_date}`
      continue
    }
    if (hadTrial(subscription) && (status === 'trialing' || period_index === -1)) {
      yield* trialPeriodProblems(subscription, now)
      continue
    }
    const schedule = scheduleOf(subscription)
    const start = periodStart(schedule, period_index)
    const end = periodStart(schedule, period_index + 1)
    if (period_index < 0 || current_period_start !== start || current_period_end !== end)
      yield `${id}: period ${period_index} is not ${current_period_start} to ${current_period_end}`
    const isOutside = now !== null && (now < start || now >= end)
    if (status !== 'canceled' && isOutside) yield `${id}: ${now} is outside its period`
  }
}

// A subscription that was paused after its trial is anchored at its resumption.
function* anchorProblems(subscription: Subscription): Generator<string> {
  const { id, status, billing_cycle_anchor: anchor, start_date, trial_end, trial_settings } = subscription
  const planned = hadTrial(subscription) ? trial_end : start_date
  const wasResumed = trial_settings?.missing_payment_method === 'pause' && status !== 'trialing'
  if (anchor !== planned && !(wasResumed && anchor > (planned ?? 0))) yield `${id}: anchored at ${anchor}`
}

/** P18: each period has exactly one invoice, created when the period started. */
export const eachPeriodHasOneInvoice: Invariant = function* ({ records }) {
  const invoicesOf = Map.groupBy(records.invoices, ({ subscription }) => subscription)
  for (const subscription of records.subscriptions) {
    const { id, period_index, latest_invoice } = subscription
    const schedule = scheduleOf(subscription)
    const first = Math.max(0, periodIndexAt(schedule, subscription.created))
    const all = invoicesOf.get(id) ?? []
    const invoices = all
      .filter((invoice) => !isTrialInvoice(invoice, subscription))
      .sort((a, b) => a.period_start - b.period_start)
    const trial = all.filter((invoice) => isTrialInvoice(invoice, subscription))
    if (hadTrial(subscription)) yield* trialInvoicesProblems(subscription, trial)
    const latest = invoices.at(-1) ?? trial[0] ?? null
    if (latest_invoice !== (latest?.id ?? null)) yield `${id}: ${latest_invoice} is not its latest`
    const wanted = Math.max(0, period_index - first + 1)
    if (invoices.length !== wanted) yield `${id}: ${invoices.length} invoices for ${wanted} periods`
    for (const [at, invoice] of invoices.entries()) {
      const start = periodStart(schedule, first + at)
      const end = periodStart(schedule, first + at + 1)
      const isFirst = at === 0 && !hadTrial(subscription)
      const reason = isFirst ? 'subscription_create' : 'subscription_cycle'
      if (invoice.billing_reason !== reason)
        yield `${invoice.id}: its billing reason is ${invoice.billing_reason}`
      // Only the first period may start before the subscription was created.
      const begun = isFirst ? Math.max(start, subscription.created) : start
      if (invoice.created !== begun) yield `${invoice.id}: created at ${invoice.created}, not ${begun}`
      yield* periodProblems(invoice, { start, end })
    }
  }
}

function* trialInvoicesProblems(
  subscription: SubscriptionWithTrial,
  invoices: readonly Invoice[],
): Generator<string> {
  if (invoices.length !== 1) yield `${subscription.id}: its trial has ${invoices.length} invoices`
  for (const invoice of invoices) yield* trialInvoiceProblems(invoice, subscription)
}

function* periodProblems(
  { id, period_start, period_end, lines }: Invoice,
  { start, end }: { readonly start: number; readonly end: number },
): Generator<string> {
  if (period_start !== start || period_end !== end)
    yield `${id}: ${period_start} to ${period_end}, not ${start} to ${end}`
  for (const line of lines) {
    // An invoice item has a period of its own; lines of older versions have no such field.
    if (line.invoice_item) continue
    if (line.period.start !== start || line.period.end !== end)
      yield `${id}: ${line.id} has a different period`
  }
}

/** P19: periods start before they end, and keep the anchor's time of day and, where it exists, day of the month. */
export const periodsFollowTheCalendar: Invariant = function* ({ records }) {
  for (const subscription of records.subscriptions) {
    const { id, current_period_start: start, current_period_end: end, period_index } = subscription
    if (start === null || end === null || period_index < 0) continue
    if (start >= end) yield `${id}: its period ends before it starts`
    if (!isBoundary(subscription, start, period_index)) yield `${id}: its period starts at ${start}`
    if (!isBoundary(subscription, end, period_index + 1)) yield `${id}: its period ends at ${end}`
  }
}

// Uses the calendar, independently of the arithmetic that created the periods.
function isBoundary(subscription: Subscription, time: number, index: number): boolean {
  const { billing_cycle_anchor: anchor, interval, interval_count } = subscription
  const count = index * interval_count
  const days = DAYS_OF[interval] * count
  const [then, from] = [new Date(time * 1000), new Date(anchor * 1000)]
  if (days > 0) return time - anchor === days * SECONDS_PER_DAY
  const months = monthOf(then) - monthOf(from)
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const isSameTime = then.toISOString().slice(11) === from.toISOString().slice(11)
  return months === MONTHS_OF[interval] * count && then.getUTCDate() === day && isSameTime
}

function monthOf(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
