import { startOf } from './cards.ts'
import type { ModelPreview } from './previews.ts'
import type { Model } from './requests.ts'
import { amountOf, sumOf } from './rules.ts'
import type {
  Card,
  Customer,
  Discount,
  Invoice,
  InvoiceItem,
  Line,
  Payment,
  Session,
  Subscription,
} from './state.ts'

/** The compared fields of all objects, by type and index. */
export type BillingSummary = Readonly<Record<string, readonly object[]>>

const indexOf = (list: readonly unknown[], one: unknown) => (one === null ? null : list.indexOf(one))

/** Returns the summary of the model. */
export function summarizeModel(model: Model): BillingSummary {
  const { customers, cards, sessions, subscriptions, invoices, payments, refunds, disputes } = model
  const { invoiceItems, coupons, promotionCodes } = model
  const charged = { payments, refunds, disputes, invoiceItems }
  const counted = { customers, cards, sessions, subscriptions, invoices, ...charged }
  return {
    totals: [Object.fromEntries(Object.entries(counted).map(([kind, list]) => [kind, list.length]))],
    customers: customers.map((customer) => ({
      isDeleted: customer.isDeleted,
      card: indexOf(cards, customer.card),
      balances: customer.isDeleted ? [] : balancesOf(customer),
      direct: directPayments(model, customer),
      ...moneyOf(model, customer),
    })),
    cards: cards.map(({ isAttached }) => ({ isAttached })),
    sessions: sessions.map((session) => modelSession(session, model)),
    subscriptions: subscriptions.map((subscription) => modelSubscription(subscription, model)),
    invoices: subscriptions.flatMap(({ invoices }) =>
      invoices.map((invoice) => modelInvoice(invoice, model)),
    ),
    invoiceItems: invoiceItems.map(modelInvoiceItem),
    coupons: coupons.map(({ uses, isDeleted }) => ({ uses: isDeleted ? null : uses })),
    promotionCodes: promotionCodes.map(({ uses, isActive }) => ({ uses, isActive })),
    refunds: refunds.map(({ amount, status }) => ({ amount, status })),
    disputes: disputes.map(({ amount, status, funds, text, submitted, due, closed }) => ({
      ...{ amount, status, funds, text, submitted, due, closed },
    })),
  }
}

/** Returns the balances of a customer that are not 0, by currency. */
function balancesOf({ balances }: Customer): object {
  return [...balances].filter(([, balance]) => balance !== 0).sort()
}

function directPayments({ payments, cards }: Model, customer: Customer): readonly object[] {
  return payments
    .filter((one) => one.customer === customer && one.session === null && one.invoice === null)
    .map((payment) => modelPayment(payment, cards))
}

function modelInvoiceItem({ line, invoice, isDeleted }: InvoiceItem): object {
  return isDeleted ? { isDeleted } : { ...modelLine(line), isBilled: invoice !== null }
}

function moneyOf({ payments }: Model, customer: Customer): { paid: number; refunded: number } {
  const own = payments.filter((payment) => payment.customer === customer && payment.status === 'succeeded')
  return {
    paid: own.reduce((sum, { captured }) => sum + captured, 0),
    refunded: own.reduce((sum, { refunded }) => sum + refunded, 0),
  }
}

function modelSubscription(subscription: Subscription, model: Model): object {
  const { cards } = model
  const { status, index, card, endsWithPeriod, pause, canceledAt, endedAt, reason } = subscription
  const { invoices, trial, terms } = subscription
  return {
    status,
    index,
    ...currentPeriod(subscription),
    trial: trial && { start: trial.start, end: trial.end },
    items: terms.items.map(({ unit, quantity, ppm }) => ({ unit, quantity, ppm })),
    card: indexOf(cards, card),
    endsWithPeriod,
    pause,
    // A subscription that ended keeps a discount that its last invoice used up.
    discount: status === 'canceled' ? null : modelDiscount(subscription.discount, model),
    canceledAt,
    endedAt,
    reason,
    invoices: invoices.length,
  }
}

