import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { invoiceIn, type Order, saveCard, subscribe } from './billing.ts'
import type { Lifecycle } from './lifecycle.ts'
import { catchDomainError, DAY, type Sandbox } from './sandbox.ts'

/** A draft or open invoice with its subscription and the cards of its customer. */
export interface OpenInvoiceScene {
  readonly id: string
  readonly subscription: string
  readonly customer: string
  /** Further cards: an approved card (the default if the customer had no card), and a card that requires 3-D Secure. */
  readonly spare: string
  readonly sca: string
}

type Payment = Omit<ParamsOf<typeof api.invoices.pay>, 'id'>

const pay =
  (how: (owed: OpenInvoiceScene) => Payment) =>
  (sandbox: Sandbox, owed: OpenInvoiceScene): Promise<unknown> =>
    sandbox.call(api.invoices.pay, { id: owed.id, ...how(owed) })

/** Creates a subscription, calls `then`, and returns its oldest draft invoice, else its oldest open invoice. */
export const createOpenInvoice =
  (order: Order, then: (sandbox: Sandbox, subscription: string) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<OpenInvoiceScene> => {
    const { id: subscription, customer } = await subscribe(sandbox, order)
    await then(sandbox, subscription)
    const { id } = await invoiceIn(sandbox, subscription, ['draft']).catch(() =>
      invoiceIn(sandbox, subscription, ['open']),
    )
    const { id: spare } = await saveCard(sandbox, customer, 'mastercard')
    const { id: sca } = await saveCard(sandbox, customer, 'sca_always')
    return { id, subscription, customer, spare, sca }
  }

/** Starts a payment with the card that requires 3-D Secure, and leaves the challenge open. */
export const startAuthentication = (sandbox: Sandbox, subject: OpenInvoiceScene) =>
  catchDomainError(INVOICE_TRIGGERS.present(sandbox, subject))

/** Every operation on an invoice, by name. */
export const INVOICE_TRIGGERS = {
  finalize: (sandbox, { id }) => sandbox.call(api.invoices.finalize, { id }),
  pay: pay(() => ({})),
  pay_spare: pay(({ spare }) => ({ payment_method: spare })),
  elsewhere: pay(() => ({ paid_out_of_band: true })),
  present: pay(({ sca }) => ({ payment_method: sca, off_session: false })),
  absent: pay(({ sca }) => ({ payment_method: sca })),
  approve: (sandbox, { id }) => sandbox.answer(id, true),
  reject: (sandbox, { id }) => sandbox.answer(id, false),
  void: (sandbox, { id }) => sandbox.call(api.invoices.void, { id }),
  write_off: (sandbox, { id }) => sandbox.call(api.invoices.markUncollectible, { id }),
  time: (sandbox) => sandbox.advance(4 * DAY),
  cancel: (sandbox, { subscription }) => sandbox.call(api.subscriptions.cancel, { id: subscription }),
  no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
} satisfies Lifecycle<OpenInvoiceScene>['triggers']

/** Returns the state of an invoice: attempts, days until the next attempt, and whether collection continues. */
export async function invoiceState(sandbox: Sandbox, { id }: OpenInvoiceScene): Promise<string> {
  const invoice = await sandbox.call(api.invoices.retrieve, { id })
  const { status, attempt_count, next_payment_attempt: next, auto_advance } = invoice
  const days = next === null ? '' : `+${(next - sandbox.now()) / DAY}d`
  return `${status} ${attempt_count}${days}${auto_advance ? '' : ' stopped'}`
}
