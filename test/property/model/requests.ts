import { cardNamed, EXPIRED, REJECTED } from './cards.ts'
import {
  cancelWaiting,
  cardOf,
  nowOf,
  onClockOf,
  paid,
  recover,
  stopCollecting,
  waitingFor,
} from './rules.ts'
import { endSession, isProcessing, SessionModel } from './sessions.ts'
import type { Card, Clock, Customer, Invoice, Outcome, Payment, Refund, Subscription } from './state.ts'

const HOUR = 3600

/** How somebody pays an invoice by hand. */
export interface ByHand {
  readonly card: Card | null
  readonly how: 'off session' | 'on session' | 'out of band'
}

/** What of a subscription is changed; null and undefined leave it as it is. */
export interface Changed {
  readonly endsWithPeriod: boolean | null
  readonly card: Card | null | undefined
}

/** The model with all that somebody may ask of it. */
export class Model extends SessionModel {
  readonly clocks: Clock[] = []

  addClock(now: number): Outcome {
    this.clocks.push({ now, state: 'ready' })
    return 'ok'
  }

  addCustomer(clock: Clock): Outcome {
    return onClockOf({ clock }, () => {
      this.customers.push({ clock, card: null, isDeleted: false, charges: 0 })
      return 'ok'
    })
  }

  beginAdvance(clock: Clock, target: number): Outcome {
    return onClockOf({ clock }, () => {
      if (target <= clock.now) return 'refused'
      clock.state = 'advancing'
      return 'ok'
    })
  }

  endAdvance(clock: Clock, target: number): Outcome {
    if (this.isDue(clock, target)) throw new Error('an advance ended with something still to do')
    clock.now = target
    clock.state = 'ready'
    return 'ok'
  }

  /** Whether something is still to be done on a clock up to a moment. */
  isDue(clock: Clock, until: number): boolean {
    return clock.state !== 'deleted' && this.jobs(clock).some(({ at }) => at <= until)
  }

  pay(invoice: Invoice, { card, how }: ByHand): Outcome {
    return onInvoice(invoice, ['open', 'uncollectible'], () => {
      // A card that was named but taken away meanwhile is not charged.
      if (card !== null && !card.isAttached) return 'refused'
      if (how === 'out of band') {
        cancelWaiting(invoice)
        invoice.isOutOfBand = true
        return settled(invoice)
      }
      const charged = card ?? usable(cardOf(invoice.subscription))
      if (charged === null) return 'refused'
      return this.collect(invoice, { card: charged, isAutomatic: false, isOffSession: how === 'off session' })
    })
  }

  answerInvoice(invoice: Invoice, isApproved: boolean): Outcome {
    return onInvoice(invoice, ['open', 'uncollectible'], () => {
      const payment = waitingFor(invoice)
      if (payment === undefined) return 'refused'
      const { alias, expiry } = payment.entered
      const { on } = cardNamed(alias)
      if (typeof on === 'string' || !('asks' in on)) throw new Error('the issuer asked for nothing')
      const then = nowOf(invoice) >= expiry ? EXPIRED : on.asks
      const says = isApproved ? then : REJECTED
      if (says === 'ok') {
        payment.status = 'succeeded'
        return settled(invoice)
      }
      Object.assign(payment, { status: 'failed', error: says })
      invoice.error = says
      return { declined: says.code }
    })
  }

  finalize(invoice: Invoice): Outcome {
    return onInvoice(invoice, ['draft'], () => {
      // It would be sent to an address that is gone.
      if (invoice.subscription.customer.isDeleted) return 'refused'
      this.open(invoice)
      return 'ok'
    })
  }

  void(invoice: Invoice): Outcome {
    return onInvoice(invoice, ['draft', 'open', 'uncollectible'], () => {
      cancelWaiting(invoice)
      return dropped(invoice, 'void')
    })
  }

  writeOff(invoice: Invoice): Outcome {
    return onInvoice(invoice, ['open'], () => dropped(invoice, 'uncollectible'))
  }

