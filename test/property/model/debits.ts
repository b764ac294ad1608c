import { BillingModel, type ModelJob, RANK } from './billing.ts'
import { findModelCard, type ModelDecline } from './cards.ts'
import { markPaid, recover } from './rules.ts'
import type { Clock, Payment } from './state.ts'

const DAY = 86_400

/** The model of the outcomes of debits. */
export class DebitModel extends BillingModel {
  protected override jobs(clock: Clock): ModelJob[] {
    const waiting = this.payments.filter(
      ({ customer, status }) => customer.clock === clock && status === 'processing',
    )
    return [...super.jobs(clock), ...waiting.flatMap((payment) => this.#outcomeJob(payment))]
  }

  #outcomeJob(payment: Payment): ModelJob[] {
    const { debit } = findModelCard(payment.entered.alias)
    if (debit === null) return []
    const run = () => this.#settle(payment, debit.outcome)
    return [{ at: payment.created + debit.days * DAY, rank: RANK.debit, run }]
  }

  /** Applies the outcome of a debit to its payment, its invoice and its payment session. */
  #settle(payment: Payment, outcome: 'ok' | ModelDecline): void {
    const { invoice, session, customer } = payment
    if (outcome !== 'ok') {
      Object.assign(payment, { status: 'failed', error: outcome })
      if (invoice === null) return
      invoice.error = outcome
      if (invoice.isCollected && invoice.subscription.terms.daysUntilDue === null) this.schedule(invoice)
      return
    }
    Object.assign(payment, { status: 'succeeded', collectedAt: customer.clock.now })
    if (session?.offer === null) session.owes = 'paid'
    if (invoice === null) return
    markPaid(invoice)
    recover(invoice.subscription)
  }
}
