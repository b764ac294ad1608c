import {
  EXPIRED,
  findModelCard,
  isHard,
  type ModelDecision,
  type ModelDecline,
  NO_CARD,
  PENDING_AUTHENTICATION,
  startOf,
} from './cards.ts'
import {
  amountOf,
  cancelPendingPayment,
  cardOf,
  markPaid,
  nextAlternation,
  nowOf,
  recover,
  settleRefund,
  stopCollecting,
} from './rules.ts'
import type {
  Card,
  Clock,
  Customer,
  DunningPolicy,
  Invoice,
  Payment,
  Refund,
  StepOutcome,
  Subscription,
} from './state.ts'

const DAY = 86_400

/** One attempt to collect an invoice. */
export interface ModelAttempt {
  readonly card: Card | null
  readonly isAutomatic: boolean
  readonly isOffSession: boolean
}

/** A scheduled job. Jobs run by time, then by rank. */
export interface ModelJob {
  readonly at: number
  readonly rank: number
  readonly run: () => void
}

/** The model of subscriptions, invoices, payments and refunds. */
export class BillingModel {
  readonly wall: Clock
  readonly customers: Customer[] = []
  readonly cards: Card[] = []
  readonly subscriptions: Subscription[] = []
  readonly invoices: Invoice[] = []
  readonly payments: Payment[] = []
  readonly refunds: Refund[] = []
  readonly #policy: DunningPolicy
  #numbers = 0

  constructor(policy: DunningPolicy, now: number) {
    this.#policy = policy
    this.wall = { now, state: 'ready' }
  }

  /** Runs the next due job of a clock at its scheduled time; returns false when no job is due at `until` or before. */
  doNext(clock: Clock, until: number): boolean {
    const due = this.jobs(clock).filter(({ at }) => at <= until)
    const [next] = due.sort((a, b) => a.at - b.at || a.rank - b.rank)
    if (next === undefined) return false
    clock.now = next.at
    next.run()
    return true
  }

