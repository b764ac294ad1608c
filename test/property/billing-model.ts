import {
  ASKED,
  cardNamed,
  type Declined,
  EVERY_SECOND,
  EXPIRED,
  isHard,
  NO_CARD,
  type Says,
  startOf,
  taxOn,
} from './model-cards.ts'
import type {
  Card,
  Clock,
  Customer,
  Invoice,
  Outcome,
  Payment,
  Policy,
  Refund,
  Subscription,
} from './model-state.ts'

const DAY = 86_400

/** One try to collect an invoice. */
export interface Attempt {
  readonly card: Card | null
  readonly isAutomatic: boolean
  readonly isOffSession: boolean
}

/** Something that time does: the earliest is done first, at one moment the lowest rank. */
interface Job {
  readonly at: number
  readonly rank: number
  readonly run: () => void
}

/** What an invoice asks for. */
export function totalOf({ subscription }: Invoice): { readonly subtotal: number; readonly tax: number } {
  const { items } = subscription.terms
  return {
    subtotal: items.reduce((sum, { amount }) => sum + amount, 0),
    tax: items.reduce((sum, { amount, ppm }) => sum + taxOn(amount, ppm), 0),
  }
}

/** Subscriptions, invoices, payments and refunds as the tables of the design tell them. */
export class BillingModel {
  readonly wall: Clock
  readonly customers: Customer[] = []
  readonly cards: Card[] = []
  readonly subscriptions: Subscription[] = []
  readonly invoices: Invoice[] = []
  readonly refunds: Refund[] = []
  readonly #policy: Policy
  #numbers = 0

  constructor(policy: Policy, now: number) {
    this.#policy = policy
    this.wall = { now, isDeleted: false }
  }

  /** Does all that is due on a clock up to a moment, and leaves it there. */
  moveTo(clock: Clock, until: number): void {
    for (;;) {
      const due = this.#jobs(clock).filter(({ at }) => at <= until)
      const [next] = due.sort((a, b) => a.at - b.at || a.rank - b.rank)
      if (next === undefined) break
      clock.now = next.at
      next.run()
    }
    clock.now = until
  }

  #jobs(clock: Clock): Job[] {
    const here = ({ customer }: Subscription) => customer.clock === clock
    const invoices = this.invoices.filter(({ subscription }) => here(subscription))
    return [
      ...this.subscriptions.filter(here).flatMap((subscription) => this.#periodJob(subscription)),
      ...invoices.flatMap((invoice) =>
        invoice.next === null ? [] : { at: invoice.next, rank: 2, run: () => this.#retry(invoice) },
      ),
      ...invoices.flatMap((invoice) =>
        invoice.due === null || invoice.isOverdueTold
          ? []
          : { at: invoice.due, rank: 4, run: () => this.#passDueDate(invoice) },
      ),
      ...this.refunds
        .filter(({ payment }) => here(payment.invoice.subscription))
        .flatMap((refund) =>
          refund.settles === null ? [] : { at: refund.settles.at, rank: 5, run: () => settle(refund) },
        ),
    ]
  }

  #periodJob(subscription: Subscription): Job[] {
    const { status, terms, index } = subscription
    if (status === 'canceled') return []
    const at = startOf(terms.rhythm, index + 1)
    const isPending = status === 'pending'
    return [{ at, rank: isPending ? 1 : 3, run: () => this.#beginPeriod(subscription) }]
  }

  #beginPeriod(subscription: Subscription): void {
    const isFirst = subscription.status === 'pending'
    if (!isFirst && subscription.endsWithPeriod) {
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
    if (daysUntilDue !== null) invoice.due = nowOf(invoice) + daysUntilDue * DAY
  }

  protected open(invoice: Invoice): void {
    const { terms } = invoice.subscription
    const { subtotal, tax } = totalOf(invoice)
    this.number(invoice)
    if (subtotal + tax === 0) paid(invoice)
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

  protected collect(invoice: Invoice, attempt: Attempt): Outcome {
    cancelWaiting(invoice)
    const { card } = attempt
    if (card === null) return this.#failed(invoice, attempt, NO_CARD)
    const says = this.#ask(invoice, card, attempt.isOffSession)
    const { isOffSession } = attempt
    const payment: Payment = { invoice, card, isOffSession, status: 'succeeded', error: null, refunded: 0 }
    invoice.payments.push(payment)
    if (says === 'ok') {
      if (attempt.isAutomatic || invoice.attempts === 0) invoice.attempts += 1
      paid(invoice)
      recover(invoice.subscription)
      return 'ok'
    }
    if ('code' in says) {
      Object.assign(payment, { status: 'failed', error: says })
      return this.#failed(invoice, attempt, says)
    }
    payment.status = 'requires_action'
    return this.#failed(invoice, attempt, ASKED)
  }

  /** What the issuer says, the alternating card's turn being taken. */
  #ask(invoice: Invoice, card: Card, isOffSession: boolean): Exclude<Says, 'in turn'> {
    if (nowOf(invoice) >= card.expiry) return EXPIRED
    const { on, off } = cardNamed(card.alias)
    const says = isOffSession ? (off[invoice.payments.length] ?? off.at(-1)) : on
    return says === 'in turn' || says === undefined ? inTurn(invoice.subscription.customer) : says
  }

  #failed(invoice: Invoice, { isAutomatic }: Attempt, error: Declined): Outcome {
    if (isAutomatic || invoice.attempts === 0) invoice.attempts += 1
    invoice.error = error
    if (isAutomatic) this.#schedule(invoice)
    return { declined: error.code }
  }

  /** After an automatic attempt: the next one, or what follows the last. */
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
    if (invoice.status === 'open' && subscription.status === 'active') subscription.status = 'past_due'
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

/** The time on an invoice's clock. */
export function nowOf({ subscription }: Invoice): number {
  return subscription.customer.clock.now
}

/** The card that renewals charge. */
export function cardOf({ card, customer }: Subscription): Card | null {
  return card ?? customer.card
}

function automatic({ subscription }: Invoice): Attempt {
  return { card: cardOf(subscription), isAutomatic: true, isOffSession: true }
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

function settle(refund: Refund): void {
  refund.status = refund.settles?.as ?? refund.status
  refund.settles = null
  if (refund.status === 'failed') refund.payment.refunded -= refund.amount
}
