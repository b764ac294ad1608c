import type { Statistics } from '../../src/domain/reports/statistics.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'

type Interval = Statistics['interval']
type Counts = Map<string, { count: number; amount: bigint }>

const MONDAY = 1
const DAYS_PER_WEEK = 7

/** Returns the first day of the interval that contains a time, as an ISO 8601 date. */
export function firstDay(interval: Interval, seconds: number): string {
  const date = new Date(seconds * 1000)
  if (interval === 'month') date.setUTCDate(1)
  if (interval === 'week')
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() - MONDAY + DAYS_PER_WEEK) % DAYS_PER_WEEK))
  return date.toISOString().slice(0, 10)
}

/** Counts and adds up all payments, refunds and disputes of a snapshot in a range, by interval, currency and outcome. */
export function scanTotals({ records }: Snapshot, of: Statistics): string[] {
  const counts: Counts = new Map()
  const disputes = records.disputes
    .filter(({ status }) => !status.startsWith('warning_'))
    .map((one) => ({ ...one, status: one.closed_at === null ? 'open' : one.status }))
  for (const record of [...records.payments, ...records.refunds, ...disputes]) {
    if (record.test_clock !== of.test_clock || record.created < of.start || record.created >= of.end) continue
    const { object, currency, status, created } = record
    const counted = object === 'payment' && status === 'succeeded' ? record.amount_captured : record.amount
    const key = `${firstDay(of.interval, created)} ${currency} ${object} ${status}`
    const { count, amount } = counts.get(key) ?? { count: 0, amount: 0n }
    counts.set(key, { count: count + 1, amount: amount + BigInt(counted) })
  }
  return Array.from(counts, ([key, { count, amount }]) => `${key} ${count} ${amount}`).sort()
}

/** Returns the totals of statistics in the form of `scanTotals`. */
export function listTotals({ data, interval }: Statistics): string[] {
  const lines = data.flatMap(({ start, currencies }) =>
    currencies.flatMap(({ currency, payments, refunds, disputes }) =>
      Object.entries({ payment: payments, refund: refunds, dispute: disputes }).flatMap(
        ([object, byStatus]) =>
          Object.entries(byStatus)
            .filter(([, { count }]) => count > 0)
            .map(
              ([status, { count, amount }]) =>
                `${firstDay(interval, start)} ${currency} ${object} ${status} ${count} ${amount}`,
            ),
      ),
    ),
  )
  return lines.sort()
}

const YEARLY = { day: 365n, week: 52n, month: 12n, year: 1n }

type BilledSubscription = Snapshot['records']['subscriptions'][number]

function discountOf(price: bigint, { discount, current_period_start: start }: BilledSubscription): bigint {
  if (discount === null || discount.duration === 'once' || start === null) return 0n
  if (start < discount.start || (discount.end !== null && start >= discount.end)) return 0n
  const { percent_off: percent, amount_off } = discount
  if (percent !== null) return (price * BigInt(Math.round(percent * 100)) + 5000n) / 10_000n
  const amount = BigInt(amount_off ?? 0)
  return amount < price ? amount : price
}

/** Returns the monthly recurring revenue and the subscriptions by status of a snapshot. */
export function scanSubscriptions({ records }: Snapshot, clock: string | null) {
  const revenue = new Map<string, { amount: bigint; subscriptions: number }>()
  const statuses = new Map<string, number>()
  for (const one of records.subscriptions.filter(({ test_clock }) => test_clock === clock)) {
    statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
    if (one.status !== 'active' && one.status !== 'past_due') continue
    let price = 0n
    for (const { quantity, price_data } of one.items) price += BigInt(quantity) * BigInt(price_data.amount)
    price -= discountOf(price, one)
    const twelfths = price * YEARLY[one.interval]
    const divisor = 12n * BigInt(one.interval_count)
    const rest = twelfths % divisor
    const monthly = twelfths / divisor + (rest * 2n >= divisor ? 1n : 0n)
    const before = revenue.get(one.currency) ?? { amount: 0n, subscriptions: 0 }
    revenue.set(one.currency, { amount: before.amount + monthly, subscriptions: before.subscriptions + 1 })
  }
  const recurring = Array.from(revenue, ([currency, { amount, subscriptions }]) => ({
    ...{ currency, amount: Number(amount), subscriptions },
  }))
  return {
    revenue: recurring.sort((a, b) => (a.currency < b.currency ? -1 : 1)),
    statuses: Object.fromEntries(statuses),
  }
}

