import type { Invoice as RealInvoice } from '../../src/domain/invoices.ts'
import type { Payment as RealPayment } from '../../src/domain/payments.ts'
import type { Subscription as RealSubscription } from '../../src/domain/subscriptions.ts'
import { grouped, type Snapshot } from '../../src/engine/invariants/snapshot.ts'
import { type BillingModel, totalOf } from './billing-model.ts'
import { startOf } from './model-cards.ts'
import type { Card, Customer, Invoice, Payment, Subscription } from './model-state.ts'

/** The real ids of what the model knows, in its order. */
export interface Ids {
  readonly customers: readonly string[]
  readonly cards: readonly string[]
  readonly subscriptions: readonly string[]
  readonly refunds: readonly string[]
}

/** What is compared: the same fields of both sides, by kind and place. */
export type Books = Readonly<Record<string, readonly object[]>>

const place = (list: readonly unknown[], one: unknown) => (one === null ? null : list.indexOf(one))

/** What the model has written down. */
export function modelBooks(model: BillingModel): Books {
  const { customers, cards, subscriptions, refunds } = model
  return {
    customers: customers.map((customer) => ({
      isDeleted: customer.isDeleted,
      card: place(cards, customer.card),
      ...moneyOf(model, customer),
    })),
    cards: cards.map(({ isAttached }) => ({ isAttached })),
    subscriptions: subscriptions.map((subscription) => modelSubscription(subscription, cards)),
    invoices: subscriptions.flatMap(({ invoices }) =>
      invoices.map((invoice) => modelInvoice(invoice, cards)),
    ),
    refunds: refunds.map(({ amount, status }) => ({ amount, status })),
  }
}

function moneyOf({ invoices }: BillingModel, customer: Customer): { paid: number; refunded: number } {
  const payments = invoices
    .filter(({ subscription }) => subscription.customer === customer)
    .flatMap((invoice) => invoice.payments.filter(({ status }) => status === 'succeeded'))
  return {
    paid: payments.reduce((sum, { invoice }) => sum + totalOf(invoice).subtotal + totalOf(invoice).tax, 0),
    refunded: payments.reduce((sum, { refunded }) => sum + refunded, 0),
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
    card: place(cards, card),
    endsWithPeriod,
    canceledAt,
    endedAt,
    reason,
    invoices: invoices.length,
  }
}

function modelInvoice(invoice: Invoice, cards: readonly Card[]): object {
  const { status, number, start, end, created, isFirst, due, isCollected, attempts, next } = invoice
  const { subtotal, tax } = totalOf(invoice)
  const total = subtotal + tax
  const isPaid = status === 'paid'
  return {
    status,
    number: number === null ? null : `INV-${String(number).padStart(6, '0')}`,
    reason: isFirst ? 'subscription_create' : 'subscription_cycle',
    ...{ subtotal, tax, total, paid: isPaid ? total : 0, remaining: isPaid ? 0 : total },
    ...{ start, end, created, due, isCollected, attempts, next },
    isAttempted: attempts > 0,
    // The design does not say whether a paid invoice remembers how it failed.
    error: isPaid ? null : invoice.error && { ...invoice.error },
    isOutOfBand: invoice.isOutOfBand,
    payments: invoice.payments.map((payment) => modelPayment(payment, { total, cards })),
    latest: invoice.payments.length === 0 ? null : invoice.payments.length - 1,
  }
}

function modelPayment(
  { status, error, refunded, isOffSession, card }: Payment,
  { total, cards }: { readonly total: number; readonly cards: readonly Card[] },
): object {
  const { code = null, decline = null } = error ?? {}
  return { status, code, decline, amount: total, refunded, isOffSession, card: place(cards, card) }
}

/** What is really stored of the same. */
export function realBooks({ records }: Snapshot, ids: Ids): Books {
  const byId = <T extends { readonly id: string }>(list: readonly T[]) => {
    const found = new Map(list.map((one) => [one.id, one]))
    return (id: string) => {
      const one = found.get(id)
      if (one === undefined) throw new Error(`${id} is not stored`)
      return one
    }
  }
  const customer = byId(records.customers)
  const card = byId(records.payment_methods)
  const refund = byId(records.refunds)
  const payments = grouped(records.payments, (one) => one.invoice)
  const invoices = grouped(records.invoices, (one) => one.subscription)
  return {
    customers: ids.customers.map((id) => ({
      ...realCustomer(customer(id), ids),
      ...realMoney(records.payments.filter((one) => one.customer === id)),
    })),
    cards: ids.cards.map((id) => ({ isAttached: card(id).customer !== null })),
    subscriptions: ids.subscriptions.map((id) => ({
      ...realSubscription(byId(records.subscriptions)(id), ids),
      invoices: (invoices.get(id) ?? []).length,
    })),
    invoices: ids.subscriptions.flatMap((id) =>
      (invoices.get(id) ?? []).map((invoice) =>
        realInvoice(invoice, { payments: payments.get(invoice.id) ?? [], ids }),
      ),
    ),
    refunds: ids.refunds.map((id) => ({ amount: refund(id).amount, status: refund(id).status })),
  }
}

function realCustomer(customer: Snapshot['records']['customers'][number], ids: Ids): object {
  if ('deleted' in customer) return { isDeleted: true, card: null }
  return { isDeleted: false, card: place(ids.cards, customer.default_payment_method) }
}

function realMoney(payments: readonly RealPayment[]): { paid: number; refunded: number } {
  const succeeded = payments.filter(({ status }) => status === 'succeeded')
  return {
    paid: succeeded.reduce((sum, { amount }) => sum + amount, 0),
    refunded: succeeded.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
  }
}

function realSubscription(subscription: RealSubscription, ids: Ids): object {
  return {
    status: subscription.status,
    index: subscription.period_index,
    start: subscription.current_period_start,
    end: subscription.current_period_end,
    card: place(ids.cards, subscription.default_payment_method),
    endsWithPeriod: subscription.cancel_at_period_end,
    canceledAt: subscription.canceled_at,
    endedAt: subscription.ended_at,
    reason: subscription.cancellation_reason,
  }
}

function realInvoice(
  invoice: RealInvoice,
  { payments, ids }: { readonly payments: readonly RealPayment[]; readonly ids: Ids },
): object {
  const { last_payment_error: error, status } = invoice
  return {
    status,
    number: invoice.number,
    reason: invoice.billing_reason,
    subtotal: invoice.subtotal,
    tax: invoice.tax,
    total: invoice.total,
    paid: invoice.amount_paid,
    remaining: invoice.amount_remaining,
    start: invoice.period_start,
    end: invoice.period_end,
    created: invoice.created,
    due: invoice.due_date,
    isCollected: invoice.auto_advance,
    attempts: invoice.attempt_count,
    next: invoice.next_payment_attempt,
    isAttempted: invoice.attempted,
    error: status === 'paid' ? null : error && { code: error.code, decline: error.decline_code },
    isOutOfBand: invoice.paid_out_of_band,
    payments: payments.map((payment) => ({
      status: payment.status,
      code: payment.failure_code,
      decline: payment.decline_code,
      amount: payment.amount,
      refunded: payment.amount_refunded,
      isOffSession: payment.off_session,
      card: place(ids.cards, payment.payment_method),
    })),
    latest: place(
      payments.map(({ id }) => id),
      invoice.latest_payment,
    ),
  }
}