function currentPeriod({ index, terms, trial }: Subscription): object {
  const isTrial = trial !== null && !trial.isOver
  if (index < 0) return isTrial ? { start: trial.start, end: trial.end } : { start: null, end: null }
  return { start: startOf(terms.rhythm, index), end: startOf(terms.rhythm, index + 1) }
}

function modelInvoice(invoice: Invoice, { cards, coupons }: Model): object {
  const { status, number, start, end, created, reason, due, isCollected, attempts, next, lines, balance } =
    invoice
  const { subtotal, discount, tax } = sumOf(lines)
  const total = subtotal - discount + tax
  const coupon = indexOf(coupons, invoice.coupon)
  const owed = amountOf(invoice)
  const isPaid = status === 'paid'
  return {
    status,
    number: number === null ? null : `INV-${String(number).padStart(6, '0')}`,
    reason: `subscription_${reason}`,
    ...{ subtotal, discount, coupon, tax, total, paid: isPaid ? owed : 0, remaining: isPaid ? 0 : owed },
    starting: balance?.before ?? null,
    ending: balance?.after ?? null,
    ...{ start, end, created, due, isCollected, attempts, next },
    isAttempted: attempts > 0,
    // The last error of a paid invoice is undefined, so it is not compared.
    error: isPaid ? null : invoice.error && { ...invoice.error },
    isOutOfBand: invoice.isOutOfBand,
    payments: invoice.payments.map((payment) => modelPayment(payment, cards)),
    lines: lines.map(modelLine),
    latest: invoice.payments.length === 0 ? null : invoice.payments.length - 1,
  }
}

/** Returns the compared fields of a line. */
export function modelLine({ amount, discount = 0, tax, quantity, unit, isProration }: Line): object {
  return { amount, discount, tax, full: unit * quantity, isProration }
}

/** Returns the compared fields of a preview. */
export function modelPreview({ invoice, date, subtotal, discount, tax, owed }: ModelPreview): object {
  const total = subtotal - discount + tax
  return {
    ...{ date, reason: `subscription_${invoice.reason}`, subtotal, discount, tax, total, owed },
    lines: invoice.lines.map(modelLine),
  }
}

function modelDiscount(discount: Discount | null, { coupons, promotionCodes }: Model): object | null {
  if (discount === null) return null
  const { coupon, code, start, end, spentOn } = discount
  const redeemed = { coupon: indexOf(coupons, coupon), code: indexOf(promotionCodes, code) }
  return { ...redeemed, start, end, isSpent: spentOn !== null }
}

function modelPayment(payment: Payment, cards: readonly Card[]): object {
  const { status, error, amount, refunded, isDisputed, withdrawn, isOffSession, card, invoice } = payment
  const { captured, heldUntil } = payment
  const { code = null, decline = null } = error ?? {}
  return {
    status,
    code,
    decline,
    amount,
    captured: status === 'succeeded' ? captured : 0,
    capturable: status === 'requires_capture' ? amount : 0,
    heldUntil,
    refunded,
    isDisputed,
    withdrawn,
    isOffSession,
    card: indexOf(cards, card),
    isBilled: invoice !== null,
  }
}

function modelSession(session: Session, { cards, subscriptions }: Model): object {
  const { status, owes, ended, waiting, subscription, card, payments, expires, amount } = session
  return {
    ...{ status, owes: session.use === null && !session.isPortal ? owes : null, expires, amount },
    completed: ended?.why === 'completed' ? ended.at : null,
    expired: ended === null || ended.why === 'completed' ? null : ended,
    isWaiting: waiting !== null,
    subscription: indexOf(subscriptions, subscription),
    card: indexOf(cards, card),
    payments: payments.map((payment) => modelPayment(payment, cards)),
  }
}
