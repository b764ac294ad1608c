import { BillingModel, type Job } from './billing.ts'
import {
  cardNamed,
  type Declined,
  namedExpiry,
  periodAt,
  REJECTED,
  type Says,
  typedExpiry,
  UNHEARD,
} from './cards.ts'
import { amountOf, inTurn, onClockOf, paid, totalOf } from './rules.ts'
import type {
  Card,
  Clock,
  Customer,
  Entered,
  Offer,
  Outcome,
  Payment,
  Session,
  Subscription,
} from './state.ts'

const HOUR = 3600
const DECLINES_PER_HOUR = 10
/** How long the issuer of the slow card takes, on the wall. */
const SLOWNESS = 3

/** Sessions of both kinds, and what becomes of them: the buyer's side of the model. */
export class SessionModel extends BillingModel {
  readonly sessions: Session[] = []

  /** Sessions end by themselves before anything else happens, slow issuers answer behind all else. */
  protected override jobs(clock: Clock): Job[] {
    return [
      ...this.sessions
        .filter(({ customer, status }) => customer.clock === clock && status === 'open')
        .filter((session) => !isProcessing(session))
        .map((session) => ({ at: session.expires, rank: 0, run: () => endSession(session, 'time') })),
      ...super.jobs(clock),
      ...(clock === this.wall ? this.payments.flatMap((payment) => this.#answerJob(payment)) : []),
    ]
  }

  #answerJob({ status, session }: Payment): Job[] {
    if (status !== 'processing' || !session?.waiting?.answersAt) return []
    return [{ at: session.waiting.answersAt, rank: 6, run: () => void this.#approved(session) }]
  }

  openSession(
    customer: Customer,
    { offer, amount, lifetime }: Pick<Session, 'offer' | 'amount'> & { readonly lifetime: number },
  ): Outcome {
    if (customer.isDeleted) return 'refused'
    return onClockOf(customer, () => {
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

  expire(session: Session): Outcome {
    return onClockOf(session.customer, () => {
      if (!isOpen(session) || isProcessing(session)) return 'refused'
      endSession(session, 'api')
      return 'ok'
    })
  }

  /** The buyer enters a card; the outcome is ok where somebody is still to answer. */
  submit(session: Session, alias: string): Outcome {
    const { clock } = session.customer
    return onClockOf(session.customer, () =>
      this.#submitted(session, { alias, expiry: typedExpiry(clock.now) }),
    )
  }

  /** The API's way: a card is entered, and the buyer answers at once if asked. */
  complete(session: Session, alias: string, isApproved: boolean): Outcome {
    return onClockOf(session.customer, () => {
      const entered = { alias, expiry: namedExpiry(session.customer.clock.now) }
      const submitted = this.#submitted(session, entered)
      const isAsked = submitted === 'ok' && session.waiting !== null && session.waiting.answersAt === null
      return isAsked ? this.#answered(session, isApproved) : submitted
    })
  }

  answerSession(session: Session, isApproved: boolean): Outcome {
    return onClockOf(session.customer, () => {
      const isAsked = session.waiting !== null && session.waiting.answersAt === null
      return isOpen(session) && isAsked ? this.#answered(session, isApproved) : 'refused'
    })
  }

  #submitted(session: Session, entered: Entered): Outcome {
    const { customer, offer, waiting } = session
    if (!isOpen(session)) return 'refused'
    if (offer !== null && offer.daysUntilDue !== null) return this.#sold(session, offer, null)
    if (waiting?.answersAt || isOverLimit(session)) return 'refused'
    endWait(session)
    const { on, saving } = cardNamed(entered.alias)
    const charged = isDue(session) ? session.amount : 0
    const issuer = charged > 0 ? on : saving
    const says = issuer === 'in turn' ? inTurn(customer) : issuer
    const payment = charged > 0 ? this.#charged(session, entered) : null
    session.waiting = { entered, payment, answersAt: null }
    return this.#heard(session, says)
  }

  #charged(session: Session, entered: Entered): Payment {
    const { customer, amount } = session
    return this.charge(customer, {
      ...{ amount, entered, session },
      ...{ isOffSession: false, invoice: null, card: null },
    })
  }

  #heard(session: Session, says: Exclude<Says, 'in turn'>): Outcome {
    const { waiting } = session
    if (waiting === null) throw new Error('nobody was asked')
    if (says === 'ok') return this.#approved(session)
    if (says === 'slowly') {
      session.waiting = { ...waiting, answersAt: this.wall.now + SLOWNESS }
      if (waiting.payment) waiting.payment.status = 'processing'
      return 'ok'
    }
    if ('code' in says) return refuse(session, says)
    if (waiting.payment) waiting.payment.status = 'requires_action'
    return 'ok'
  }

  #answered(session: Session, isApproved: boolean): Outcome {
    const { waiting } = session
    if (waiting === null) throw new Error('nobody was asked')
    const { on, saving } = cardNamed(waiting.entered.alias)
    const says = waiting.payment === null ? saving : on
    if (typeof says === 'string' || !('asks' in says)) throw new Error('the issuer asked for nothing')
    const then = isApproved ? says.asks : REJECTED
    return then === 'ok' ? this.#approved(session) : refuse(session, then)
  }

  /** The issuer said yes: the session is complete, with all that comes of it. */
  #approved(session: Session): Outcome {
    const { waiting, offer } = session
    if (waiting === null) throw new Error('nobody was asked')
    session.waiting = null
    // What began as saving a card is a charge when the start has passed before the buyer answered.
    const isCharged = waiting.payment === null && offer !== null && isDue(session) && session.amount > 0
    const payment = isCharged ? this.#charged(session, waiting.entered) : waiting.payment
    if (payment) payment.status = 'succeeded'
    if (offer !== null) return this.#sold(session, offer, { ...waiting, payment })
    session.owes = 'paid'
    completed(session)
    return 'ok'
  }

  #sold(session: Session, offer: Offer, by: Session['waiting']): Outcome {
    const { customer } = session
    const card = by === null ? null : this.#saved(customer, by.entered)
    const subscription = subscriptionOf(session, offer, card)
    this.subscriptions.push(subscription)
    if (isDue(session)) session.owes = by === null ? 'unpaid' : 'paid'
    else session.owes = 'no_payment_required'
    Object.assign(session, { subscription, card })
    completed(session)
    if (subscription.index === -1) return 'ok'
    const invoice = this.draft(subscription, true)
    this.number(invoice)
    if (amountOf(invoice) === 0) paid(invoice)
    if (!by?.payment) return 'ok'
    invoice.payments.push(by.payment)
    invoice.attempts = 1
    Object.assign(by.payment, { invoice, card })
    paid(invoice)
    return 'ok'
  }

