import { deleteCustomer } from '../domain/customer-deletion.ts'
import {
  type Customer,
  createCustomer,
  customerUpdated,
  isDeleted,
  updateCustomer,
} from '../domain/customers.ts'
import { Refusal } from '../domain/refusal.ts'
import { loadCustomerBelongings } from '../engine/belongings.ts'
import type { Reader } from '../store/store.ts'
import { listOperation } from './lists.ts'
import { operation } from './operation.ts'
import { byId, missing, requireById, retrieveOperation } from './retrieving.ts'
import { email, id, metadata, metadataUpdate, nullable, shape, text } from './schema.ts'

const EMAIL = 'E-mail address of the customer; need not be unique.'

/** Who buys: everything else belongs to a customer. */
export const customers = {
  create: operation({
    method: 'POST',
    path: '/v1/customers',
    summary: 'Creates a customer.',
    params: shape(
      { email: email(EMAIL) },
      {
        name: text(256, 'Full name.'),
        phone: text(20, 'Telephone number.'),
        description: text(5000, 'Your own note on the customer.'),
        metadata: metadata(),
      },
    ),
    load: async () => null,
    decide: (_loaded, params, world) => {
      const created = createCustomer(params, world)
      return { changes: [created], result: created.after }
    },
  }),

  list: listOperation({
    collection: 'customers',
    path: '/v1/customers',
    summary: 'Lists customers, newest first.',
    filters: { email: email('Only customers with exactly this address.') },
  }),

  retrieve: retrieveOperation('customers', 'Retrieves a customer; of a deleted one only the stub.'),

  update: operation({
    method: 'POST',
    path: '/v1/customers/:id',
    summary: 'Changes a customer; fields that are left out stay.',
    nulls: 'unset',
    params: shape(
      { id: id('The id of the customer.') },
      {
        email: email(EMAIL),
        name: nullable(text(256, 'Full name.')),
        phone: nullable(text(20, 'Telephone number.')),
        description: nullable(text(5000, 'Your own note on the customer.')),
        default_payment_method: nullable(id('The card that renewals charge.')),
        metadata: metadataUpdate(),
      },
    ),
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      if (isDeleted(customer)) {
        throw new Refusal('customer_deleted', `Customer '${params.id}' was deleted and cannot be changed.`)
      }
      await checkDefaultCard(reader, customer, params.default_payment_method)
      return customer
    },
    decide: (customer, { id: _id, ...fields }) => {
      const result = updateCustomer(customer, fields)
      return { changes: customerUpdated(customer, result), result }
    },
  }),

  delete: operation({
    method: 'DELETE',
    path: '/v1/customers/:id',
    summary: 'Deletes a customer: open sessions expire, subscriptions are canceled, cards are detached.',
    params: byId,
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      if (isDeleted(customer)) throw missing('customers', params.id)
      return { customer, belongings: await loadCustomerBelongings(reader, customer.id) }
    },
    decide: ({ customer, belongings }, _params, world) => deleteCustomer(customer, belongings, world),
  }),
}

async function checkDefaultCard(
  reader: Reader,
  customer: Customer,
  methodId: string | null | undefined,
): Promise<void> {
  if (methodId === null || methodId === undefined) return
  const method = await reader.get('payment_methods', methodId)
  const param = 'default_payment_method'
  if (method === null) {
    throw new Refusal('resource_missing', `No such payment_method: '${methodId}'.`, { param })
  }
  if (method.customer !== customer.id) {
    throw new Refusal(
      'payment_method_unexpected_customer',
      `Payment method '${methodId}' does not belong to customer '${customer.id}'. A card belongs to the customer who saved it in a checkout session.`,
      { param },
    )
  }
}