/** Returns the dunning funnel of a snapshot; the events of an invoice show whether a charge of it failed. */
export function scanDunning({ records }: Snapshot, of: Statistics): Statistics['dunning'] {
  const isFailure = (type: string) =>
    type === 'invoice.payment_failed' || type === 'invoice.payment_action_required'
  const failed = new Set(
    records.events.flatMap(({ type, data }) => (isFailure(type) ? [(data.object as { id: string }).id] : [])),
  )
  const ended = records.payments.filter(({ status }) => status !== 'succeeded' && status !== 'processing')
  const debits = records.payments.filter(
    ({ status, payment_method_details: { sepa_debit } }) =>
      sepa_debit !== null && (status === 'succeeded' || status === 'processing'),
  )
  const debited = new Map(debits.map(({ invoice, created }) => [invoice, created]))
  const unpaid = new Set(ended.map(({ invoice }) => invoice))
  const found = records.invoices.filter(
    ({ id, status, created, test_clock, collection_method, attempted, paid_at, finalized_at }) => {
      const isOwn = test_clock === of.test_clock && created >= of.start && created < of.end
      const chargedAt = debited.get(id) ?? paid_at
      // A failed charge without a card has no payment, and a charge that needs authentication has a succeeded payment.
      // If the invoice is paid or debited in the same second, statistics count both as a first charge that succeeded.
      const isCharged = status === 'paid' || debited.has(id)
      const isFailed = isCharged ? chargedAt !== finalized_at || unpaid.has(id) : failed.has(id)
      return isOwn && attempted && collection_method === 'charge_automatically' && isFailed
    },
  )
  const last = Math.max(0, ...found.map(({ attempt_count }) => attempt_count))
  return Array.from({ length: last }, (_, index) => {
    const attempt = index + 1
    const here = found.filter(({ attempt_count }) => attempt_count === attempt)
    const open = here.filter(
      ({ id, status, next_payment_attempt: next }) => next !== null || (status === 'open' && debited.has(id)),
    ).length
    const recovered = here.filter(({ status }) => status === 'paid').length
    return {
      attempt,
      reached: found.filter(({ attempt_count }) => attempt_count >= attempt).length,
      ...{ recovered, open, lost: here.length - open - recovered },
    }
  })
}

type Statement = NonNullable<Statistics['history']>[number]
type SubscriptionRecord = Snapshot['records']['subscriptions'][number]

/** Returns the history of a snapshot up to a time in Unix seconds, from the events and the records. */
export function scanHistory({ records }: Snapshot, of: Statistics, now: number): readonly Statement[] {
  const isOwn = ({ test_clock }: { readonly test_clock: string | null }) => test_clock === of.test_clock
  const log = records.events.filter(isOwn).toSorted((a, b) => a.sequence - b.sequence)
  const subscriptions = records.subscriptions.filter(isOwn)
  const started = of.data.filter(({ start }) => start <= now)
  return started.map(({ start, end }) => {
    const isIn = (time: number | null) => time !== null && time >= start && time < end
    const states = new Map<string, SubscriptionRecord>()
    for (const { type, created, data } of log)
      if (type.startsWith('subscription.') && created < end) states.set(data.object.id, data.object as never)
    const { revenue } = scanSubscriptions(
      { records: { subscriptions: [...states.values()] } } as never,
      of.test_clock,
    )
    const created = subscriptions.filter((one) => isIn(one.created))
    const steps = scanDunning({ records } as Snapshot, { ...of, start, end })
    const sum = (name: 'recovered' | 'open' | 'lost') => steps.reduce((all, step) => all + step[name], 0)
    const taxes = new Map<string, Statement['taxes'][number]>()
    for (const invoice of records.invoices.filter((one) => isOwn(one) && isIn(one.paid_at)))
      for (const { tax_percent, amount } of invoice.taxes) {
        const { currency } = invoice
        const key = `${currency} ${String(tax_percent.toFixed(4)).padStart(9)}`
        taxes.set(key, { currency, tax_percent, amount: amount + (taxes.get(key)?.amount ?? 0) })
      }
    return {
      ...{ start, created: created.length, ended: subscriptions.filter((one) => isIn(one.ended_at)).length },
      remaining: started
        .filter((later) => later.start >= start)
        .map((later) => created.filter((one) => (one.ended_at ?? Infinity) >= later.end).length),
      dunning: { recovered: sum('recovered'), open: sum('open'), lost: sum('lost') },
      recurring_revenue: revenue,
      taxes: [...taxes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
    }
  })
}
