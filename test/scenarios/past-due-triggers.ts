import { api } from '../../src/api/api.ts'
import { invoiceIn, type Order, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import type { Sandbox } from '../support/sandbox.ts'

/** A subscription with a failed renewal. */
export interface PastDue {
  readonly id: string
  /** The oldest open invoice. */
  readonly invoice: string
  /** A valid card that is not a default card. */
  readonly spare: string
}

/** Returns a function that creates a subscription with a number of failed renewals (default: 1). */
export const failing =
  (order: Order, periods = 1) =>
  async (sandbox: Sandbox): Promise<PastDue> => {
    const { id, customer } = await subscribe(sandbox, order)
    const { id: spare } = await saveCard(sandbox, customer, 'mastercard')
    for (let period = 0; period < periods; period += 1) await toNextPeriod(sandbox, id)
    return { id, spare, invoice: (await invoiceIn(sandbox, id, ['open'])).id }
  }

/** Returns the triggers of a past due subscription, by name; `retry` moves time to the next retry. */
export const pastDueTriggers = (retry: (sandbox: Sandbox, subject: PastDue) => Promise<void>) => ({
  retry,
  new_card: async (sandbox: Sandbox, subject: PastDue) => {
    const { id, spare } = subject
    await sandbox.call(api.subscriptions.update, { id, default_payment_method: spare })
    await retry(sandbox, subject)
  },
  pay: (sandbox: Sandbox, { invoice }: PastDue) => sandbox.call(api.invoices.pay, { id: invoice }),
  pay_spare: (sandbox: Sandbox, { invoice, spare }: PastDue) =>
    sandbox.call(api.invoices.pay, { id: invoice, payment_method: spare }),
  elsewhere: (sandbox: Sandbox, { invoice }: PastDue) =>
    sandbox.call(api.invoices.pay, { id: invoice, paid_out_of_band: true }),
  void: (sandbox: Sandbox, { invoice }: PastDue) => sandbox.call(api.invoices.void, { id: invoice }),
  write_off: (sandbox: Sandbox, { invoice }: PastDue) =>
    sandbox.call(api.invoices.markUncollectible, { id: invoice }),
  cancel: (sandbox: Sandbox, { id }: PastDue) => sandbox.call(api.subscriptions.cancel, { id }),
})
