import { startOf } from './cards.ts'
import type { Model } from './requests.ts'
import { totalOf } from './rules.ts'
import type { Card, Customer, Invoice, Payment, Session, Subscription } from './state.ts'

/** The compared fields of all objects, by type and index. */
export type BillingSummary = Readonly<Record<string, readonly object[]>>

const indexOf = (list: readonly unknown[], one: unknown) => (one === null ? null : list.indexOf(one))

/** Returns the summary of the model. */
export function summarizeModel(model: Model): BillingSummary {
  const { customers, cards, sessions, subscriptions, invoices, payments, refunds } = model
  const counted = { customers, cards, sessions, subscriptions, invoices, payments, refunds }
  return {
    totals: [Object.fromEntries(Object.entries(counted).map(([kind, list]) => [kind, list.length]))],
    customers: customers.map((customer) => ({
      isDeleted: customer.isDeleted,
      card: indexOf(cards, customer.card),
      ...moneyOf(model, customer),
    })),
    cards: cards.map(({ isAttached }) => ({ isAttached })),
    sessions: sessions.map((session) => modelSession(session, model)),
    subscriptions: subscriptions.map((subscription) => modelSubscription(subscription, cards)),
    invoices: subscriptions.flatMap(({ invoices }) =>
      invoices.map((invoice) => modelInvoice(invoice, cards)),
    ),
    refunds: refunds.map(({ amount, status }) => ({ amount, status })),
  }
}

function moneyOf({ payments }: Model, customer: Customer): { paid: number; refunded: number } {
  const own = payments.filter((payment) => payment.customer === customer && payment.status === 'succeeded')
  return {
    paid: own.reduce((sum, { amount }) => sum + amount, 0),
    refunded: own.reduce((sum, { refunded }) => sum + refunded, 0),
  }
}

function modelSubscription(subscription: Subscription, cards: readonly Card[]): object {
  const { status, index, card, endsWithPeriod, canceledAt, endedAt, reason, terms, invoices } = subscription
  const hasBegun = index >= 0
  return {
    status,
    index,
    start: hasBegun ? startOf(terms.rhythm, index) : null,
    end: hasBegun ? startOf(terms.rhythm, index + 1) : null,
    card: indexOf(cards, card),
    endsWithPeriod,
    canceledAt,
    endedAt,
    reason,
    invoices: invoices.length,
  }
}

function modelInvoice(invoice: Invoice, cards: readonly Card[]): object {
  const { status, number, start, end, created, isFirst, due, isCollected, attempts, next } = invoice
  const { subtotal, tax } = totalOf(invoice.subscription.terms.items)
  const total = subtotal + tax
  const isPaid = status === 'paid'
  return {
    status,
    number: number === null ? null : `INV-${String(number).padStart(6, '0')}`,
    reason: isFirst ? 'subscription_create' : 'subscription_cycle',
    ...{ subtotal, tax, total, paid: isPaid ? total : 0, remaining: isPaid ? 0 : total },
    ...{ start, end, created, due, isCollected, attempts, next },
    isAttempted: attempts > 0,
    // The specification does not define the last error of a paid invoice.
    error: isPaid ? null : invoice.error && { ...invoice.error },
    isOutOfBand: invoice.isOutOfBand,
    payments: invoice.payments.map((payment) => modelPayment(payment, cards)),
    latest: invoice.payments.length === 0 ? null : invoice.payments.length - 1,
  }
}

function modelPayment(payment: Payment, cards: readonly Card[]): object {
  const { status, error, amount, refunded, isOffSession, card, invoice } = payment
  const { code = null, decline = null } = error ?? {}
  return {
    status,
    code,
    decline,
    amount,
    refunded,
    isOffSession,
    card: indexOf(cards, card),
    isBilled: invoice !== null,
  }
}

function modelSession(session: Session, { cards, subscriptions }: Model): object {
  const { status, owes, ended, waiting, subscription, card, payments, expires, amount } = session
  return {
    ...{ status, owes, expires, amount },
    completed: ended?.why === 'completed' ? ended.at : null,
    expired: ended === null || ended.why === 'completed' ? null : ended,
    isWaiting: waiting !== null,
    subscription: indexOf(subscriptions, subscription),
    card: indexOf(cards, card),
    payments: payments.map((payment) => modelPayment(payment, cards)),
  }
}
