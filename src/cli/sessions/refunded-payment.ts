import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import type { Client } from '../../client/client.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Returns the id of the payment of a session or invoice. Returns any other id unchanged. */
export async function findRefundedPayment(client: Client, id: string): Promise<string> {
  if (id.startsWith('py_sess_')) {
    const session = await client.call(paymentSessions.retrieve, { id })
    return session.payment ?? throwNoCardPayment('payment session', session)
  }
  if (id.startsWith('cks_')) {
    const session = await client.call(checkoutSessions.retrieve, { id })
    return session.payment ?? throwNoCardPayment('checkout session', session)
  }
  if (id.startsWith('in_')) {
    const invoice = await client.call(invoices.retrieve, { id })
    return invoice.latest_payment ?? throwNoCardPayment('invoice', invoice)
  }
  return id
}

function throwNoCardPayment(
  label: string,
  { id, status }: { readonly id: string; readonly status: string },
): never {
  throw new UsageError(
    'payment_unexpected_state',
    `Cannot refund: ${label} '${id}' is ${status} and has no card payment.`,
    { param: 'payment', hint: 'Find a payment: paycli payments attempts --status succeeded' },
  )
}