  refund(payment: Payment, amount: number | null): Outcome {
    return onClockOf(payment.customer, () => {
      const left = payment.amount - payment.refunded
      const asked = amount ?? left
      if (payment.status !== 'succeeded' || left === 0 || asked > left) return 'refused'
      payment.refunded += asked
      this.refunds.push(refundOf(payment, asked))
      return 'ok'
    })
  }

  detach(card: Card): Outcome {
    return onClockOf(card.customer, () => {
      if (!card.isAttached) return 'refused'
      card.isAttached = false
      for (const payment of this.payments) {
        if (payment.card === card && payment.status === 'requires_action') payment.status = 'canceled'
      }
      if (card.customer.card === card) card.customer.card = null
      for (const subscription of this.subscriptions) {
        if (subscription.card === card && subscription.status !== 'canceled') subscription.card = null
      }
      return 'ok'
    })
  }

  choose(customer: Customer, card: Card | null): Outcome {
    return onClockOf(customer, () => {
      if (customer.isDeleted || card?.isAttached === false) return 'refused'
      customer.card = card
      return 'ok'
    })
  }

  update(subscription: Subscription, { endsWithPeriod, card }: Changed): Outcome {
    return onClockOf(subscription.customer, () => {
      if (subscription.status === 'canceled' || card?.isAttached === false) return 'refused'
      if (card !== undefined) subscription.card = card
      if (endsWithPeriod === null) return 'ok'
      subscription.endsWithPeriod = endsWithPeriod
      const { now } = subscription.customer.clock
      subscription.canceledAt = endsWithPeriod ? (subscription.canceledAt ?? now) : null
      return 'ok'
    })
  }

  cancel(subscription: Subscription): Outcome {
    return onClockOf(subscription.customer, () => {
      if (subscription.status === 'canceled') return 'refused'
      this.end(subscription, 'requested')
      return 'ok'
    })
  }

  deleteCustomer(customer: Customer): Outcome {
    return onClockOf(customer, () => {
      const isHeldUp = this.sessions.some((session) => session.customer === customer && isProcessing(session))
      return customer.isDeleted || isHeldUp ? 'refused' : this.#endCustomer(customer)
    })
  }

  #endCustomer(customer: Customer): Outcome {
    return onClockOf(customer, () => {
      const own = <T extends { readonly customer: Customer }>(list: readonly T[]) =>
        list.filter((one) => one.customer === customer)
      for (const session of own(this.sessions)) {
        if (session.status === 'open') endSession(session, 'customer_deleted')
      }
      for (const subscription of own(this.subscriptions)) {
        for (const invoice of subscription.invoices) cancelWaiting(invoice)
        if (subscription.status !== 'canceled') this.end(subscription, 'customer_deleted')
      }
      for (const card of own(this.cards)) card.isAttached = false
      Object.assign(customer, { card: null, isDeleted: true })
      return 'ok'
    })
  }

  deleteClock(clock: Clock): Outcome {
    return onClockOf({ clock }, () => {
      for (const customer of this.customers) {
        if (customer.clock === clock && !customer.isDeleted) this.#endCustomer(customer)
      }
      clock.state = 'deleted'
      return 'ok'
    })
  }
}

/** Does something to an invoice, on whose clock it can be done, in a state in which it can. */
function onInvoice(invoice: Invoice, states: readonly Invoice['status'][], work: () => Outcome): Outcome {
  return onClockOf(invoice.subscription.customer, () =>
    states.includes(invoice.status) ? work() : 'refused',
  )
}

function settled(invoice: Invoice): Outcome {
  paid(invoice)
  recover(invoice.subscription)
  return 'ok'
}

function dropped(invoice: Invoice, status: 'void' | 'uncollectible'): Outcome {
  invoice.status = status
  stopCollecting(invoice)
  recover(invoice.subscription)
  return 'ok'
}

function usable(card: Card | null): Card | null {
  return card?.isAttached ? card : null
}

function refundOf(payment: Payment, amount: number): Refund {
  const { refund } = cardNamed(payment.entered.alias)
  const at = payment.customer.clock.now + HOUR
  if (refund === 'settled') return { payment, amount, status: 'succeeded', settles: null }
  const as = refund === 'settled later' ? 'succeeded' : 'failed'
  return { payment, amount, status: as === 'failed' ? 'succeeded' : 'pending', settles: { at, as } }
}
