import { deleteCustomer } from '../../domain/customer-deletion.ts'
import { createCustomer, customerUpdated, isDeleted, updateCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { loadCustomerBelongings } from '../../engine/load-related.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { listOperation } from '../core/lists.ts'
import { operation } from '../core/operation.ts'
import { byId, missing, requireById, requireReferenced, retrieveOperation } from '../core/retrieving.ts'
import { customer, deletedCustomer } from '../resources/customers.ts'
import { email, id, metadata, metadataUpdate, nullable, shape, text } from '../schema/schema.ts'
import { cardOfCustomer } from './customer-cards.ts'
import { EXAMPLE_CUSTOMER } from './example-requests.ts'

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
        test_clock: id('The test clock the customer lives on; real time unless given.'),
      },
    ),
    answer: customer,
    example: EXAMPLE_CUSTOMER,
    load: async (reader, params) => {
      const { test_clock: clock } = params
      if (clock !== undefined)
        await requireReferenced(reader, 'test_clocks', { param: 'test_clock', id: clock })
      return null
    },
    when: (_loaded, params) => ({ testClock: params.test_clock ?? null }),
    decide: (_loaded, params, context) => {
      const created = createCustomer(params, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: listOperation({
    collection: 'customers',
    path: '/v1/customers',
    summary: 'Lists customers, newest first.',
    filters: {
      email: email('Only customers with exactly this address.'),
      test_clock: id('Only customers on this test clock.'),
    },
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
    answer: customer,
    example: { phone: '+44 20 7946 0000', metadata: { order: null } },
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      if (isDeleted(customer)) {
        throw new DomainError(
          'customer_deleted',
          `Customer '${params.id}' was deleted and cannot be changed.`,
        )
      }
      await cardOfCustomer(reader, customer.id, {
        param: 'default_payment_method',
        id: params.default_payment_method,
      })
      return customer
    },
    when: onClockOf,
    decide: (customer, { id: _id, ...fields }) => {
      const result = updateCustomer(customer, fields)
      return { changes: customerUpdated(customer, result), result }
    },
  }),

  delete: operation({
    method: 'DELETE',
    path: '/v1/customers/:id',
    summary:
      'Deletes a customer: open sessions expire, subscriptions are canceled, cards are detached, and open invoices can no longer be charged.',
    params: byId,
    answer: deletedCustomer,
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      if (isDeleted(customer)) throw missing('customers', params.id)
      return { customer, belongings: await loadCustomerBelongings(reader, customer.id) }
    },
    when: ({ customer }) => onClockOf(customer),
    decide: ({ customer, belongings }, _params, context) => deleteCustomer(customer, belongings, context),
  }),
}
