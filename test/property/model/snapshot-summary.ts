import type { DeletedInvoiceItem, InvoiceItem } from '../../../src/domain/billing/invoice-items.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import type { Dispute } from '../../../src/domain/payments/disputes.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import type { InvoicePreview } from '../../../src/domain/reports/invoice-preview.ts'
import { listSnapshotSessions, type Snapshot } from '../../../src/engine/invariants/snapshot.ts'
import type { BillingSummary } from './model-summary.ts'

/** The ids of the model's objects in the store, in the model's order. */
export interface RecordIds {
  readonly customers: readonly string[]
  readonly cards: readonly string[]
  readonly sessions: readonly string[]
  readonly subscriptions: readonly string[]
  readonly refunds: readonly string[]
  readonly disputes: readonly string[]
  readonly invoiceItems: readonly string[]
  readonly coupons: readonly string[]
  readonly promotionCodes: readonly string[]
}

type Session = ReturnType<typeof listSnapshotSessions>[number]

const place = (list: readonly unknown[], one: unknown) => (one === null ? null : list.indexOf(one))

/** Returns the summary of a snapshot for the objects of the model. */
export function summarizeSnapshot(snapshot: Snapshot, ids: RecordIds): BillingSummary {
  const { records } = snapshot
  const sessions = listSnapshotSessions(snapshot)
  const payments = Map.groupBy(records.payments, (one) => one.invoice)
  const invoices = Map.groupBy(records.invoices, (one) => one.subscription)
  const waiting = new Set(records.authentications.map(({ id }) => id))
  return {
    totals: [totalsOf(snapshot)],
    customers: ids.customers.map((id) => ({
      ...customerEntry(findRecord(records.customers, id), ids),
      direct: records.payments
        .filter((one) => one.customer === id && isDirect(one))
        .map((payment) => paymentEntry(payment, ids)),
      ...moneyOf(records.payments.filter((one) => one.customer === id)),
    })),
    cards: ids.cards.map((id) => ({ isAttached: findRecord(records.payment_methods, id).customer !== null })),
    sessions: ids.sessions.map((id) => {
      const tried = records.payments.filter((one) => [one.checkout_session, one.payment_session].includes(id))
      return sessionEntry(findRecord(sessions, id), { tried, isWaiting: waiting.has(id), ids })
    }),
    subscriptions: ids.subscriptions.map((id) => ({
      ...subscriptionEntry(findRecord(records.subscriptions, id), ids),
      invoices: (invoices.get(id) ?? []).length,
    })),
    invoices: ids.subscriptions.flatMap((id) =>
      (invoices.get(id) ?? []).map((one) => invoiceEntry(one, payments.get(one.id) ?? [], ids)),
    ),
    invoiceItems: ids.invoiceItems.map((id) => itemEntry(findRecord(records.invoice_items, id))),
    coupons: ids.coupons.map((id) => {
      const coupon = findRecord(records.coupons, id)
      return { uses: 'deleted' in coupon ? null : coupon.times_redeemed }
    }),
    promotionCodes: ids.promotionCodes.map((id) => {
      const { times_redeemed: uses, active: isActive } = findRecord(records.promotion_codes, id)
      return { uses, isActive }
    }),
    refunds: ids.refunds.map((id) => {
      const { amount, status } = findRecord(records.refunds, id)
      return { amount, status }
    }),
    disputes: ids.disputes.map((id) => disputeEntry(findRecord(records.disputes, id))),
  }
}

function disputeEntry(dispute: Dispute): object {
  const { amount, status, funds, evidence, evidence_due_by: due, closed_at: closed } = dispute
  return { amount, status, funds, text: evidence.text, submitted: evidence.submitted_at, due, closed }
}

function findRecord<T extends { readonly id: string }>(list: readonly T[], id: string): T {
  const one = list.find((record) => record.id === id)
  if (one === undefined) throw new Error(`${id} is not stored`)
  return one
}

function totalsOf(snapshot: Snapshot): object {
  const { records } = snapshot
  return {
    customers: records.customers.length,
    cards: records.payment_methods.length,
    sessions: listSnapshotSessions(snapshot).length,
    subscriptions: records.subscriptions.length,
    invoices: records.invoices.length,
    payments: records.payments.length,
    refunds: records.refunds.length,
    disputes: records.disputes.length,
    invoiceItems: records.invoice_items.length,
  }
}

function customerEntry(customer: Snapshot['records']['customers'][number], ids: RecordIds): object {
  if ('deleted' in customer) return { isDeleted: true, card: null, balances: [] }
  const { default_payment_method, balances } = customer
  const card = place(ids.cards, default_payment_method)
  return { isDeleted: false, card, balances: Object.entries(balances).sort() }
}

function isDirect({ invoice, checkout_session, payment_session }: Payment): boolean {
  return invoice === null && checkout_session === null && payment_session === null
}

function itemEntry(item: InvoiceItem | DeletedInvoiceItem): object {
  if ('deleted' in item) return { isDeleted: true }
  return { ...lineEntry(item), isBilled: item.invoice !== null }
}

