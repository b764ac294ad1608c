import type { ModelJob } from './billing.ts'
import { RANK } from './billing.ts'
import { EXPIRED, findModelCard, isAccount, REJECTED } from './cards.ts'
import { runOnClock } from './rules.ts'
import { SessionModel } from './sessions.ts'
import type { Card, Clock, Customer, Invoice, Payment, StepOutcome } from './state.ts'

const DAY = 86_400

/** Options of a payment with a saved card. */
export interface DirectCharge {
  readonly amount: number
  readonly card: Card | null
  readonly isOffSession: boolean
  readonly isHold: boolean
}

/** The model of payments that the API charges to saved cards. */
export abstract class SavedCardModel extends SessionModel {
  protected override jobs(clock: Clock): ModelJob[] {
    const own = this.payments.filter(({ customer }) => customer.clock === clock)
    const rank = RANK.abandonedPayment
    return [
      ...own.flatMap((payment) => {
        const at = isWaiting(payment) ? payment.created + DAY : releaseTimeOf(payment)
        return at === null ? [] : [{ at, rank, run: () => cancel(payment) }]
      }),
      ...super.jobs(clock),
    ]
  }

  abstract answerInvoice(invoice: Invoice, isApproved: boolean): StepOutcome

  chargeCard(customer: Customer, { amount, card: named, isOffSession, isHold }: DirectCharge): StepOutcome {
    return runOnClock(customer, () => {
      if (customer.isDeleted) return 'refused'
      const card = named ?? customer.card
      if (card === null || !card.isAttached || card.customer !== customer) return 'refused'
      // A direct debit cannot be reserved.
      if (isHold && isAccount(card.alias)) return 'refused'
      const says = this.ask(customer, card, isOffSession ? card.directCharges : null)
      if (isOffSession) card.directCharges += 1
      const payment = this.charge(customer, {
        ...{ amount, card, isOffSession, isHold, entered: card },
        ...{ session: null, invoice: null },
      })
      if (says === 'ok') {
        this.approve(payment)
        return 'ok'
      }
      if ('code' in says) {
        Object.assign(payment, { status: 'failed', error: says })
        return { declined: says.code }
      }
      payment.status = 'requires_action'
      return { declined: 'authentication_required' }
    })
  }

  /** Cancels a payment that requires authentication or capture; the session or invoice does not change. */
  cancelPayment(payment: Payment): StepOutcome {
    return runOnClock(payment.customer, () => {
      if (releaseTimeOf(payment) !== null) return cancel(payment)
      if (payment.status !== 'requires_action') return 'refused'
      if (payment.session !== null) payment.session.waiting = null
      return cancel(payment)
    })
  }

  /** Collects a part of the reserved amount, or the whole amount for null. */
  capturePayment(payment: Payment, part: number | null): StepOutcome {
    return runOnClock(payment.customer, () => {
      const amount = part ?? payment.amount
      if (payment.status !== 'requires_capture' || amount > payment.amount) return 'refused'
      const says = findModelCard(payment.entered.alias).capture
      if (says !== 'ok') return { declined: says.code }
      Object.assign(payment, {
        status: 'succeeded',
        captured: amount,
        collectedAt: payment.customer.clock.now,
      })
      if (payment.session !== null) payment.session.owes = 'paid'
      return 'ok'
    })
  }

  /** Ends the authentication of a payment. */
  answerPayment(payment: Payment, isApproved: boolean): StepOutcome {
    const { session, invoice } = payment
    if (payment.status === 'requires_action') {
      if (session !== null) return this.answerSession(session, isApproved)
      if (invoice !== null) return this.answerInvoice(invoice, isApproved)
    }
    return runOnClock(payment.customer, () => this.#answerDirect(payment, isApproved))
  }

  #answerDirect(payment: Payment, isApproved: boolean): StepOutcome {
    const { customer, entered } = payment
    if (!isWaiting(payment)) return 'refused'
    const { on } = findModelCard(entered.alias)
    if (typeof on === 'string' || !('asks' in on)) throw new Error('the card requires no authentication')
    const then = customer.clock.now >= entered.expiry ? EXPIRED : on.asks
    const says = isApproved ? then : REJECTED
    if (says === 'ok') {
      this.approve(payment)
      return 'ok'
    }
    Object.assign(payment, { status: 'failed', error: says })
    return { declined: says.code }
  }

  protected cancelDirectPayments(customer: Customer): void {
    for (const payment of this.payments) {
      if (payment.customer === customer && isWaiting(payment)) cancel(payment)
    }
  }
}

/** Returns whether a payment of the API waits for authentication. */
export function isWaiting({ session, invoice, status }: Payment): boolean {
  return session === null && invoice === null && status === 'requires_action'
}

/** Returns the time at which the reserved amount of a payment is released; null if no amount is reserved. */
function releaseTimeOf({ status, heldUntil }: Payment): number | null {
  return status === 'requires_capture' ? heldUntil : null
}

function cancel(payment: Payment): StepOutcome {
  payment.status = 'canceled'
  return 'ok'
}
