import { getMonthStart } from '../../../src/cli/simulate/plan.ts'
import type { TotalsRow } from '../../../src/cli/simulate/totals.ts'
import { toTotalsCsv } from '../../../src/cli/simulate/totals-view.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import type { Dispute } from '../../../src/domain/payments/disputes.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import type { Refund } from '../../../src/domain/payments/refunds.ts'
import { scanSubscriptions } from '../../property/statistics-scan.ts'
import { openDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { readEvents, simulate } from './simulated.ts'

const test = suite('cli/simulate/totals', {}, 120_000)

const MONTHS = 3

function monthOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 7)
}

/** Returns the start of a month, a number of months after the month of a time. */
function monthAfter(seconds: number, months: number): number {
  const date = new Date(seconds * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000
}

/** Counts the totals from the event log alone, as lines of the CSV. */
function recount(log: readonly Event[], clock: string): string[] {
  const sums = new Map<string, number>()
  const add = (value: number, ...key: (string | number)[]) =>
    sums.set(key.join(), (sums.get(key.join()) ?? 0) + value)
  const invoices = new Map<string, Invoice>()
  const failed = new Set<string>()
  const subscriptions = new Map<string, Subscription>()
  const ends = Array.from({ length: MONTHS }, (_, month) => getMonthStart(month + 1))
  const endMonth = () => {
    const month = monthOf((ends.shift() ?? 0) - 1)
    const snapshot = { records: { subscriptions: [...subscriptions.values()] } }
    const { revenue } = scanSubscriptions(snapshot as never, clock)
    for (const { currency, amount } of revenue) add(amount, month, 'mrr', currency, '')
  }
  for (const { type, created, data } of log.filter(({ test_clock }) => test_clock === clock)) {
    while (created >= (ends[0] ?? Infinity)) endMonth()
    const month = monthOf(created)
    if (type === 'payment.succeeded') {
      const { amount_captured, currency } = data.object as unknown as Payment
      add(amount_captured, month, 'revenue', currency, '')
    } else if (type === 'refund.created') {
      const { amount, currency } = data.object as unknown as Refund
      add(amount, month, 'refunded', currency, '')
    } else if (type === 'dispute.created') {
      const { amount, currency } = data.object as unknown as Dispute
      add(amount, month, 'disputed', currency, '')
    } else if (type.startsWith('invoice.')) {
      const invoice = data.object as unknown as Invoice
      invoices.set(invoice.id, invoice)
      if (type === 'invoice.payment_failed') failed.add(invoice.id)
      if (type === 'invoice.paid')
        for (const { tax_percent, amount } of invoice.taxes)
          add(amount, month, 'tax', invoice.currency, tax_percent)
    } else if (type.startsWith('subscription.')) {
      const subscription = data.object as unknown as Subscription
      subscriptions.set(subscription.id, subscription)
      if (type === 'subscription.created') add(1, month, 'new_subscriptions', '', '')
      if (type === 'subscription.canceled') add(1, month, 'churned_subscriptions', '', '')
    }
  }
  while (ends.length > 0) endMonth()
  for (const { id, status, created, next_payment_attempt: next } of invoices.values()) {
    if (!failed.has(id)) continue
    const result = status === 'paid' ? 'recovered' : next === null ? 'exhausted' : 'open'
    add(1, monthOf(created), 'dunning_failed', '', '')
    add(1, monthOf(created), `dunning_${result}`, '', '')
  }
  for (const { created, ended_at } of subscriptions.values())
    for (let months = 1; monthAfter(created, months - 1) < getMonthStart(MONTHS); months += 1)
      if ((ended_at ?? Infinity) >= monthAfter(created, months))
        add(1, monthOf(created), `remaining_${months}`, '', '')
  return [...sums].filter(([, value]) => value !== 0).map(([key, value]) => `${key},${value}`)
}

test('each total equals a recount of the event log', async () => {
  const daemon = await openDaemon({ db: null })
  const { clock, readTotals } = await simulate(daemon.client, { months: MONTHS, customers: 60, seed: '13' })
  const { rows } = await readTotals()
  const log = await readEvents(daemon.client)
  await daemon.stop()
  const [header, ...lines] = toTotalsCsv(rows).trimEnd().split('\n')
  assert.is(header, 'month,figure,currency,tax_percent,value')
  assert.equal(lines.toSorted(), recount(log, clock).toSorted())
  const figures = new Set(rows.map(({ figure }: TotalsRow) => figure))
  assert.is(figures.size, 11 + MONTHS, [...figures].join())
})

test.run()
