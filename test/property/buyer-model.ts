import {
  BillingModel,
  cancelWaiting,
  cardOf,
  inTurn,
  nowOf,
  paid,
  recover,
  stopCollecting,
  totalOf,
  waitingFor,
} from './billing-model.ts'
import { cardNamed, type Declined, EXPIRED, expiryOf, periodAt, REJECTED, type Says } from './model-cards.ts'
import type {
  Card,
  Clock,
  Customer,
  Invoice,
  Outcome,
  Payment,
  Refund,
  Subscription,
  Terms,
} from './model-state.ts'

const HOUR = 3600

/** Who buys, and with what. */
export interface Purchase {
  readonly customer: Customer
  readonly terms: Terms
  readonly alias: string
  /** The buyer's answer where the issuer asks for one. */
  readonly isApproved: boolean
}

/** How somebody pays an invoice by hand. */
export interface ByHand {
  readonly card: Card | null
  readonly how: 'off session' | 'on session' | 'out of band'
}

/** The model with all that somebody may ask of it. */
export class BuyerModel extends BillingModel {
  addCustomer(clock: Clock): Outcome {
    if (clock.isDeleted) return 'refused'
    this.customers.push({ clock, card: null, isDeleted: false, charges: 0 })
    return 'ok'
  }

  advance(clock: Clock, seconds: number): Outcome {
    if (clock.isDeleted) return 'refused'
    this.moveTo(clock, clock.now + seconds)
    return 'ok'
  }

  /** A checkout session that is made and completed at once. */
  buy(purchase: Purchase): Outcome {
    const { customer, terms, alias, isApproved } = purchase
    if (customer.isDeleted) return 'refused'
    if (terms.daysUntilDue !== null) return this.#sold(purchase, null)
    const { on, saving } = cardNamed(alias)
    const says = answered(isDueToday(purchase) ? on : saving, customer, isApproved)
    if (says !== 'ok') return { declined: says.code }
    const card: Card = { alias, customer, expiry: expiryOf(customer.clock.now), isAttached: true }
    this.cards.push(card)
    customer.card ??= card
    return this.#sold(purchase, card)
  }

