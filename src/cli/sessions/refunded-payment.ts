import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import type { Client } from '../../client/client.ts'
import { UsageError } from '../errors/usage-error.ts'

/** The id of the payment that paid the session or the invoice of this id; any other id is taken for a payment's own. */
export async function paymentBehind(client: Client, id: string): Promise<string> {
  if (id.startsWith('py_sess_')) {
    const session = await client.call(paymentSessions.retrieve, { id })
    return session.payment ?? refuse('Payment session', session)
  }
  if (id.startsWith('cks_')) {
    const session = await client.call(checkoutSessions.retrieve, { id })
    return session.payment ?? refuse('Checkout session', session)
  }
  if (id.startsWith('in_')) {
    const invoice = await client.call(invoices.retrieve, { id })
    return invoice.latest_payment ?? refuse('Invoice', invoice)
  }
  return id
}

function refuse(what: string, { id, status }: { readonly id: string; readonly status: string }): never {
  throw new UsageError(
    'payment_unexpected_state',
    `${what} '${id}' is ${status} and was paid by no card: there is nothing to refund.`,
    { param: 'payment', hint: 'Find a payment: paycli payments attempts --status succeeded' },
  )
}
