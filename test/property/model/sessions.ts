import { type ModelJob, RANK } from './billing.ts'
import { CardModel } from './card-updates.ts'
import {
  enteredExpiry,
  findModelCard,
  isAccount,
  type ModelDecision,
  type ModelDecline,
  namedExpiry,
  PROCESSING_ERROR,
  periodAt,
  REJECTED,
} from './cards.ts'
import { firstDiscountStart, isOfferRedeemable, redeem } from './discounts.ts'
import { amountOf, balanceOf, isOverLimit, markPaid, nextAlternation, runOnClock } from './rules.ts'
import type {
  Card,
  CheckoutOffer,
  Clock,
  Customer,
  ModelCardDetails,
  Payment,
  PendingDecision,
  Session,
  StepOutcome,
  Subscription,
} from './state.ts'
import { trialOf } from './trials.ts'

/** Processing time of the slow card in seconds of wall time. */
const SLOW_CARD_SECONDS = 3

/** The model of checkout and payment sessions. */
export class SessionModel extends CardModel {
  /** Sessions expire before all other jobs. */
  protected override jobs(clock: Clock): ModelJob[] {
    return [
      ...this.sessions
        .filter(({ customer, status }) => customer.clock === clock && status === 'open')
        .filter((session) => !isProcessing(session))
        .map((session) => {
          const run = () => endSession(session, 'time')
          return { at: session.expires, rank: RANK.sessionExpiry, run }
        }),
      ...super.jobs(clock),
      ...(clock === this.wall ? this.payments.flatMap((payment) => this.#decisionJob(payment)) : []),
    ]
  }

  #decisionJob({ status, session }: Payment): ModelJob[] {
    if (status !== 'processing' || !session?.waiting?.answersAt) return []
    return [{ at: session.waiting.answersAt, rank: RANK.issuer, run: () => this.#decide(session) }]
  }

  /** Applies the approval of a slow issuer, unless the discount of the session can no longer be redeemed. */
  #decide(session: Session): void {
    if (this.#keepsDiscount(session)) this.#approve(session)
    else {
      endWait(session, 'canceled')
      if (!isOpen(session)) endSession(session, 'time')
    }
  }

  openSession(
    customer: Customer,
    what: Partial<Pick<Session, 'offer' | 'saves' | 'isHold'>> &
      Pick<Session, 'amount'> & { readonly lifetime: number },
  ): StepOutcome {
    return runOnClock(customer, () => {
      if (what.offer && !isOfferRedeemable(what.offer, customer, this)) return 'refused'
      return this.addSession(customer, what)
    })
  }

  /** Returns whether the discount of a session can be redeemed; true for a session without a discount. */
  #keepsDiscount({ offer, customer }: Session): boolean {
    return offer === null || isOfferRedeemable(offer, customer, this)
  }

  expire(session: Session): StepOutcome {
    return runOnClock(session.customer, () => {
      if (!isOpen(session) || isProcessing(session)) return 'refused'
      endSession(session, 'api')
      return 'ok'
    })
  }

  /** Submits an entered card. Returns `ok` also while a decision of the issuer or the cardholder is pending. */
  submit(session: Session, alias: string): StepOutcome {
    const { clock } = session.customer
    return runOnClock(session.customer, () =>
      this.#submitCard(session, { alias, expiry: enteredExpiry(clock.now) }),
    )
  }

  /** Completes a session as the API does: submits a card, and approves or rejects 3-D Secure immediately. */
  complete(session: Session, alias: string | null, isApproved: boolean): StepOutcome {
    return runOnClock(session.customer, () => {
      const { now } = session.customer.clock
      const entered = alias === null ? null : { alias, expiry: namedExpiry(now) }
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

  /** Submits a card; null completes a session without a card. */
  #submitCard(session: Session, entered: ModelCardDetails | null): StepOutcome {
    const { customer, offer, waiting } = session
    if (!isOpen(session)) return 'refused'
    if (waiting?.answersAt || !this.#keepsDiscount(session)) return 'refused'
    const isOptional = offer !== null && !isCardRequired(session, offer)
    if (isOptional && (entered === null || offer.daysUntilDue !== null)) {
      endWait(session)
      return this.#completeCheckout(session, offer, null)
    }
    if (entered === null) return 'refused'
    const isDebit = isAccount(entered.alias)
    // A direct debit is no offer of a card session, and cannot be reserved.
    if (isDebit ? session.use !== null || session.isHold : isOverLimit(session)) return 'refused'
    endWait(session)
    const { on, saving } = findModelCard(entered.alias)
    const isCharged = chargeOf(session) > 0
    const issuer = isCharged ? on : saving
    const says = issuer === 'in turn' ? nextAlternation(customer) : issuer
    const payment = isCharged ? this.#chargeCard(session, entered) : null
    session.waiting = { entered, payment, answersAt: null }
    return this.#applyDecision(session, says)
  }

  #chargeCard(session: Session, entered: ModelCardDetails): Payment {
    const amount = chargeOf(session)
    return this.charge(session.customer, {
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
    if (isApproved && !this.#keepsDiscount(session)) return 'refused'
    const { on, saving } = findModelCard(waiting.entered.alias)
    const says = waiting.payment === null ? saving : on
    if (typeof says === 'string' || !('asks' in says)) throw new Error('the card requires no authentication')
    const then = isApproved ? says.asks : REJECTED
    return then === 'ok' ? this.#approve(session) : declineSession(session, then)
  }

  /** Completes an approved session and creates its objects. */
  #approve(session: Session): StepOutcome {
    const { waiting, offer, use } = session
    if (waiting === null) throw new Error('no decision is pending')
    session.waiting = null
    const payment = offer === null ? waiting.payment : this.#exactPayment(session, waiting)
    if (payment) this.approve(payment)
    if (offer !== null) return this.#completeCheckout(session, offer, { ...waiting, payment })
    if (use !== null || session.saves) session.card = this.save(session.customer, waiting.entered)
    if (payment) Object.assign(payment, { card: session.card })
    if (use === null) session.owes = payment?.status === 'succeeded' ? 'paid' : 'unpaid'
    else if (session.card !== null) this.useCard(session.card, use)
    markCompleted(session)
    return 'ok'
  }

  /**
   * Returns the payment of the amount that is due now; null when nothing is due. The amount may have changed during
   * 3-D Secure: a trial ended, billing started, or the credit of the customer changed.
   */
  #exactPayment(session: Session, { payment, entered }: PendingDecision): Payment | null {
    const due = chargeOf(session)
    if (payment !== null && payment.amount === due) return payment
    if (payment !== null) payment.status = 'canceled'
    return due > 0 ? this.#chargeCard(session, entered) : null
  }

  #completeCheckout(session: Session, offer: CheckoutOffer, by: Session['waiting']): StepOutcome {
    const { customer } = session
    const card = by === null ? null : this.save(customer, by.entered)
    const subscription = subscriptionOf(session, offer, card)
    if (offer.coupon !== null)
      subscription.discount = redeem(offer.coupon, offer.code, firstDiscountStart(subscription))
    this.subscriptions.push(subscription)
    const isPaid = by !== null && !isAccount(by.entered.alias)
    if (chargeOf(session) > 0) session.owes = isPaid ? 'paid' : 'unpaid'
    else session.owes = 'no_payment_required'
    Object.assign(session, { subscription, card })
    markCompleted(session)
    if (subscription.status === 'trialing') this.beginTrial(subscription)
    if (subscription.index === -1) return 'ok'
    const invoice = this.draft(subscription, 'create')
    this.number(invoice)
    if (amountOf(invoice) === 0) markPaid(invoice)
    if (!by?.payment) return 'ok'
    invoice.payments.push(by.payment)
    invoice.attempts = 1
    Object.assign(by.payment, { invoice, card })
    if (isPaid) markPaid(invoice)
    return 'ok'
  }
}

function subscriptionOf({ customer }: Session, offer: CheckoutOffer, card: Card | null): Subscription {
  const { rhythm, start, items, daysUntilDue, currency } = offer
  const { now } = customer.clock
  const trial = trialOf(offer, now)
  const anchor = trial?.end ?? start ?? now
  const copies = items.map((item) => ({ ...item }))
  const terms = { rhythm: { ...rhythm, anchor }, items: copies, daysUntilDue, currency }
  const index = periodAt(terms.rhythm, now)
  const beforeFirst = trial === null ? 'pending' : 'trialing'
  return {
    ...{ customer, terms, index, card, trial, pause: null, discount: null },
    status: index === -1 ? beforeFirst : 'active',
    ...{ endsWithPeriod: false, canceledAt: null, endedAt: null, reason: null, invoices: [] },
  }
}

/** Returns whether completing a checkout session requires a card. */
function isCardRequired({ customer }: Session, offer: CheckoutOffer): boolean {
  if (offer.daysUntilDue !== null) return false
  return offer.trial?.asksCard !== false || trialOf(offer, customer.clock.now) === null
}

/** Returns whether completing the session now begins with an amount to pay. */
function isDue({ offer, use, amount, customer }: Session): boolean {
  if (use !== null) return false
  const { now } = customer.clock
  const isTrial = offer !== null && trialOf(offer, now) !== null
  return amount > 0 && !isTrial && (offer?.start ?? 0) <= now
}

/** Returns the amount that completing the session now charges: its price without the credit of the customer. */
function chargeOf(session: Session): number {
  const { amount, customer, offer } = session
  if (!isDue(session)) return 0
  return offer === null ? amount : Math.max(0, amount + balanceOf(customer, offer.currency))
}

function isOpen({ status, expires, customer }: Session): boolean {
  return status === 'open' && customer.clock.now < expires
}

function declineSession(session: Session, error: ModelDecline): StepOutcome {
  const payment = session.waiting?.payment
  if (payment) Object.assign(payment, { status: 'failed', error })
  else session.declines.push(session.customer.clock.now)
  session.waiting = null
  return { declined: error.code }
}

/** Returns whether a slow issuer is processing a charge. */
export function isProcessing({ waiting }: Session): boolean {
  return waiting?.payment?.status === 'processing'
}

function endWait(session: Session, as: 'failed' | 'canceled' = 'failed'): void {
  const payment = session.waiting?.payment
  // Only deleting a clock ends a session with a processing payment.
  if (payment && isProcessing(session) && as === 'failed')
    Object.assign(payment, { status: 'failed', error: PROCESSING_ERROR })
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
  session.ended = { at: why === 'time' ? session.expires : session.customer.clock.now, why }
}