  #saved(customer: Customer, entered: Entered): Card {
    const card: Card = { ...entered, customer, isAttached: true }
    this.cards.push(card)
    customer.card ??= card
    return card
  }
}

function subscriptionOf(
  { customer }: Session,
  { rhythm, start, items, daysUntilDue }: Offer,
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

/** What a checkout session asks for each period. */
export function priceOf({ items }: Offer): number {
  const { subtotal, tax } = totalOf(items)
  return subtotal + tax
}

/** Whether completing now asks for money at once. */
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

function refuse(session: Session, error: Declined): Outcome {
  const payment = session.waiting?.payment
  if (payment) Object.assign(payment, { status: 'failed', error })
  session.waiting = null
  return { declined: error.code }
}

/** Whether an issuer takes its time with a charge. */
export function isProcessing({ waiting }: Session): boolean {
  return waiting?.payment?.status === 'processing'
}

function endWait(session: Session): void {
  const payment = session.waiting?.payment
  // Only a clock that is deleted ends a session whose issuer was not heard.
  if (payment && isProcessing(session)) Object.assign(payment, { status: 'failed', error: UNHEARD })
  else if (payment) payment.status = 'canceled'
  session.waiting = null
}

function completed(session: Session): void {
  session.status = 'complete'
  session.ended = { at: session.customer.clock.now, why: 'completed' }
}

/** An open session ends unfinished, and with it whoever was waited for. */
export function endSession(session: Session, why: 'time' | 'api' | 'customer_deleted'): void {
  endWait(session)
  session.status = 'expired'
  session.ended = { at: session.customer.clock.now, why }
}