function lineEntry({
  amount,
  discount_amount: discount = 0,
  tax_amount,
  quantity,
  unit_amount,
  proration,
}: Pick<InvoiceItem, 'amount' | 'tax_amount' | 'quantity' | 'unit_amount' | 'proration'> & {
  readonly discount_amount?: number
}): object {
  return { amount, discount, tax: tax_amount, full: unit_amount * quantity, isProration: proration }
}

/** Returns the compared fields of a preview. */
export function summarizePreview(preview: InvoicePreview): object {
  const { lines, subtotal, discount_amount: discount, tax, total } = preview
  const { amount_due, invoice_date, billing_reason } = preview
  return {
    ...{ date: invoice_date, reason: billing_reason, subtotal, discount, tax, total, owed: amount_due },
    lines: lines.map(lineEntry),
  }
}

function moneyOf(payments: readonly Payment[]): { paid: number; refunded: number } {
  const succeeded = payments.filter(({ status }) => status === 'succeeded')
  return {
    paid: succeeded.reduce((sum, { amount_captured }) => sum + amount_captured, 0),
    refunded: succeeded.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
  }
}

function sessionEntry(
  session: Session,
  {
    tried,
    isWaiting,
    ids,
  }: { readonly tried: readonly Payment[]; readonly isWaiting: boolean; readonly ids: RecordIds },
): object {
  const { status, expires_at, expired_at, expiration_reason } = session
  const isCheckout = session.object === 'checkout_session'
  const amount = isCheckout ? session.amount_total : 'amount' in session ? session.amount : 0
  const owes = 'payment_status' in session ? session.payment_status : null
  return {
    ...{ status, owes, expires: expires_at, amount },
    completed: 'completed_at' in session ? session.completed_at : null,
    expired: expired_at === null ? null : { at: expired_at, why: expiration_reason },
    isWaiting,
    subscription: isCheckout ? place(ids.subscriptions, session.subscription) : null,
    card: 'payment_method' in session ? place(ids.cards, session.payment_method) : null,
    payments: tried.map((payment) => paymentEntry(payment, ids)),
  }
}

function paymentEntry(payment: Payment, ids: RecordIds): object {
  return {
    status: payment.status,
    code: payment.failure_code,
    decline: payment.decline_code,
    amount: payment.amount,
    captured: payment.amount_captured,
    capturable: payment.amount_capturable,
    heldUntil: payment.capture_before,
    refunded: payment.amount_refunded,
    isDisputed: payment.disputed,
    withdrawn: payment.amount_disputed,
    isOffSession: payment.off_session,
    card: place(ids.cards, payment.payment_method),
    isBilled: payment.invoice !== null,
  }
}

function subscriptionEntry(subscription: Subscription, ids: RecordIds): object {
  const { pause_collection, trial_start, trial_end, items } = subscription
  return {
    status: subscription.status,
    index: subscription.period_index,
    start: subscription.current_period_start,
    end: subscription.current_period_end,
    trial: trial_end === null ? null : { start: trial_start, end: trial_end },
    items: items.map(({ price_data: { amount, tax_percent }, quantity }) => ({
      ...{ unit: amount, quantity, ppm: Math.round(tax_percent * 10_000) },
    })),
    card: place(ids.cards, subscription.default_payment_method),
    endsWithPeriod: subscription.cancel_at_period_end,
    pause: pause_collection && { behavior: pause_collection.behavior, resumes: pause_collection.resumes_at },
    discount: subscription.status === 'canceled' ? null : discountEntry(subscription.discount, ids),
    canceledAt: subscription.canceled_at,
    endedAt: subscription.ended_at,
    reason: subscription.cancellation_reason,
  }
}

function discountEntry(discount: Subscription['discount'], ids: RecordIds): object | null {
  if (discount === null) return null
  const { coupon, promotion_code: code, start, end, invoice } = discount
  const redeemed = { coupon: place(ids.coupons, coupon), code: place(ids.promotionCodes, code) }
  return { ...redeemed, start, end, isSpent: invoice !== null }
}

function invoiceEntry(invoice: Invoice, payments: readonly Payment[], ids: RecordIds): object {
  const { last_payment_error: error, status } = invoice
  return {
    status,
    number: invoice.number,
    reason: invoice.billing_reason,
    subtotal: invoice.subtotal,
    discount: invoice.discount_amount,
    coupon: place(ids.coupons, invoice.discount?.coupon ?? null),
    tax: invoice.tax,
    total: invoice.total,
    paid: invoice.amount_paid,
    remaining: invoice.amount_remaining,
    starting: invoice.starting_balance,
    ending: invoice.ending_balance,
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
    payments: payments.map((payment) => paymentEntry(payment, ids)),
    lines: invoice.lines.map(lineEntry),
    latest: place(
      payments.map(({ id }) => id),
      invoice.latest_payment,
    ),
  }
}
