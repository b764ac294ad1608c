import { type Declined, EVERY_SECOND, taxOn } from './cards.ts'
import type { Card, Customer, Invoice, Item, Outcome, Payment, Refund, Subscription } from './state.ts'

/** What items come to for one period. */
export function totalOf(items: readonly Item[]): { readonly subtotal: number; readonly tax: number } {
  return {
    subtotal: items.reduce((sum, { amount }) => sum + amount, 0),
    tax: items.reduce((sum, { amount, ppm }) => sum + taxOn(amount, ppm), 0),
  }
}

/** What a period of a subscription costs. */
export function amountOf({ subscription }: Pick<Invoice, 'subscription'>): number {
  const { subtotal, tax } = totalOf(subscription.terms.items)
  return subtotal + tax
}

/** The time on an invoice's clock. */
export function nowOf({ subscription }: Invoice): number {
  return subscription.customer.clock.now
}

/** The card that renewals charge. */
export function cardOf({ card, customer }: Subscription): Card | null {
  return card ?? customer.card
}

/** Takes the alternating card's turn: first yes, then no. */
export function inTurn(customer: Customer): 'ok' | Declined {
  customer.charges += 1
  return customer.charges % 2 === 1 ? 'ok' : EVERY_SECOND
}

/** The attempt that waits for its buyer. */
export function waitingFor({ payments }: Invoice): Payment | undefined {
  return payments.find(({ status }) => status === 'requires_action')
}

/** A new attempt, or the end of what was to be paid, ends the wait for a buyer. */
export function cancelWaiting(invoice: Invoice): void {
  const waiting = waitingFor(invoice)
  if (waiting) waiting.status = 'canceled'
}

/** Nothing is tried on an invoice by itself any more. */
export function stopCollecting(invoice: Invoice): void {
  invoice.isCollected = false
  invoice.next = null
}

/** An invoice is settled. */
export function paid(invoice: Invoice): void {
  invoice.status = 'paid'
  stopCollecting(invoice)
}

/** A subscription is in order again once no open invoice of it failed or is overdue. */
export function recover(subscription: Subscription): void {
  const { status, terms, customer, invoices } = subscription
  if (status !== 'past_due' && status !== 'unpaid') return
  const isOwed = ({ attempts, due }: Invoice) =>
    terms.daysUntilDue === null ? attempts > 0 : due !== null && due <= customer.clock.now
  if (!invoices.some((invoice) => invoice.status === 'open' && isOwed(invoice)))
    subscription.status = 'active'
}

/** A refund comes to what it was going to. */
export function settle(refund: Refund): void {
  refund.status = refund.settles?.as ?? refund.status
  refund.settles = null
  if (refund.status === 'failed') refund.payment.refunded -= refund.amount
}

/** Does something for a customer, unless the customer's clock is on its way or gone. */
export function onClockOf({ clock }: Pick<Customer, 'clock'>, work: () => Outcome): Outcome {
  if (clock.state === 'advancing') return 'busy'
  return clock.state === 'deleted' ? 'refused' : work()
}
