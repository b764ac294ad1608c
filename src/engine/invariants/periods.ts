import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { type BillingSchedule, getPeriodIndex, getPeriodStart } from '../../domain/time/periods.ts'
import { createClockTimeLookup, type Invariant } from './snapshot.ts'
import {
  findTrialInvoiceProblems,
  findTrialPeriodProblems,
  hasHadTrial,
  isTrialInvoice,
  type SubscriptionWithTrial,
} from './trials.ts'

const MONTHS_OF = { day: 0, week: 0, month: 1, year: 12 }
const DAYS_OF = { day: 1, week: 7, month: 0, year: 0 }
const SECONDS_PER_DAY = 86_400

function scheduleOf({ billing_cycle_anchor, interval, interval_count }: Subscription): BillingSchedule {
  return { anchor: billing_cycle_anchor, interval, interval_count }
}

/** P17: the current period matches the period index, and contains the current time until the subscription is canceled. */
export const periodMatchesItsIndex: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  const resets = snapshot.records.invoices.filter(
    (invoice) => invoice.billing_reason === 'subscription_update' && isPeriodInvoice(invoice),
  )
  const resetIds = new Set(resets.map(({ subscription }) => subscription))
  for (const subscription of snapshot.records.subscriptions) {
    const { id, status, period_index, current_period_start, current_period_end } = subscription
    const { start_date } = subscription
    const now = timeOf(subscription.test_clock)
    yield* anchorProblems(subscription, resetIds.has(id))
    if (current_period_start === null || current_period_end === null) {
      const isUnstarted = period_index === -1 && current_period_start === current_period_end
      if (!isUnstarted || !['pending', 'paused', 'canceled'].includes(status))
        yield `${id}: ${status} without a period`
      if (status === 'pending' && now !== null && start_date <= now)
        yield `${id}: not started at ${start_date}`
      continue
    }
    if (hasHadTrial(subscription) && (status === 'trialing' || period_index === -1)) {
      yield* findTrialPeriodProblems(subscription, now)
      continue
    }
    const schedule = scheduleOf(subscription)
    const start = getPeriodStart(schedule, period_index)
    const end = getPeriodStart(schedule, period_index + 1)
    if (period_index < 0 || current_period_start !== start || current_period_end !== end)
      yield `${id}: period ${period_index} is not ${current_period_start} to ${current_period_end}`
    const isOutside = now !== null && (now < start || now >= end)
    if (status !== 'canceled' && isOutside) yield `${id}: ${now} is outside its period`
  }
}

// A subscription that was paused after its trial is anchored at its resumption. A subscription with a new interval is
// anchored at the time of that change.
function* anchorProblems(subscription: Subscription, wasReset: boolean): Generator<string> {
  const { id, status, billing_cycle_anchor: anchor, start_date, trial_end, trial_settings } = subscription
  const planned = hasHadTrial(subscription) ? trial_end : start_date
  const wasResumed = trial_settings?.missing_payment_method === 'pause' && status !== 'trialing'
  const isMoved = (wasReset || wasResumed) && anchor > (planned ?? 0)
  if (anchor !== planned && !isMoved) yield `${id}: anchored at ${anchor}`
}

/**
 * P18: each period has exactly one invoice, created when the period started. An invoice with new periods, after a change of
 * the interval or the billing anchor, starts a new series.
 */
export const eachPeriodHasOneInvoice: Invariant = function* ({ records }) {
  const invoicesOf = Map.groupBy(records.invoices, ({ subscription }) => subscription)
  for (const subscription of records.subscriptions) {
    const { id, latest_invoice } = subscription
    const all = [...(invoicesOf.get(id) ?? [])].sort((a, b) => a.created - b.created)
    const trial = all.filter((invoice) => isTrialInvoice(invoice, subscription))
    const invoices = all.filter((invoice) => !trial.includes(invoice))
    if (hasHadTrial(subscription)) yield* trialInvoicesProblems(subscription, trial)
    const latest = invoices.at(-1) ?? trial[0] ?? null
    if (latest_invoice !== (latest?.id ?? null)) yield `${id}: ${latest_invoice} is not its latest`
    const periodic = invoices.filter(isPeriodInvoice)
    const start = Math.max(
      0,
      periodic.findLastIndex(({ billing_reason }) => billing_reason === 'subscription_update'),
    )
    yield* seriesProblems(subscription, periodic.slice(start))
    yield* earlierSeriesProblems(periodic.slice(0, start + 1))
  }
}

/** Returns whether an invoice bills a period, not only prorations and other invoice items. */
function isPeriodInvoice({ lines }: Invoice): boolean {
  return lines.some(({ invoice_item = null }) => invoice_item === null)
}

function* seriesProblems(subscription: Subscription, invoices: readonly Invoice[]): Generator<string> {
  const { id, period_index, created } = subscription
  const schedule = scheduleOf(subscription)
  const isReset = invoices[0]?.billing_reason === 'subscription_update'
  const isCreation = !isReset && !hasHadTrial(subscription)
  const firstReason = isReset
    ? 'subscription_update'
    : isCreation
      ? 'subscription_create'
      : 'subscription_cycle'
  const first = isReset ? 0 : Math.max(0, getPeriodIndex(schedule, created))
  const wanted = Math.max(0, period_index - first + 1)
  if (invoices.length !== wanted) yield `${id}: ${invoices.length} invoices for ${wanted} periods`
  for (const [at, invoice] of invoices.entries()) {
    const start = getPeriodStart(schedule, first + at)
    const end = getPeriodStart(schedule, first + at + 1)
    if (invoice.billing_reason !== (at === 0 ? firstReason : 'subscription_cycle'))
      yield `${invoice.id}: its billing reason is ${invoice.billing_reason}`
    // Only a first period may start before the creation of its invoice: in the past, or at an earlier `proration_date`.
    const begun = at === 0 && isCreation ? Math.max(start, created) : start
    const isOnTime = at === 0 && isReset ? invoice.created >= start : invoice.created === begun
    if (!isOnTime) yield `${invoice.id}: created at ${invoice.created}, not ${begun}`
    yield* periodProblems(invoice, { start, end })
  }
}

// The schedule of earlier periods is not known, but each period starts within the previous period or at its end.
function* earlierSeriesProblems(invoices: readonly Invoice[]): Generator<string> {
  for (const [at, { id, period_start, billing_reason }] of invoices.entries()) {
    const before = invoices[at - 1]
    if (before === undefined) continue
    const isReset = billing_reason === 'subscription_update'
    const isInside = period_start >= before.period_start && period_start < before.period_end
    const follows = isReset ? isInside : period_start === before.period_end
    if (!follows) yield `${id}: its period starts at ${period_start}, after that of ${before.id}`
  }
}

function* trialInvoicesProblems(
  subscription: SubscriptionWithTrial,
  invoices: readonly Invoice[],
): Generator<string> {
  if (invoices.length !== 1) yield `${subscription.id}: its trial has ${invoices.length} invoices`
  for (const invoice of invoices) yield* findTrialInvoiceProblems(invoice, subscription)
}

function* periodProblems(
  { id, period_start, period_end, lines }: Invoice,
  { start, end }: { readonly start: number; readonly end: number },
): Generator<string> {
  if (period_start !== start || period_end !== end)
    yield `${id}: ${period_start} to ${period_end}, not ${start} to ${end}`
  for (const line of lines) {
    // The period of an invoice item is independent of the invoice.
    if (line.invoice_item !== null) continue
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

// Checks a boundary with the calendar, independently of the arithmetic that created the periods.
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
