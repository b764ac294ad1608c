import type { InvoiceItem } from '../../domain/billing/invoice-items.ts'
import type { InvoiceLine } from '../../domain/billing/invoices.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import { INVOICE_COUNTER_ID } from '../../domain/core/counters.ts'
import { isNullable, type Schema } from '../../domain/core/schema.ts'
import { EVENT_OBJECT_SCHEMAS, type Event, type EventData } from '../../domain/events/events.ts'
import type { Discount } from '../../domain/sessions/discounts.ts'
import { isAmountField } from '../../domain/text/field-names.ts'
import {
  findOwnerMismatches,
  type Invariant,
  isEventHistoryTruncated,
  iterateNestedValues,
  type Snapshot,
} from './snapshot.ts'
import { hasHadTrial, isTrialInvoice } from './trials.ts'

/** The objects whose prices, taxes and totals may be negative. Amounts to pay are never negative. */
const OBJECTS_WITH_CREDITS = new Set(['invoice', 'invoice_item'])
const AMOUNT_TO_PAY = /^(amount_\w+|quantity)$/

/** P1: every amount is a safe integer, or null where its schema allows it, and only credits are negative. */
export const amountsAreIntegers: Invariant = function* ({ records }) {
  for (const record of Object.values(records).flat()) {
    const { object } = 'data' in record ? record.data.object : record
    for (const { path, field, value } of iterateNestedValues(record)) {
      if (!isAmountField(field) && field !== 'quantity') continue
      if (value === null && isNullable(schemaAt(object, path))) continue
      const maySubtract = OBJECTS_WITH_CREDITS.has(object) && !AMOUNT_TO_PAY.test(field)
      const isWhole = Number.isSafeInteger(value) && (maySubtract || Number(value) >= 0)
      if (!isWhole) yield `${record.id}: ${path} is ${JSON.stringify(value)}`
    }
  }
}

/** Returns the schema at a path of an object or of its event, or undefined for an unknown path. */
function schemaAt(object: string, path: string): Schema<unknown> | undefined {
  const names = path.replace(/^data\.(?:object|previous_attributes)\./, '').split('.')
  const schemas: Readonly<Record<string, Schema<unknown>>> = EVENT_OBJECT_SCHEMAS
  return names.reduce((at, name) => at?.properties?.[name] ?? at?.items, schemas[object])
}

/**
 * P2: the amount of each line, except of a proration, is its quantity times its unit price. Its tax is its amount times
 * its tax rate, rounded half up, and its total is the sum of both. A discount is subtracted from the amount first.
 */
export const linesAddUp: Invariant = function* ({ records }) {
  for (const { id, lines } of records.invoices) {
    for (const line of lines) yield* lineProblems(id, line)
  }
  for (const item of records.invoice_items) {
    if (!isDeleted(item)) yield* lineProblems(item.id, item)
  }
  for (const { id, subscription_data } of records.checkout_sessions) {
    for (const [at, item] of subscription_data.items.entries()) {
      const { amount, tax_percent } = item.price_data
      const { amount_subtotal, amount_discount, amount_tax, amount_total } = item
      const net = amount_subtotal - amount_discount
      const tax = taxOf(net, tax_percent)
      if (amount_subtotal !== item.quantity * amount) yield `${id}: amount of item ${at}`
      if (BigInt(amount_tax) !== tax) yield `${id}: tax of item ${at} is ${amount_tax}, not ${tax}`
      if (amount_total !== net + amount_tax) yield `${id}: total of item ${at}`
    }
  }
}

function* lineProblems(owner: string, line: InvoiceLine | InvoiceItem): Generator<string> {
  const { id, amount, unit_amount, tax_percent, tax_amount, total } = line
  if (!line.proration && amount !== line.quantity * unit_amount)
    yield `${owner}: amount of ${id} is ${amount}`
  const net = amount - ('discount_amount' in line ? line.discount_amount : 0)
  const tax = taxOf(net, tax_percent)
  if (BigInt(tax_amount) !== tax) yield `${owner}: tax of ${id} is ${tax_amount}, not ${tax}`
  if (total !== net + tax_amount) yield `${owner}: total of ${id} is ${total}`
}

// The result is exact: uses the decimal digits of the rate instead of floating-point arithmetic.
function taxOf(amount: number, percent: number): bigint {
  const [whole = '', fraction = ''] = String(percent).split('.')
  const numerator = BigInt(whole + fraction)
  const denominator = 100n * 10n ** BigInt(fraction.length)
  const size = (2n * BigInt(Math.abs(amount)) * numerator + denominator) / (2n * denominator)
  return amount < 0 ? -size : size
}

