import type { ParamsOf } from '../../src/api/core/operation.ts'
import { api } from '../../src/api/index.ts'
import { invoiceIn, type Order, saveCard, subscribe } from './billing.ts'
import type { Lifecycle } from './lifecycle.ts'
import { DAY, refusal, type Sandbox } from './sandbox.ts'

/** An invoice with its subscription and the cards of its customer. */
export interface Owed {
  readonly id: string
  readonly subscription: string
  readonly customer: string
  /** More cards: one that works, the default only where there was no card, and one that asks for its buyer. */
  readonly spare: string
  readonly sca: string
}

type Payment = Omit<ParamsOf<typeof api.invoices.pay>, 'id'>

const pay =
  (how: (owed: Owed) => Payment) =>
  (sandbox: Sandbox, owed: Owed): Promise<unknown> =>
    sandbox.call(api.invoices.pay, { id: owed.id, ...how(owed) })

/** Makes a subscription, lets `then` happen to it, and gives its oldest invoice that is a draft or else open. */
export const owed =
  (order: Order, then: (sandbox: Sandbox, subscription: string) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<Owed> => {
    const { id: subscription, customer } = await subscribe(sandbox, order)
    await then(sandbox, subscription)
    const { id } = await invoiceIn(sandbox, subscription, ['draft']).catch(() =>
      invoiceIn(sandbox, subscription, ['open']),
    )
    const { id: spare } = await saveCard(sandbox, customer, 'mastercard')
    const { id: sca } = await saveCard(sandbox, customer, 'sca_always')
    return { id, subscription, customer, spare, sca }
  }

/** The buyer begins to pay with the card that asks for them, and has not answered. */
export const awaiting = async (sandbox: Sandbox, subject: Owed): Promise<Owed> => {
  await refusal(INVOICE_TRIGGERS.present(sandbox, subject))
  return subject
}

/** All that can be done to an invoice. */
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
} satisfies Lifecycle<Owed>['triggers']

/** The invoice's state: attempts so far, days to the next one, and whether it is still collected. */
export async function invoiceState(sandbox: Sandbox, { id }: Owed): Promise<string> {
  const invoice = await sandbox.call(api.invoices.retrieve, { id })
  const { status, attempt_count, next_payment_attempt: next, auto_advance } = invoice
  const days = next === null ? '' : `+${(next - sandbox.now()) / DAY}d`
  return `${status} ${attempt_count}${days}${auto_advance ? '' : ' stopped'}`
}
