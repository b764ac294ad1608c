import { BillingModel, type ModelJob } from './billing.ts'
import {
  enteredExpiry,
  findModelCard,
  type ModelDecision,
  type ModelDecline,
  namedExpiry,
  PROCESSING_ERROR,
  periodAt,
  REJECTED,
} from './cards.ts'
import { amountOf, markPaid, nextAlternation, runOnClock, totalOf } from './rules.ts'
import type {
  Card,
  CheckoutOffer,
  Clock,
  Customer,
  ModelCardDetails,
  Payment,
  Session,
  StepOutcome,
  Subscription,
} from './state.ts'

const HOUR = 3600
const DECLINES_PER_HOUR = 10
/** Processing time of the slow card in seconds of wall time. */
const SLOW_CARD_SECONDS = 3

/** The model of checkout and payment sessions. */
export class SessionModel extends BillingModel {
  readonly sessions: Session[] = []

  /** Sessions expire before all other jobs; decisions of slow issuers come before retries. */
  protected override jobs(clock: Clock): ModelJob[] {
    return [
      ...this.sessions
        .filter(({ customer, status }) => customer.clock === clock && status === 'open')
        .filter((session) => !isProcessing(session))
        .map((session) => ({ at: session.expires, rank: 0, run: () => endSession(session, 'time') })),
      ...super.jobs(clock),
      ...(clock === this.wall ? this.payments.flatMap((payment) => this.#decisionJob(payment)) : []),
    ]
  }

  #decisionJob({ status, session }: Payment): ModelJob[] {
    if (status !== 'processing' || !session?.waiting?.answersAt) return []
    return [{ at: session.waiting.answersAt, rank: 2, run: () => void this.#approve(session) }]
  }

  openSession(
    customer: Customer,
    { offer, amount, lifetime }: Pick<Session, 'offer' | 'amount'> & { readonly lifetime: number },
  ): StepOutcome {
    if (customer.isDeleted) return 'refused'
    return runOnClock(customer, () => {
      this.sessions.push({
        customer,
        offer,
        amount,
        expires: customer.clock.now + lifetime,
        status: 'open',
        owes: 'unpaid',
        ended: null,
        waiting: null,
        subscription: null,
        card: null,
        payments: [],
      })
      return 'ok'
    })
  }

  expire(session: Session): StepOutcome {
    return runOnClock(session.customer, () => {
      if (!isOpen(session) || isProcessing(session)) return 'refused'
      endSession(session, 'api')
      return 'ok'
    })
  }

  /** Submits an entered card. The outcome is ok when a decision is pending. */
  submit(session: Session, alias: string): StepOutcome {
    const { clock } = session.customer
    return runOnClock(session.customer, () =>
      this.#submitCard(session, { alias, expiry: enteredExpiry(clock.now) }),
    )
  }

  /** Completes a session like the API: submits a card and answers 3-D Secure immediately. */
  complete(session: Session, alias: string, isApproved: boolean): StepOutcome {
    return runOnClock(session.customer, () => {
      const entered = { alias, expiry: namedExpiry(session.customer.clock.now) }
      const submitted = this.#submitCard(session, entered)
      const isAsked = submitted === 'ok' && session.waiting !== null && session.waiting.answersAt === null
      return isAsked ? this.#applyAuthentication(session, isApproved) : submitted
    })
  }

  answerSession(session: Session, isApproved: boolean): StepOutcome {
    return runOnClock(session.customer, () => {
      const isAsked = session.waiting !== null && session.waiting.answersAt === null
      return isOpen(session) && isAsked ? this.#applyAuthentication(session, isApproved) : 'refused'
    })
  }

  #submitCard(session: Session, entered: ModelCardDetails): StepOutcome {
    const { customer, offer, waiting } = session
    if (!isOpen(session)) return 'refused'
    if (offer !== null && offer.daysUntilDue !== null) return this.#completeCheckout(session, offer, null)
    if (waiting?.answersAt || isOverLimit(session)) return 'refused'
    endWait(session)
    const { on, saving } = findModelCard(entered.alias)
    const charged = isDue(session) ? session.amount : 0
    const issuer = charged > 0 ? on : saving
    const says = issuer === 'in turn' ? nextAlternation(customer) : issuer
    const payment = charged > 0 ? this.#chargeCard(session, entered) : null
    session.waiting = { entered, payment, answersAt: null }
    return this.#applyDecision(session, says)
  }

  #chargeCard(session: Session, entered: ModelCardDetails): Payment {
    const { customer, amount } = session
    return this.charge(customer, {
      ...{ amount, entered, session },
      ...{ isOffSession: false, invoice: null, card: null },
    })
  }

  #applyDecision(session: Session, says: Exclude<ModelDecision, 'in turn'>): StepOutcome {
    const { waiting } = session
    if (waiting === null) throw new Error('no decision is pending')
    if (says === 'ok') return this.#approve(session)
    if (says === 'slowly') {
      session.waiting = { ...waiting, answersAt: this.wall.now + SLOW_CARD_SECONDS }
      if (waiting.payment) waiting.payment.status = 'processing'
      return 'ok'
    }
    if ('code' in says) return declineSession(session, says)
    if (waiting.payment) waiting.payment.status = 'requires_action'
    return 'ok'
  }

