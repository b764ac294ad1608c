import { EXPIRED, findModelCard, namedExpiry, REJECTED } from './cards.ts'
import { CouponModel } from './coupons.ts'
import { withdrawals } from './prorations.ts'
import {
  cancelPendingPayment,
  cardOf,
  findPendingPayment,
  isDebited,
  markPaid,
  nowOf,
  recover,
  runOnClock,
  stopCollecting,
} from './rules.ts'
import { endSession, isProcessing } from './sessions.ts'
import type {
  Card,
  Clock,
  Coupon,
  Customer,
  Invoice,
  Line,
  Pause,
  StepOutcome,
  Subscription,
} from './state.ts'

/** Options of a manual payment. */
export interface PayOptions {
  readonly card: Card | null
  readonly how: 'off session' | 'on session' | 'out of band'
}

/** Changes of a subscription. An undefined field stays unchanged, and so does `endsWithPeriod` when it is null. */
export interface UpdateOptions {
  readonly endsWithPeriod?: boolean | null
  readonly card?: Card | null | undefined
  readonly pause?: Pause | null
  /** The end of the trial; null for now. */
  readonly trialEnd?: number | null
  readonly coupon?: Coupon | null
}

/** A card that is entered on the page of an invoice. */
export interface EnteredOnInvoice {
  readonly alias: string
  readonly keeps: boolean
  readonly isApproved: boolean
}

/** The model with all API requests. */
export class Model extends CouponModel {
  readonly clocks: Clock[] = []

  addClock(now: number): StepOutcome {
    this.clocks.push({ now, state: 'ready' })
    return 'ok'
  }

  addCustomer(clock: Clock): StepOutcome {
    return runOnClock({ clock }, () => {
      this.customers.push({ clock, card: null, isDeleted: false, charges: 0, balances: new Map() })
      return 'ok'
    })
  }

  beginAdvance(clock: Clock, target: number): StepOutcome {
    return runOnClock({ clock }, () => {
      if (target <= clock.now) return 'refused'
      clock.state = 'advancing'
      return 'ok'
    })
  }

  endAdvance(clock: Clock, target: number): StepOutcome {
    if (this.isDue(clock, target)) throw new Error('an advance ended before all due jobs ran')
    clock.now = target
    clock.state = 'ready'
    return 'ok'
  }

  /** Returns whether a clock has a job due at `until` or before. */
  isDue(clock: Clock, until: number): boolean {
    return clock.state !== 'deleted' && this.jobs(clock).some(({ at }) => at <= until)
  }

  pay(invoice: Invoice, { card, how }: PayOptions): StepOutcome {
    return runOnInvoice(invoice, ['open', 'uncollectible'], () => {
      if (isDebited(invoice)) return 'refused'
      // A concurrent step may have detached the card.
      if (card !== null && !card.isAttached) return 'refused'
      if (how === 'out of band') {
        cancelPendingPayment(invoice)
        invoice.isOutOfBand = true
        return settleInvoice(invoice)
      }
      const charged = card ?? attachedCard(cardOf(invoice.subscription))
      if (charged === null) return 'refused'
      return this.collect(invoice, { card: charged, isAutomatic: false, isOffSession: how === 'off session' })
    })
  }

  /** Pays an invoice as its page does: charges the entered card, and approves or rejects 3-D Secure immediately. */
  payAsCustomer(invoice: Invoice, { alias, keeps, isApproved }: EnteredOnInvoice): StepOutcome {
    return runOnInvoice(invoice, ['open', 'uncollectible'], () => {
      if (invoice.subscription.customer.isDeleted || isDebited(invoice)) return 'refused'
      const entered = { alias, expiry: namedExpiry(nowOf(invoice)) }
      const attempt = { card: null, entered, keeps, isAutomatic: false, isOffSession: false }
      const paid = this.collect(invoice, attempt)
      return findPendingPayment(invoice) === undefined ? paid : this.answerInvoice(invoice, isApproved)
    })
  }

  answerInvoice(invoice: Invoice, isApproved: boolean): StepOutcome {
    return runOnInvoice(invoice, ['open', 'uncollectible'], () => {
      const payment = findPendingPayment(invoice)
      if (payment === undefined) return 'refused'
      const { alias, expiry } = payment.entered
      const { on } = findModelCard(alias)
      if (typeof on === 'string' || !('asks' in on)) throw new Error('the card requires no authentication')
      const then = nowOf(invoice) >= expiry ? EXPIRED : on.asks
      const says = isApproved ? then : REJECTED
      if (says === 'ok') {
        payment.status = 'succeeded'
        if (payment.keeps) payment.card = this.keep(invoice, payment.entered)
        return settleInvoice(invoice)
      }
      Object.assign(payment, { status: 'failed', error: says })
      invoice.error = says
      return { declined: says.code }
    })
  }

  finalize(invoice: Invoice, isCollected: boolean): StepOutcome {
    return runOnInvoice(invoice, ['draft'], () => {
      // A deleted customer has no email address.
      if (invoice.subscription.customer.isDeleted) return 'refused'
      // The invoices of a canceled subscription are not collected.
      if (isCollected && invoice.subscription.status === 'canceled') return 'refused'
      if (isCollected) invoice.isCollected = true
      this.open(invoice)
      return 'ok'
    })
  }

