import { RANK } from './billing.ts'
import { ChangeModel, type PlanChange } from './changes.ts'
import { amountOf, sumOf } from './rules.ts'
import type { Invoice, StepOutcome, Subscription } from './state.ts'

/** The invoice that a change creates, or the next invoice after the change, and the time of its creation. */
export interface ModelPreview {
  readonly invoice: Invoice
  readonly date: number
  readonly subtotal: number
  readonly discount: number
  readonly tax: number
  readonly owed: number
}

/** The model of previews, which change nothing. */
export class PreviewModel extends ChangeModel {
  /** Returns the outcome of a change that is undone; `see` receives its invoice. */
  preview(subscription: Subscription, change: PlanChange, see: (preview: ModelPreview) => void): StepOutcome {
    const { customer } = subscription
    const { now } = customer.clock
    const undo = this.remember(subscription)
    const known = subscription.invoices.length
    const outcome = this.changePlan(subscription, change)
    if (outcome === 'ok' && subscription.invoices.length === known) this.#runNextPeriod(subscription)
    const invoice = subscription.invoices[known]
    if (invoice !== undefined) {
      const sums = sumOf(invoice.lines)
      see({ invoice, date: customer.clock.now, ...sums, owed: amountOf(invoice) })
    }
    customer.clock.now = now
    undo()
    return outcome === 'ok' && invoice === undefined ? 'refused' : outcome
  }

  #runNextPeriod(subscription: Subscription): void {
    const ranks = [RANK.start, RANK.trialEnd, RANK.periodEnd]
    this.subscriptionJobs(subscription)
      .find(({ rank }) => rank === RANK.discountEnd)
      ?.run()
    const jobs = this.subscriptionJobs(subscription)
    const next = jobs.find(({ rank }) => ranks.includes(rank))
    if (next === undefined) return
    const resume = jobs.find(({ rank }) => rank === RANK.resume)
    // A pause that ends before the period does not change its invoice.
    if (resume !== undefined && (resume.at < next.at || (resume.at === next.at && resume.rank < next.rank)))
      resume.run()
    subscription.customer.clock.now = next.at
    next.run()
  }
}