  protected jobs(clock: Clock): ModelJob[] {
    const here = ({ customer }: Subscription) => customer.clock === clock
    const invoices = this.invoices.filter(({ subscription }) => here(subscription))
    return [
      ...this.subscriptions.filter(here).flatMap((subscription) => this.#periodJob(subscription)),
      ...invoices.flatMap((invoice) =>
        invoice.next === null ? [] : { at: invoice.next, rank: 3, run: () => this.#retry(invoice) },
      ),
      ...invoices.flatMap((invoice) =>
        invoice.due === null || invoice.status !== 'open' || invoice.isOverdueTold
          ? []
          : { at: invoice.due, rank: 6, run: () => this.#passDueDate(invoice) },
      ),
      ...this.refunds
        .filter(({ payment }) => payment.customer.clock === clock)
        .flatMap((refund) =>
          refund.settles === null ? [] : { at: refund.settles.at, rank: 2, run: () => settleRefund(refund) },
        ),
    ]
  }

  #periodJob(subscription: Subscription): ModelJob[] {
    const { status, terms, index } = subscription
    if (status === 'canceled') return []
    const at = startOf(terms.rhythm, index + 1)
    const isPending = status === 'pending'
    return [{ at, rank: isPending ? 1 : 5, run: () => this.#beginPeriod(subscription) }]
  }

  #beginPeriod(subscription: Subscription): void {
    const isFirst = subscription.status === 'pending'
    if (subscription.endsWithPeriod) {
      this.end(subscription, 'requested')
      return
    }
    if (isFirst) subscription.status = 'active'
    subscription.index += 1
    const invoice = this.draft(subscription, isFirst)
    if (subscription.status === 'unpaid') invoice.isCollected = false
    else this.open(invoice)
  }

  protected draft(subscription: Subscription, isFirst: boolean): Invoice {
    const { rhythm } = subscription.terms
    const invoice: Invoice = {
      subscription,
      start: startOf(rhythm, subscription.index),
      end: startOf(rhythm, subscription.index + 1),
      created: subscription.customer.clock.now,
      isFirst,
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
    subscription.invoices.push(invoice)
    this.invoices.push(invoice)
    return invoice
  }

  protected number(invoice: Invoice): void {
    this.#numbers += 1
    invoice.number = this.#numbers
    invoice.status = 'open'
    const { daysUntilDue } = invoice.subscription.terms
    if (daysUntilDue !== null) invoice.due = dueAfter(nowOf(invoice), daysUntilDue)
  }

  protected open(invoice: Invoice): void {
    const { terms } = invoice.subscription
    this.number(invoice)
    if (amountOf(invoice) === 0) markPaid(invoice)
    else if (terms.daysUntilDue === null && invoice.isCollected) {
      this.collect(invoice, automatic(invoice))
    }
  }

  #retry(invoice: Invoice): void {
    const attempt = automatic(invoice)
    const declines = invoice.payments.filter(
      ({ card, status }) => card === attempt.card && status === 'failed',
    )
    const last = declines.at(-1)?.error
    if (!last || !isHard(last)) return void this.collect(invoice, attempt)
    invoice.attempts += 1
    this.#schedule(invoice)
  }

  protected collect(invoice: Invoice, attempt: ModelAttempt): StepOutcome {
    cancelPendingPayment(invoice)
    const { card } = attempt
    if (card === null) return this.#failed(invoice, attempt, NO_CARD)
    const says = this.#ask(invoice, card, attempt.isOffSession)
    const { isOffSession } = attempt
    const payment = this.charge(invoice.subscription.customer, {
      amount: amountOf(invoice),
      entered: card,
      isOffSession,
      session: null,
      invoice,
      card,
    })
    if (says === 'ok') {
      if (attempt.isAutomatic || invoice.attempts === 0) invoice.attempts += 1
      markPaid(invoice)
      recover(invoice.subscription)
      return 'ok'
    }
    if ('code' in says) {
      Object.assign(payment, { status: 'failed', error: says })
      return this.#failed(invoice, attempt, says)
    }
    payment.status = 'requires_action'
    return this.#failed(invoice, attempt, PENDING_AUTHENTICATION)
  }

  /** Creates a succeeded payment; the caller changes it after a decline. */
  protected charge(
    customer: Customer,
    what: Pick<Payment, 'amount' | 'entered' | 'isOffSession' | 'session' | 'invoice' | 'card'>,
  ): Payment {
    const payment: Payment = {
      ...what,
      customer,
      created: customer.clock.now,
      status: 'succeeded',
      error: null,
      refunded: 0,
    }
    this.payments.push(payment)
    payment.session?.payments.push(payment)
    payment.invoice?.payments.push(payment)
    return payment
  }

  /** Returns the decision of the issuer, and counts charges of the alternating card. */
  #ask(invoice: Invoice, card: Card, isOffSession: boolean): Exclude<ModelDecision, 'in turn' | 'slowly'> {
    if (nowOf(invoice) >= card.expiry) return EXPIRED
    const { on, off } = findModelCard(card.alias)
    const says = isOffSession ? (off[invoice.payments.length] ?? off.at(-1)) : on
    if (says === undefined) throw new Error(`${card.alias} says nothing`)
    // Charges of saved cards are never slow.
    if (says === 'slowly') return 'ok'
    return says === 'in turn' ? nextAlternation(invoice.subscription.customer) : says
  }

  #failed(invoice: Invoice, { isAutomatic }: ModelAttempt, error: ModelDecline): StepOutcome {
    if (isAutomatic || invoice.attempts === 0) invoice.attempts += 1
    invoice.error = error
    if (isAutomatic) this.#schedule(invoice)
    return { declined: error.code }
  }

  /** Schedules the next automatic attempt, or applies the policy after the last one. */
  #schedule(invoice: Invoice): void {
    const { retry_days, on_exhausted } = this.#policy
    const days = retry_days[invoice.attempts - 1]
    invoice.next = days === undefined ? null : nowOf(invoice) + days * DAY
    const { subscription } = invoice
    if (subscription.status === 'active') subscription.status = 'past_due'
    if (invoice.next !== null) return
    if (on_exhausted === 'cancel') this.end(subscription, 'payment_failed')
    if (on_exhausted === 'unpaid' && subscription.status === 'past_due') subscription.status = 'unpaid'
  }

  #passDueDate(invoice: Invoice): void {
    invoice.isOverdueTold = true
    const { subscription } = invoice
    if (subscription.status === 'active') subscription.status = 'past_due'
  }

  protected end(subscription: Subscription, reason: NonNullable<Subscription['reason']>): void {
    const { now } = subscription.customer.clock
    const canceledAt = subscription.canceledAt ?? now
    Object.assign(subscription, { status: 'canceled', reason, endedAt: now, canceledAt })
    for (const invoice of subscription.invoices) {
      if (invoice.status === 'open' || invoice.status === 'draft') stopCollecting(invoice)
    }
  }
}

/** Returns the due date: a number of days later, or for 0 days the last second of the day (of the next second). */
function dueAfter(now: number, days: number): number {
  const tomorrow = new Date((now + 1) * 1000).setUTCHours(24, 0, 0, 0) / 1000
  return days === 0 ? tomorrow - 1 : now + days * DAY
}

function automatic({ subscription }: Invoice): ModelAttempt {
  return { card: cardOf(subscription), isAutomatic: true, isOffSession: true }
}
