import { isAccount, startOf } from './cards.ts'
import { applyDiscount, spend } from './discounts.ts'
import { amountOf, balanceOf, linesOf, totalOf } from './rules.ts'
import type {
  Card,
  Clock,
  Customer,
  Invoice,
  InvoiceItem,
  Line,
  ModelCardDetails,
  Payment,
  Period,
  Subscription,
} from './state.ts'

const DAY = 86_400

/** The model of invoices, invoice items, credit balances, cards and payments. */
export class LedgerModel {
  readonly wall: Clock
  readonly customers: Customer[] = []
  readonly subscriptions: Subscription[] = []
  readonly invoices: Invoice[] = []
  readonly cards: Card[] = []
  readonly payments: Payment[] = []
  readonly invoiceItems: InvoiceItem[] = []
  protected numbers = 0

  constructor(now: number) {
    this.wall = { now, state: 'ready' }
  }

  /**
   * Creates the invoice of the current period. The invoice contains the pending items of the subscription before the
   * regular lines.
   */
  protected draft(
    subscription: Subscription,
    reason: Invoice['reason'],
    regular: readonly Line[] = linesOf(subscription),
  ): Invoice {
    const pending = this.pendingOf(subscription)
    const period = periodOf(subscription)
    const { discount } = subscription
    const all = [...pending.map(({ line }) => line), ...regular]
    const { lines, isApplied } = applyDiscount(discount, all, period.start)
    const invoice: Invoice = {
      subscription,
      ...period,
      created: subscription.customer.clock.now,
      reason,
      lines,
      coupon: isApplied && discount !== null ? discount.coupon : null,
      balance: null,
      status: 'draft',
      number: null,
      due: null,
      isCollected: true,
      attempts: 0,
      next: null,
      error: null,
      isOutOfBand: false,
      isOverdueTold: false,
      payments: [],
    }
    if (isApplied) spend(subscription, invoice)
    for (const item of pending) item.invoice = invoice
    subscription.invoices.push(invoice)
    this.invoices.push(invoice)
    return invoice
  }

  /** Returns the pending items of a subscription, in creation order. */
  protected pendingOf(subscription: Subscription): InvoiceItem[] {
    return this.invoiceItems.filter(
      (item) => item.subscription === subscription && item.invoice === null && !item.isDeleted,
    )
  }

  /** Numbers an invoice and applies the credit balance of its customer. */
  protected number(invoice: Invoice): void {
    this.numbers += 1
    invoice.number = this.numbers
    invoice.status = 'open'
    const { customer, terms } = invoice.subscription
    const { now } = customer.clock
    const before = balanceOf(customer, terms.currency)
    const total = totalOf(invoice)
    const after = total < 0 ? before + total : before + Math.min(total, -before)
    invoice.balance = { before, after }
    customer.balances.set(terms.currency, after)
    if (terms.daysUntilDue !== null) invoice.due = dueAfter(now, terms.daysUntilDue)
  }

  /** Saves an entered card. The card becomes the default card of a customer without a default card. */
  protected save(customer: Customer, { alias, expiry }: ModelCardDetails): Card {
    const card: Card = { alias, expiry, customer, isAttached: true, directCharges: 0 }
    this.cards.push(card)
    customer.card ??= card
    return card
  }

  /**
   * Saves a card that paid an invoice, and makes it the card of the subscription unless the subscription is canceled.
   */
  protected keep({ subscription }: Invoice, entered: ModelCardDetails): Card {
    const card = this.save(subscription.customer, entered)
    if (subscription.status !== 'canceled') subscription.card = card
    return card
  }

  /** Creates a succeeded payment; the caller changes it after a decline. */
  protected charge(
    customer: Customer,
    what: Pick<Payment, 'amount' | 'entered' | 'isOffSession' | 'session' | 'invoice' | 'card' | 'keeps'> &
      Partial<Pick<Payment, 'isHold'>>,
  ): Payment {
    const payment: Payment = {
      isHold: what.session?.isHold ?? false,
      ...what,
      customer,
      created: customer.clock.now,
      status: 'succeeded',
      error: null,
      captured: what.amount,
      collectedAt: customer.clock.now,
      heldUntil: null,
      refunded: 0,
      isDisputed: false,
      withdrawn: 0,
    }
    this.payments.push(payment)
    payment.session?.payments.push(payment)
    payment.invoice?.payments.push(payment)
    return payment
  }

  /** Submits a debit of an invoice. The attempt counts now, and the next one is planned after the outcome. */
  protected debit(
    invoice: Invoice,
    by: Pick<Payment, 'entered' | 'isOffSession' | 'card'> & { readonly isAutomatic: boolean },
  ): 'ok' {
    const { isAutomatic, entered, isOffSession, card } = by
    const what = { amount: amountOf(invoice), entered, isOffSession, card, invoice, session: null }
    this.charge(invoice.subscription.customer, what).status = 'processing'
    if (isAutomatic || invoice.attempts === 0) invoice.attempts += 1
    Object.assign(invoice, { next: null, error: null })
    return 'ok'
  }

  /** Collects the amount of an approved payment, or reserves it for seven days. A debit waits for its outcome. */
  protected approve(payment: Payment): void {
    payment.collectedAt = payment.customer.clock.now
    if (isAccount(payment.entered.alias)) {
      payment.status = 'processing'
      return
    }
    payment.status = payment.isHold ? 'requires_capture' : 'succeeded'
    if (payment.isHold) payment.heldUntil = payment.customer.clock.now + 7 * DAY
  }

  /** Returns the credit that a voided invoice used to its customer. */
  protected returnCredit({ balance, subscription: { customer, terms } }: Invoice): void {
    if (balance === null) return
    const used = balance.after - balance.before
    customer.balances.set(terms.currency, balanceOf(customer, terms.currency) - used)
  }
}

/** Returns the period of a new invoice; without a period, the current time. */
export function periodOf({ terms: { rhythm }, index, trial, customer }: Subscription): Period {
  if (index >= 0) return { start: startOf(rhythm, index), end: startOf(rhythm, index + 1) }
  if (trial !== null && !trial.isOver) return { start: trial.start, end: trial.end }
  return { start: customer.clock.now, end: customer.clock.now }
}

/** Returns the due date: a number of days later, or for 0 days the last second of the day (of the next second). */
function dueAfter(now: number, days: number): number {
  const tomorrow = new Date((now + 1) * 1000).setUTCHours(24, 0, 0, 0) / 1000
  return days === 0 ? tomorrow - 1 : now + days * DAY
}
