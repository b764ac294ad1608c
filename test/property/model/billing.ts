import {
  EXPIRED,
  findModelCard,
  isAccount,
  isHard,
  type ModelDecision,
  type ModelDecline,
  NO_CARD,
  PENDING_AUTHENTICATION,
  startOf,
} from './cards.ts'
import { discountEnd } from './discounts.ts'
import { LedgerModel } from './ledger.ts'
import {
  amountOf,
  cancelPendingPayment,
  cardOf,
  endPause,
  markPaid,
  nextAlternation,
  nowOf,
  recover,
  settleRefund,
  stopCollecting,
} from './rules.ts'
import type {
  CancellationReason,
  Card,
  Clock,
  Customer,
  DunningPolicy,
  Invoice,
  Line,
  ModelCardDetails,
  Pause,
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
  /** Whether the cardholder has just authenticated the card. */
  readonly hasAuthenticated?: boolean
  /** A card that was entered on the page of the invoice, and whether its subscription keeps it. */
  readonly entered?: ModelCardDetails
  readonly keeps?: boolean
}

type FinalDecision = Exclude<ModelDecision, 'in turn' | 'slowly'>

/** A scheduled job. A due job of the model. Jobs run in order of time, and then of rank. */
export interface ModelJob {
  readonly at: number
  readonly rank: number
  readonly run: () => void
}

/** The rank of each job in the order of jobs at the same time. */
export const RANK = {
  sessionExpiry: 0,
  abandonedPayment: 0,
  start: 1,
  trialEnd: 1,
  refund: 2,
  debit: 2,
  issuer: 2,
  dispute: 3,
  retry: 4,
  resume: 5,
  discountEnd: 6,
  periodEnd: 7,
  overdue: 8,
  trialWillEnd: 8,
  disputeDue: 9,
}

/** The model of subscriptions, invoices, payments and refunds. */
export class BillingModel extends LedgerModel {
  readonly refunds: Refund[] = []
  readonly #policy: DunningPolicy