  #sold({ customer, terms }: Purchase, card: Card | null): Outcome {
    const { now } = customer.clock
    const index = periodAt(terms.rhythm, now)
    const subscription: Subscription = {
      customer,
      terms,
      status: index === -1 ? 'pending' : 'active',
      index,
      card,
      endsWithPeriod: false,
      canceledAt: null,
      endedAt: null,
      reason: null,
      invoices: [],
    }
    this.subscriptions.push(subscription)
    if (index === -1) return 'ok'
    const invoice = this.draft(subscription, true)
    this.number(invoice)
    const { subtotal, tax } = totalOf(invoice)
    if (subtotal + tax === 0) paid(invoice)
    else if (card !== null) {
      invoice.payments.push({
        invoice,
        card,
        isOffSession: false,
        status: 'succeeded',
        error: null,
        refunded: 0,
      })
      invoice.attempts = 1
      paid(invoice)
    }
    return 'ok'
  }

  pay(invoice: Invoice, { card, how }: ByHand): Outcome {
    if (isGone(invoice) || !['open', 'uncollectible'].includes(invoice.status)) return 'refused'
    if (how === 'out of band') {
      cancelWaiting(invoice)
      invoice.isOutOfBand = true
      paid(invoice)
      recover(invoice.subscription)
      return 'ok'
    }
    const charged = card ?? usable(cardOf(invoice.subscription))
    if (charged === null) return 'refused'
    return this.collect(invoice, { card: charged, isAutomatic: false, isOffSession: how === 'off session' })
  }

  answer(invoice: Invoice, isApproved: boolean): Outcome {
    const payment = waitingFor(invoice)
    if (isGone(invoice) || payment === undefined) return 'refused'
    const { card } = payment
    const isExpired = nowOf(invoice) >= card.expiry
    const says =
      isApproved && isExpired ? EXPIRED : answered(cardNamed(card.alias).on, card.customer, isApproved)
    if (says === 'ok') {
      payment.status = 'succeeded'
      paid(invoice)
      recover(invoice.subscription)
      return 'ok'
    }
    Object.assign(payment, { status: 'failed', error: says })
    invoice.error = says
    return { declined: says.code }
  }

  finalize(invoice: Invoice): Outcome {
    if (isGone(invoice) || invoice.status !== 'draft') return 'refused'
    this.open(invoice)
    return 'ok'
  }

  void(invoice: Invoice): Outcome {
    if (isGone(invoice) || !['draft', 'open', 'uncollectible'].includes(invoice.status)) return 'refused'
    cancelWaiting(invoice)
    return this.#dropped(invoice, 'void')
  }

  writeOff(invoice: Invoice): Outcome {
    if (isGone(invoice) || invoice.status !== 'open') return 'refused'
    return this.#dropped(invoice, 'uncollectible')
  }

  #dropped(invoice: Invoice, status: 'void' | 'uncollectible'): Outcome {
    invoice.status = status
    stopCollecting(invoice)
    recover(invoice.subscription)
    return 'ok'
  }

  refund(payment: Payment, amount: number | null): Outcome {
    const { subtotal, tax } = totalOf(payment.invoice)
    const left = subtotal + tax - payment.refunded
    const asked = amount ?? left
    const isTaken = payment.status === 'succeeded' && left > 0 && asked <= left
    if (isGone(payment.invoice) || !isTaken) return 'refused'
    payment.refunded += asked
    this.refunds.push(refundOf(payment, asked))
    return 'ok'
  }

  detach(card: Card): Outcome {
    const { customer } = card
    if (customer.clock.isDeleted || !card.isAttached) return 'refused'
    card.isAttached = false
    if (customer.card === card) customer.card = null
    for (const subscription of this.subscriptions) {
      if (subscription.card === card && subscription.status !== 'canceled') subscription.card = null
    }
    return 'ok'
  }

  choose(customer: Customer, card: Card | null): Outcome {
    if (customer.isDeleted) return 'refused'
    customer.card = card
    return 'ok'
  }

  update(
    subscription: Subscription,
    {
      endsWithPeriod,
      card,
    }: { readonly endsWithPeriod: boolean | null; readonly card: Card | null | undefined },
  ): Outcome {
    if (subscription.status === 'canceled') return 'refused'
    if (card !== undefined) subscription.card = card
    if (endsWithPeriod === null) return 'ok'
    subscription.endsWithPeriod = endsWithPeriod
    const { now } = subscription.customer.clock
    subscription.canceledAt = endsWithPeriod ? (subscription.canceledAt ?? now) : null
    return 'ok'
  }

  cancel(subscription: Subscription): Outcome {
    if (subscription.customer.clock.isDeleted || subscription.status === 'canceled') return 'refused'
    this.end(subscription, 'requested')
    return 'ok'
  }

  deleteCustomer(customer: Customer): Outcome {
    if (customer.isDeleted) return 'refused'
    for (const subscription of this.subscriptions.filter((one) => one.customer === customer)) {
      for (const invoice of subscription.invoices) cancelWaiting(invoice)
      if (subscription.status !== 'canceled') this.end(subscription, 'customer_deleted')
    }
    for (const card of this.cards) if (card.customer === customer) card.isAttached = false
    customer.card = null
    customer.isDeleted = true
    return 'ok'
  }

  deleteClock(clock: Clock): Outcome {
    if (clock.isDeleted) return 'refused'
    for (const customer of this.customers) if (customer.clock === clock) this.deleteCustomer(customer)
    clock.isDeleted = true
    return 'ok'
  }
}

/** Whether buying now asks for money at once. */
export function isDueToday({ customer, terms }: Pick<Purchase, 'customer' | 'terms'>): boolean {
  return terms.items.some(({ amount }) => amount > 0) && terms.rhythm.anchor <= customer.clock.now
}

function answered(says: Says, customer: Customer, isApproved: boolean): 'ok' | Declined {
  if (says === 'in turn') return inTurn(customer)
  if (says === 'ok' || 'code' in says) return says
  return isApproved ? says.asks : REJECTED
}

function usable(card: Card | null): Card | null {
  return card?.isAttached ? card : null
}

function isGone({ subscription }: Invoice): boolean {
  return subscription.customer.clock.isDeleted
}

function refundOf(payment: Payment, amount: number): Refund {
  const { refund } = cardNamed(payment.card.alias)
  const at = nowOf(payment.invoice) + HOUR
  if (refund === 'settled') return { payment, amount, status: 'succeeded', settles: null }
  const as = refund === 'settled later' ? 'succeeded' : 'failed'
  return { payment, amount, status: as === 'failed' ? 'succeeded' : 'pending', settles: { at, as } }
}