/** P3: the totals of invoices and sessions are the sums of their lines. */
export const totalsAddUp: Invariant = function* ({ records }) {
  for (const { id, lines, taxes, subtotal, discount_amount, tax, total } of records.invoices) {
    const net = subtotal - discount_amount
    if (subtotal !== sum(lines, 'amount')) yield `${id}: subtotal is ${subtotal}`
    if (tax !== sum(lines, 'tax_amount')) yield `${id}: tax is ${tax}`
    if (tax !== sum(taxes, 'amount')) yield `${id}: taxes by rate do not add up to ${tax}`
    if (discount_amount !== sum(lines, 'discount_amount'))
      yield `${id}: discount_amount is ${discount_amount}`
    if (net !== sum(taxes, 'taxable_amount')) yield `${id}: taxable amounts do not add up to ${net}`
    if (total !== net + tax) yield `${id}: total is ${total}`
  }
  for (const session of records.checkout_sessions) {
    for (const field of ['amount_subtotal', 'amount_discount', 'amount_tax', 'amount_total'] as const) {
      if (session[field] !== sum(session.subscription_data.items, field)) yield `${session.id}: ${field}`
    }
  }
}

function sum<F extends string>(parts: readonly { readonly [K in F]: number }[], field: F): number {
  return parts.reduce((total, part) => total + part[field], 0)
}

/** P5: the amount due is the total without credit, but not negative, and is paid in full or not at all. */
export const invoicesArePaidInFull: Invariant = function* ({ records }) {
  for (const invoice of records.invoices) {
    const { id, total, amount_due, amount_paid, amount_remaining } = invoice
    const due = Math.max(0, total - Math.max(0, invoice.balance_applied))
    if (amount_due !== due) yield `${id}: amount_due is ${amount_due}, not ${due}`
    if (amount_remaining !== amount_due - amount_paid) yield `${id}: amount_remaining is ${amount_remaining}`
    if (amount_paid !== 0 && amount_paid !== amount_due)
      yield `${id}: amount_paid is ${amount_paid} of ${amount_due}`
  }
}

/**
 * P6: a paid invoice has no remaining amount, other invoices have no paid amount, and an open invoice has an amount
 * due.
 */
export const invoiceStatusMatchesAmounts: Invariant = function* ({ records }) {
  for (const { id, status, amount_due, amount_paid, amount_remaining } of records.invoices) {
    if (status === 'paid' && amount_remaining !== 0) yield `${id}: paid, but ${amount_remaining} remain`
    if (status !== 'paid' && amount_paid !== 0) yield `${id}: ${status}, but ${amount_paid} was paid`
    if (status === 'open' && amount_due === 0) yield `${id}: open, but nothing is due`
  }
}

/** P7: a paid invoice has one succeeded payment of the amount due, unless the amount is 0 or was paid out of band. */
export const paidInvoicesHaveOnePayment: Invariant = function* ({ records }) {
  const succeeded = Map.groupBy(
    records.payments.filter(({ status }) => status === 'succeeded'),
    ({ invoice }) => invoice,
  )
  for (const invoice of records.invoices) {
    const payments = succeeded.get(invoice.id) ?? []
    const isCharged = invoice.status === 'paid' && invoice.amount_due > 0 && !invoice.paid_out_of_band
    const wanted = isCharged ? 1 : 0
    if (payments.length !== wanted)
      yield `${invoice.id}: ${payments.length} succeeded payments, not ${wanted}`
    if (payments.some((payment) => payment.amount_captured !== invoice.amount_due))
      yield `${invoice.id}: paid with a different amount`
  }
}

/**
 * P8: the refunded amount of a payment is the sum of its refunds that did not fail. The refunded and disputed amounts
 * are together at most the collected amount.
 */
export const refundsAddUp: Invariant = function* ({ records }) {
  const refundsOf = Map.groupBy(records.refunds, ({ payment }) => payment)
  for (const payment of records.payments) {
    const { id, status, amount_captured: collected, amount_refunded, refunded, amount_disputed } = payment
    const refunds = refundsOf.get(id) ?? []
    const back = sum(
      refunds.filter((refund) => refund.status !== 'failed'),
      'amount',
    )
    if (back !== amount_refunded)
      yield `${id}: ${amount_refunded} refunded, but its refunds add up to ${back}`
    if (amount_refunded + amount_disputed > collected)
      yield `${id}: ${amount_refunded} refunded and ${amount_disputed} disputed of ${collected}`
    const isWhole = amount_refunded > 0 && amount_refunded === collected
    if (refunded !== isWhole) yield `${id}: refunded is ${refunded}`
    if (refunds.length > 0 && status !== 'succeeded') yield `${id}: ${status}, but refunded`
  }
  const payments = new Set(records.payments.map(({ id }) => id))
  for (const { id, payment, amount, status, failure_reason } of records.refunds) {
    if (!payments.has(payment)) yield `${id}: its payment does not exist`
    if (amount === 0) yield `${id}: its amount is 0`
    if ((status === 'failed') !== (failure_reason !== null))
      yield `${id}: ${status} with failure_reason ${failure_reason}`
  }
}

