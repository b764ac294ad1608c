import { findResourceOfId } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { UsageError } from '../errors/usage-error.ts'

/** The field that contains the payment id of an object, by object type. */
const PAYMENT_FIELDS: Readonly<Record<string, string>> = {
  payment_session: 'payment',
  checkout_session: 'payment',
  invoice: 'latest_payment',
}

/** Returns the id of the payment of a session or invoice. Returns any other id unchanged. */
export async function findPaymentToRefund(client: Client, id: string): Promise<string> {
  const { object: type = '', path = '' } = findResourceOfId(id) ?? {}
  const field = PAYMENT_FIELDS[type]
  if (field === undefined) return id
  const object: JsonObject = { ...(await client.send({ method: 'GET', path: `/v1/${path}/:id` }, { id })) }
  const payment = object[field]
  if (typeof payment === 'string') return payment
  const label = `${type.replace('_', ' ')} '${object['id']}'`
  const message = `Cannot refund: ${label} is ${object['status']} and has no card payment.`
  throw new UsageError('payment_unexpected_state', message, {
    param: 'payment',
    hint: 'Find a payment: paycli payments list --status succeeded',
  })
}
