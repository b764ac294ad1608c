import { type ModelJob, RANK } from './billing.ts'
import { DebitModel } from './debits.ts'
import { isOver, moveDiscount } from './discounts.ts'
import { cardOf, linesOf, markPaid, runOnClock } from './rules.ts'
import type { CheckoutOffer, Invoice, StepOutcome, Subscription, Trial } from './state.ts'

const DAY = 86_400
const NOTICE = 3 * DAY
const LONGEST = 2 * 365 * DAY

/** The model of trials. */
export class TrialModel extends DebitModel {
  protected override subscriptionJobs(subscription: Subscription): ModelJob[] {
    const jobs = super.subscriptionJobs(subscription)
    const { status, trial } = subscription
    if (status !== 'trialing' || trial === null) return jobs
    jobs.push({ at: trial.end, rank: RANK.trialEnd, run: () => this.#endTrial(subscription, trial) })
    if (trial.willEnd === null) return jobs
    const giveNotice = () => {
      trial.willEnd = null
    }
    return [...jobs, { at: trial.willEnd, rank: RANK.trialWillEnd, run: giveNotice }]
  }

  /** Creates the paid invoice of a trial, whose lines are 0. */
  protected beginTrial(subscription: Subscription): void {
    const { trial } = subscription
    if (trial === null) throw new Error('the subscription has no trial')
    const { start, end } = trial
    const lines = linesOf(subscription).map((line) => ({ ...line, unit: 0, amount: 0, tax: 0, start, end }))
    const invoice = this.draft(subscription, 'create', lines)
    this.number(invoice)
    markPaid(invoice)
  }

  /** Ends a trial, and returns the next status of its subscription before its invoice is collected. */
  #endTrial(subscription: Subscription, trial: Trial): Subscription['status'] {
    if (subscription.endsWithPeriod) {
      this.endWithItems(subscription)
      return 'canceled'
    }
    const isCharged = subscription.terms.daysUntilDue === null
    const policy = isCharged && cardOf(subscription) === null ? trial.withoutCard : 'create_invoice'
    if (policy === 'cancel') {
      this.end(subscription, 'missing_payment_method')
      return 'canceled'
    }
    moveDiscount(subscription, subscription.customer.clock.now)
    if (policy === 'pause') {
      trial.isOver = true
      subscription.status = 'paused'
      return 'paused'
    }
    this.#beginBilling(subscription, subscription.customer.clock.now)
    return 'active'
  }

  #beginBilling(subscription: Subscription, anchor: number): Invoice {
    const { terms } = subscription
    subscription.terms = { ...terms, rhythm: { ...terms.rhythm, anchor } }
    subscription.status = 'active'
    subscription.index = 0
    return this.bill(subscription, 'cycle')
  }

  /** Starts a subscription that is paused because its trial ended without a card. */
  resume(subscription: Subscription): StepOutcome {
    const { customer } = subscription
    return runOnClock(customer, () => {
      if (subscription.status !== 'paused' || cardOf(subscription) === null) return 'refused'
      const { now } = customer.clock
      if (subscription.discount !== null && isOver(subscription.discount, now)) subscription.discount = null
      this.#beginBilling(subscription, now)
      return 'ok'
    })
  }

  /** Changes the end of a trial; null ends it now. */
  moveTrialEnd(subscription: Subscription, asked: number | null): StepOutcome {
    const { customer, trial, terms } = subscription
    const { now } = customer.clock
    if (subscription.status !== 'trialing' || trial === null) return 'refused'
    if (asked !== null && (asked <= now || asked > now + LONGEST)) return 'refused'
    if (asked === null) {
      const status = this.#endTrial(subscription, trial)
      // A trial that was canceled keeps its planned end.
      if (status !== 'canceled') trial.end = now
      return 'ok'
    }
    trial.end = asked
    moveDiscount(subscription, asked)
    subscription.terms = { ...terms, rhythm: { ...terms.rhythm, anchor: asked } }
    if (asked - NOTICE > now) trial.willEnd = asked - NOTICE
    else trial.willEnd = null
    return 'ok'
  }
}

/** Returns the trial of a completed session; null without a trial or after its end. */
export function trialOf({ trial }: CheckoutOffer, now: number): Trial | null {
  if (trial === null) return null
  const end = trial.days === null ? trial.end : now + trial.days * DAY
  if (end === null || end <= now) return null
  const willEnd = end - NOTICE > now ? end - NOTICE : null
  return { start: now, end, withoutCard: trial.withoutCard, willEnd, isOver: false }
}