/** P9: a session and its subscription, items, invoices, payments and refunds have the same currency. */
export const relatedObjectsShareCurrency: Invariant = function* (snapshot) {
  const { checkout_sessions, subscriptions } = snapshot.records
  const priced = [
    ...checkout_sessions.map(({ id, currency, subscription_data: { items } }) => ({ id, currency, items })),
    ...subscriptions,
  ]
  for (const { id, currency, items } of priced) {
    if (items.some(({ price_data }) => price_data.currency !== currency))
      yield `${id}: its currency differs from its items`
  }
  yield* findOwnerMismatches(snapshot, 'currency')
}

/** P10: the total of a session equals the total of its first invoice or, with a trial, of the first paid period. */
export const sessionTotalMatchesInvoice: Invariant = function* (snapshot) {
  const { records } = snapshot
  const invoices = new Map(records.invoices.map((invoice) => [invoice.id, invoice]))
  const paidAfterTrial = findInvoicesAfterTrial(snapshot)
  for (const { id, invoice, subscription, amount_total } of records.checkout_sessions) {
    if (invoice === null) continue
    const isTrial = paidAfterTrial.has(subscription)
    const trialTotal = invoices.get(invoice)?.total
    if (isTrial && trialTotal !== 0) yield `${id}: its trial costs ${trialTotal}`
    const total = isTrial ? paidAfterTrial.get(subscription) : trialTotal
    if (total !== amount_total && total !== null)
      yield `${id}: its total ${amount_total} differs from its invoice`
  }
}

/** Returns the price of the first paid period of each subscription with a trial; null for an unknown price. */
function findInvoicesAfterTrial(snapshot: Snapshot) {
  const { subscriptions, invoices, events } = snapshot.records
  const invoicesOf = Map.groupBy(invoices, ({ subscription }) => subscription)
  const changed = new Set(
    events
      .filter(({ data }) => 'items' in (data.previous_attributes ?? {}) || changesCoupon(data))
      .map(({ data }) => data.object.id),
  )
  return new Map<string | null, number | null>(
    subscriptions.filter(hasHadTrial).map((subscription) => {
      const [first] = (invoicesOf.get(subscription.id) ?? [])
        .filter((invoice) => !isTrialInvoice(invoice, subscription))
        // Changes and immediate cancellations create invoices that do not bill the first period.
        .filter(({ billing_reason }) => billing_reason !== 'subscription_update')
        .sort((a, b) => a.period_start - b.period_start)
        // An invoice with only invoice items bills no period, such as the last invoice after a cancellation in the trial.
        .map(({ lines, discount }) => {
          const own = lines.filter(({ invoice_item }) => !invoice_item)
          // Invoice items share the discount of the invoice, which then differs from the discount of the session.
          return discount !== null && own.length < lines.length ? [] : own
        })
        .filter((lines) => lines.length > 0)
      // The price is unknown after a change of the items.
      const isKnown = !changed.has(subscription.id) && !isEventHistoryTruncated(snapshot)
      return [subscription.id, isKnown && first ? sum(first, 'total') : null]
    }),
  )
}

function changesCoupon({ object, previous_attributes: before = {} }: EventData): boolean {
  if (!('discount' in before)) return false
  const [from, to] = [before['discount'], Reflect.get(object, 'discount')] as (Discount | null)[]
  return from?.coupon !== to?.coupon
}

/** P42: invoice numbers start at INV-000001 and have no gaps, in the order of finalization. */
export const invoiceNumbersAreGapless: Invariant = function* (snapshot) {
  const { records } = snapshot
  const numbered = records.events
    .filter(({ type }) => type === 'invoice.finalized')
    .sort((a, b) => a.sequence - b.sequence)
  const first = isEventHistoryTruncated(snapshot) ? numberIn(numbered[0]) : 1
  for (const [at, { data }] of numbered.entries()) {
    const wanted = `INV-${String(at + first).padStart(6, '0')}`
    if (!('number' in data.object) || data.object.number !== wanted)
      yield `${data.object.id} is not ${wanted}`
  }
  const seen = new Set<string>()
  for (const { id, status, number, finalized_at } of records.invoices) {
    // A void invoice may never have been finalized.
    const isNumbered = status === 'void' ? finalized_at !== null : status !== 'draft'
    const isFinal = number !== null && finalized_at !== null
    if (isNumbered !== isFinal) yield `${id}: ${status} with number ${number}, finalized ${finalized_at}`
    if (number !== null && seen.has(number)) yield `${id}: ${number} is not unique`
    if (number !== null) seen.add(number)
  }
  const { value = 0 } = records.counters.find(({ id }) => id === INVOICE_COUNTER_ID) ?? {}
  if (value !== seen.size) yield `${value} invoice numbers were assigned, but ${seen.size} invoices have one`
}

function numberIn(event: Event | undefined): number {
  const object = event?.data.object
  return object && 'number' in object ? Number(String(object.number).replace('INV-', '')) : 1
}
