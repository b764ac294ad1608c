import { EVERY_SECOND, type ModelDecline, startOf, taxOn } from './cards.ts'
import type {
  Card,
  Customer,
  Invoice,
  Item,
  Line,
  Payment,
  Refund,
  Session,
  StepOutcome,
  Subscription,
} from './state.ts'

const HOUR = 3600
const DECLINES_PER_HOUR = 10

/** Returns the amounts of lines. */
export function sumOf(lines: readonly Pick<Line, 'amount' | 'discount' | 'tax'>[]): {
  readonly subtotal: number
  readonly discount: number
  readonly tax: number
} {
  return {
    discount: lines.reduce((sum, { discount = 0 }) => sum + discount, 0),
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
    tax: lines.reduce((sum, { tax }) => sum + tax, 0),
  }
}

/** Returns the amount of an item for one period, and its tax. */
export function amountsOf({ unit, quantity, ppm }: Item): Pick<Line, 'amount' | 'tax'> {
  const amount = unit * quantity
  return { amount, tax: signedTaxOn(amount, ppm) }
}

/** Returns the tax on an amount that may be negative: the tax on the absolute amount, with the sign of the amount. */
export function signedTaxOn(amount: number, ppm: number): number {
  const tax = taxOn(Math.abs(amount), ppm)
  return amount < 0 ? 0 - tax : tax
}

/** Returns the lines of a period of a subscription. */
export function linesOf({ terms: { items, rhythm }, index }: Subscription): Line[] {
  const [start, end] = [startOf(rhythm, index), startOf(rhythm, index + 1)]
  return items.map((item) => lineOf(item, start, end))
}

/** Returns the line of an item for a period. */
export function lineOf(item: Item, start: number, end: number): Line {
  const { unit, quantity, ppm } = item
  return { item, unit, quantity, ppm, ...amountsOf(item), isProration: false, start, end }
}

/** Returns the total of an invoice. */
export function totalOf({ lines }: Pick<Invoice, 'lines'>): number {
  const { subtotal, discount, tax } = sumOf(lines)
  return subtotal - discount + tax
}

/** Returns the amount that an invoice collects: its total without the credit that it used. */
export function amountOf(invoice: Invoice): number {
  const { balance } = invoice
  const used = balance === null ? 0 : balance.after - balance.before
  return Math.max(0, totalOf(invoice) - used)
}

/** Returns the credit balance of a customer in a currency. */
export function balanceOf({ balances }: Customer, currency: string): number {
  return balances.get(currency) ?? 0
}

/** Returns the current time of an invoice's clock. */
export function nowOf({ subscription }: Invoice): number {
  return subscription.customer.clock.now
}

/** Returns the card that renewals charge. */
export function cardOf({ card, customer }: Subscription): Card | null {
  return card ?? customer.card
}

/** Returns the next decision of the alternating card: the first charge is approved. */
export function nextAlternation(customer: Customer): 'ok' | ModelDecline {
  customer.charges += 1
  return customer.charges % 2 === 1 ? 'ok' : EVERY_SECOND
}

/** Returns the payment that requires authentication. */
export function findPendingPayment({ payments }: Invoice): Payment | undefined {
  return payments.find(({ status }) => status === 'requires_action')
}

/** Returns whether a debit of an invoice has no outcome. */
export function isDebited({ payments }: Invoice): boolean {
  return payments.some(({ status }) => status === 'processing')
}

/** Cancels the payment that requires authentication. */
export function cancelPendingPayment(invoice: Invoice): void {
  const waiting = findPendingPayment(invoice)
  if (waiting) waiting.status = 'canceled'
}

/** Stops automatic collection of an invoice. */
export function stopCollecting(invoice: Invoice): void {
  invoice.isCollected = false
  invoice.next = null
}

/** Marks an invoice as paid. */
export function markPaid(invoice: Invoice): void {
  invoice.status = 'paid'
  stopCollecting(invoice)
}

/** Makes a subscription active again when no open invoice has failed or is overdue. */
export function recover(subscription: Subscription): void {
  const { status, terms, customer, invoices } = subscription
  if (status !== 'past_due' && status !== 'unpaid') return
  const isOwed = ({ attempts, due, error }: Invoice) =>
    // A debit without an outcome has not failed.
    terms.daysUntilDue === null ? attempts > 0 && error !== null : due !== null && due <= customer.clock.now
  if (!invoices.some((invoice) => invoice.status === 'open' && isOwed(invoice)))
    subscription.status = 'active'
}

/** Applies the result of a pending refund. */
export function settleRefund(refund: Refund): void {
  refund.status = refund.settles?.as ?? refund.status
  refund.settles = null
  if (refund.status === 'failed') refund.payment.refunded -= refund.amount
}

/** Runs an action unless the customer's clock is advancing or deleted. */
export function runOnClock({ clock }: Pick<Customer, 'clock'>, work: () => StepOutcome): StepOutcome {
  if (clock.state === 'advancing') return 'busy'
  return clock.state === 'deleted' ? 'refused' : work()
}

/** Returns whether too many cards were declined in a session. */
export function isOverLimit({ payments, customer, declines }: Session): boolean {
  const since = customer.clock.now - HOUR
  const failed = payments.filter(({ status }) => status === 'failed').map(({ created }) => created)
  return [...failed, ...declines].filter((at) => at > since).length >= DECLINES_PER_HOUR
}

/** Ends a pause of collection. */
export const endPause = (subscription: Subscription): object => Object.assign(subscription, { pause: null })
