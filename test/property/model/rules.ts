import { EVERY_SECOND, type ModelDecline, taxOn } from './cards.ts'
import type { Card, Customer, Invoice, Item, Payment, Refund, StepOutcome, Subscription } from './state.ts'

/** Returns the amounts of items for one period. */
export function totalOf(items: readonly Item[]): { readonly subtotal: number; readonly tax: number } {
  return {
    subtotal: items.reduce((sum, { amount }) => sum + amount, 0),
    tax: items.reduce((sum, { amount, ppm }) => sum + taxOn(amount, ppm), 0),
  }
}

/** Returns the total of an invoice. */
export function amountOf({ subscription }: Pick<Invoice, 'subscription'>): number {
  const { subtotal, tax } = totalOf(subscription.terms.items)
  return subtotal + tax
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
  const isOwed = ({ attempts, due }: Invoice) =>
    terms.daysUntilDue === null ? attempts > 0 : due !== null && due <= customer.clock.now
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