  void(invoice: Invoice): StepOutcome {
    return runOnInvoice(invoice, ['draft', 'open', 'uncollectible'], () => {
      if (isDebited(invoice)) return 'refused'
      const { subscription } = invoice
      const known = this.#linesOf(subscription)
      const own = new Set(invoice.lines)
      const isDeleted = subscription.customer.isDeleted
      const charged = withdrawals(
        known,
        known.filter((line) => !own.has(line)),
      )
      if (charged.length > 0 && !isDeleted && subscription.status === 'canceled') return 'refused'
      cancelPendingPayment(invoice)
      this.returnCredit(invoice)
      if (!isDeleted) for (const line of charged) this.addItem(subscription, line)
      return closeInvoice(invoice, 'void')
    })
  }

  /** Returns the lines of a subscription that are owed or pending, oldest first. */
  #linesOf(subscription: Subscription): Line[] {
    const billed = subscription.invoices.filter(({ status }) => status !== 'void')
    return [...billed, ...this.pendingOf(subscription).map(({ line }) => ({ lines: [line] }))].flatMap(
      ({ lines }) => lines,
    )
  }

  writeOff(invoice: Invoice): StepOutcome {
    return runOnInvoice(invoice, ['open'], () =>
      isDebited(invoice) ? 'refused' : closeInvoice(invoice, 'uncollectible'),
    )
  }

  detach(card: Card): StepOutcome {
    return runOnClock(card.customer, () => {
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

  choose(customer: Customer, card: Card | null): StepOutcome {
    return runOnClock(customer, () => {
      if (customer.isDeleted || card?.isAttached === false) return 'refused'
      customer.card = card
      return 'ok'
    })
  }

  update(subscription: Subscription, changes: UpdateOptions): StepOutcome {
    return runOnClock(subscription.customer, () => {
      const { endsWithPeriod = null, card, pause, trialEnd, coupon } = changes
      const { now } = subscription.customer.clock
      if (subscription.status === 'canceled' || card?.isAttached === false) return 'refused'
      if (pause && pause.resumes !== null && pause.resumes <= now) return 'refused'
      if (trialEnd !== undefined && subscription.status !== 'trialing') return 'refused'
      if (coupon !== undefined && !this.giveDiscount(subscription, coupon)) return 'refused'
      if (card !== undefined) subscription.card = card
      if (pause !== undefined) subscription.pause = pause
      if (endsWithPeriod !== null) {
        subscription.endsWithPeriod = endsWithPeriod
        subscription.canceledAt = endsWithPeriod ? (subscription.canceledAt ?? now) : null
      }
      return trialEnd === undefined ? 'ok' : this.moveTrialEnd(subscription, trialEnd)
    })
  }

  deleteCustomer(customer: Customer): StepOutcome {
    return runOnClock(customer, () => {
      const isHeldUp = this.sessions.some((session) => session.customer === customer && isProcessing(session))
      return customer.isDeleted || isHeldUp ? 'refused' : this.#endCustomer(customer)
    })
  }

  #endCustomer(customer: Customer): StepOutcome {
    return runOnClock(customer, () => {
      const own = <T extends { readonly customer: Customer }>(list: readonly T[]) =>
        list.filter((one) => one.customer === customer)
      for (const session of own(this.sessions)) {
        if (session.status === 'open') endSession(session, 'customer_deleted')
      }
      for (const subscription of own(this.subscriptions)) {
        for (const invoice of subscription.invoices) cancelPendingPayment(invoice)
        if (subscription.status !== 'canceled') this.end(subscription, 'customer_deleted')
      }
      this.cancelDirectPayments(customer)
      for (const card of own(this.cards)) card.isAttached = false
      Object.assign(customer, { card: null, isDeleted: true })
      return 'ok'
    })
  }

  deleteClock(clock: Clock): StepOutcome {
    return runOnClock({ clock }, () => {
      for (const customer of this.customers) {
        if (customer.clock === clock && !customer.isDeleted) this.#endCustomer(customer)
      }
      clock.state = 'deleted'
      return 'ok'
    })
  }
}

/** Runs an action on an invoice with an allowed status, unless its clock is busy. */
function runOnInvoice(
  invoice: Invoice,
  states: readonly Invoice['status'][],
  work: () => StepOutcome,
): StepOutcome {
  return runOnClock(invoice.subscription.customer, () =>
    states.includes(invoice.status) ? work() : 'refused',
  )
}

function settleInvoice(invoice: Invoice): StepOutcome {
  markPaid(invoice)
  recover(invoice.subscription)
  return 'ok'
}

function closeInvoice(invoice: Invoice, status: 'void' | 'uncollectible'): StepOutcome {
  invoice.status = status
  stopCollecting(invoice)
  recover(invoice.subscription)
  return 'ok'
}

function attachedCard(card: Card | null): Card | null {
  return card?.isAttached ? card : null
}