  #applyAuthentication(session: Session, isApproved: boolean): StepOutcome {
    const { waiting } = session
    if (waiting === null) throw new Error('no decision is pending')
    const { on, saving } = findModelCard(waiting.entered.alias)
    const says = waiting.payment === null ? saving : on
    if (typeof says === 'string' || !('asks' in says)) throw new Error('the card requires no authentication')
    const then = isApproved ? says.asks : REJECTED
    return then === 'ok' ? this.#approve(session) : declineSession(session, then)
  }

  /** Completes an approved session and creates its objects. */
  #approve(session: Session): StepOutcome {
    const { waiting, offer } = session
    if (waiting === null) throw new Error('no decision is pending')
    session.waiting = null
    // Saving a card becomes a charge when the start passes during 3-D Secure.
    const isCharged = waiting.payment === null && offer !== null && isDue(session) && session.amount > 0
    const payment = isCharged ? this.#chargeCard(session, waiting.entered) : waiting.payment
    if (payment) payment.status = 'succeeded'
    if (offer !== null) return this.#completeCheckout(session, offer, { ...waiting, payment })
    session.owes = 'paid'
    markCompleted(session)
    return 'ok'
  }

  #completeCheckout(session: Session, offer: CheckoutOffer, by: Session['waiting']): StepOutcome {
    const { customer } = session
    const card = by === null ? null : this.#saved(customer, by.entered)
    const subscription = subscriptionOf(session, offer, card)
    this.subscriptions.push(subscription)
    if (isDue(session)) session.owes = by === null ? 'unpaid' : 'paid'
    else session.owes = 'no_payment_required'
    Object.assign(session, { subscription, card })
    markCompleted(session)
    if (subscription.index === -1) return 'ok'
    const invoice = this.draft(subscription, true)
    this.number(invoice)
    if (amountOf(invoice) === 0) markPaid(invoice)
    if (!by?.payment) return 'ok'
    invoice.payments.push(by.payment)
    invoice.attempts = 1
    Object.assign(by.payment, { invoice, card })
    markPaid(invoice)
    return 'ok'
  }

  #saved(customer: Customer, entered: ModelCardDetails): Card {
    const card: Card = { ...entered, customer, isAttached: true }
    this.cards.push(card)
    customer.card ??= card
    return card
  }
}

function subscriptionOf(
  { customer }: Session,
  { rhythm, start, items, daysUntilDue }: CheckoutOffer,
  card: Card | null,
): Subscription {
  const { now } = customer.clock
  const terms = { rhythm: { ...rhythm, anchor: start ?? now }, items, daysUntilDue }
  const index = periodAt(terms.rhythm, now)
  return {
    ...{ customer, terms, index, card },
    status: index === -1 ? 'pending' : 'active',
    ...{ endsWithPeriod: false, canceledAt: null, endedAt: null, reason: null, invoices: [] },
  }
}

/** Returns the price of a period. */
export function priceOf({ items }: CheckoutOffer): number {
  const { subtotal, tax } = totalOf(items)
  return subtotal + tax
}

/** Returns whether completing the session now charges the card. */
function isDue({ offer, amount, customer }: Session): boolean {
  return amount > 0 && (offer?.start ?? 0) <= customer.clock.now
}

function isOpen({ status, expires, customer }: Session): boolean {
  return status === 'open' && customer.clock.now < expires
}

function isOverLimit({ payments, customer }: Session): boolean {
  const since = customer.clock.now - HOUR
  const recent = payments.filter(({ status, created }) => status === 'failed' && created > since)
  return recent.length >= DECLINES_PER_HOUR
}

function declineSession(session: Session, error: ModelDecline): StepOutcome {
  const payment = session.waiting?.payment
  if (payment) Object.assign(payment, { status: 'failed', error })
  session.waiting = null
  return { declined: error.code }
}

/** Returns whether a slow issuer is processing a charge. */
export function isProcessing({ waiting }: Session): boolean {
  return waiting?.payment?.status === 'processing'
}

function endWait(session: Session): void {
  const payment = session.waiting?.payment
  // Only deleting a clock ends a session with a processing payment.
  if (payment && isProcessing(session)) Object.assign(payment, { status: 'failed', error: PROCESSING_ERROR })
  else if (payment) payment.status = 'canceled'
  session.waiting = null
}

function markCompleted(session: Session): void {
  session.status = 'complete'
  session.ended = { at: session.customer.clock.now, why: 'completed' }
}

/** Ends an open session and its pending payment. */
export function endSession(session: Session, why: 'time' | 'api' | 'customer_deleted'): void {
  endWait(session)
  session.status = 'expired'
  session.ended = { at: session.customer.clock.now, why }
}