  constructor(policy: DunningPolicy, now: number) {
    super(now)
    this.#policy = policy
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
      ...this.subscriptions.filter(here).flatMap((subscription) => this.subscriptionJobs(subscription)),
      ...invoices.flatMap((invoice) =>
        invoice.next === null ? [] : { at: invoice.next, rank: RANK.retry, run: () => this.#retry(invoice) },
      ),
      ...invoices.flatMap((invoice) =>
        invoice.due === null || invoice.status !== 'open' || invoice.isOverdueTold
          ? []
          : { at: invoice.due, rank: RANK.overdue, run: () => this.#passDueDate(invoice) },
      ),
      ...this.refunds
        .filter(({ payment }) => payment.customer.clock === clock)
        .flatMap((refund) =>
          refund.settles === null
            ? []
            : { at: refund.settles.at, rank: RANK.refund, run: () => settleRefund(refund) },
        ),
    ]
  }

  /** Returns the jobs of a subscription: the start of a period, and the end of a pause. */
  protected subscriptionJobs(subscription: Subscription): ModelJob[] {
    const { status, terms, index, pause } = subscription
    if (status === 'canceled') return []
    const jobs: ModelJob[] = []
    if (pause !== null && pause.resumes !== null) {
      jobs.push({ at: pause.resumes, rank: RANK.resume, run: () => endPause(subscription) })
    }
    if (status === 'trialing' || status === 'paused') return jobs
    const at = startOf(terms.rhythm, index + 1)
    const run = status === 'pending' ? null : discountEnd(subscription, at)
    if (run !== null) return [...jobs, { at, rank: RANK.discountEnd, run }]
    const rank = status === 'pending' ? RANK.start : RANK.periodEnd
    return [...jobs, { at, rank, run: () => this.#beginPeriod(subscription) }]
  }

  #beginPeriod(subscription: Subscription): void {
    const isFirst = subscription.status === 'pending'
    if (subscription.endsWithPeriod) {
      this.endWithItems(subscription)
      return
    }
    if (isFirst) subscription.status = 'active'
    subscription.index += 1
    this.bill(subscription, isFirst ? 'create' : 'cycle')
  }

  /** Creates the invoice of the current period, and collects it unless collection is paused or given up. */
  protected bill(subscription: Subscription, reason: Invoice['reason'], regular?: readonly Line[]): Invoice {
    const invoice = this.draft(subscription, reason, regular)
    const { pause, status } = subscription
    if (pause !== null) this.applyPause(invoice, pause)
    else if (status === 'unpaid') invoice.isCollected = false
    else this.open(invoice)
    return invoice
  }

  /** Handles a new invoice of a subscription whose collection is paused. */
  protected applyPause(invoice: Invoice, { behavior }: Pause): void {
    stopCollecting(invoice)
    if (behavior === 'void') invoice.status = 'void'
    if (behavior !== 'mark_uncollectible') return
    this.number(invoice)
    if (amountOf(invoice) === 0) markPaid(invoice)
    else invoice.status = 'uncollectible'
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
      ({ card, status }) => card !== null && card === attempt.card && status === 'failed',
    )
    const last = declines.at(-1)?.error
    if (!last || !isHard(last)) return void this.collect(invoice, attempt)
    invoice.attempts += 1
    this.schedule(invoice)
  }

  protected collect(invoice: Invoice, attempt: ModelAttempt): StepOutcome {
    cancelPendingPayment(invoice)
    const { isOffSession, keeps } = attempt
    const entered = attempt.entered ?? attempt.card
    if (entered === null) return this.#failed(invoice, attempt, NO_CARD)
    if (isAccount(entered.alias)) return this.debit(invoice, { ...attempt, entered })
    const says = this.#ask(invoice, entered, attempt)
    const isKept = keeps && says === 'ok'
    const payment = this.charge(invoice.subscription.customer, {
      amount: amountOf(invoice),
      ...{ entered, isOffSession, invoice },
      ...(keeps ? { keeps } : {}),
      session: null,
      card: isKept ? this.keep(invoice, entered) : attempt.card,
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

  /** Returns the decision of the issuer, and counts charges of the alternating card. */
  #ask(
    invoice: Invoice,
    card: ModelCardDetails,
    { isOffSession, hasAuthenticated }: ModelAttempt,
  ): FinalDecision {
    const { customer } = invoice.subscription
    const says = this.ask(customer, card, isOffSession ? invoice.payments.length : null)
    return hasAuthenticated && typeof says === 'object' && 'asks' in says ? says.asks : says
  }

  /** Returns the decision on a charge: on session for null, else off session after a number of earlier attempts. */
  protected ask(customer: Customer, card: ModelCardDetails, attempts: number | null): FinalDecision {
    if (customer.clock.now >= card.expiry) return EXPIRED
    const { on, off } = findModelCard(card.alias)
    const says = attempts === null ? on : (off[attempts] ?? off.at(-1))
    if (says === undefined) throw new Error(`${card.alias} says nothing`)
    // Charges of saved cards are never slow.
    if (says === 'slowly') return 'ok'
    return says === 'in turn' ? nextAlternation(customer) : says
  }

  #failed(invoice: Invoice, { isAutomatic }: ModelAttempt, error: ModelDecline): StepOutcome {
    if (isAutomatic || invoice.attempts === 0) invoice.attempts += 1
    invoice.error = error
    if (isAutomatic) this.schedule(invoice)
    return { declined: error.code }
  }

  /** Schedules the next automatic attempt, or applies the policy after the last attempt. */
  protected schedule(invoice: Invoice): void {
    if (invoice.subscription.status === 'canceled') return
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
    if (invoice.subscription.status === 'active') invoice.subscription.status = 'past_due'
  }

  /** Ends a subscription at its planned time, with an invoice for its pending items. */
  protected endWithItems(subscription: Subscription): void {
    const { pause, status } = subscription
    const isBilled = this.pendingOf(subscription).length > 0
    const invoice = isBilled ? this.draft(subscription, 'cancel', []) : null
    this.end(subscription, 'requested')
    if (invoice === null) return
    if (pause !== null) this.applyPause(invoice, pause)
    else if (status !== 'unpaid') this.openOnce(invoice)
  }

  /** Opens the last invoice of a subscription, and charges it once, without retries. */
  protected openOnce(invoice: Invoice): void {
    invoice.isCollected = true
    this.open(invoice)
    stopCollecting(invoice)
  }

  protected end(subscription: Subscription, reason: CancellationReason): void {
    const { now } = subscription.customer.clock
    const canceledAt = subscription.canceledAt ?? now
    Object.assign(subscription, { status: 'canceled', reason, endedAt: now, canceledAt })
    for (const item of this.pendingOf(subscription)) item.isDeleted = true
    for (const invoice of subscription.invoices) {
      if (invoice.status === 'open' || invoice.status === 'draft') stopCollecting(invoice)
    }
  }
}

function automatic({ subscription }: Invoice): ModelAttempt {
  return { card: cardOf(subscription), isAutomatic: true, isOffSession: true }
}
