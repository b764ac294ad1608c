import { deleteCustomer } from '../../domain/completion/customer-deletion.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import { updateFields } from '../../domain/core/metadata.ts'
import * as p from '../../domain/core/params.ts'
import { anyOf } from '../../domain/core/schema.ts'
import {
  createCustomer,
  customerParams,
  customerSchema,
  customerUpdateParams,
  deletedCustomerSchema,
} from '../../domain/payments/customers.ts'
import { loadCustomerDependents } from '../../engine/load-related.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById, requireUndeleted } from '../core/retrieve.ts'
import { loadCustomerCard } from './customer-cards.ts'

/** Operations on customers. */
export const customers = {
  create: defineWriteOperation({
    path: '/v1/customers',
    summary: 'Creates a customer.',
    description:
      'The email address need not be unique: the `id` identifies the customer. With `test_clock`, all sessions, subscriptions and invoices of the customer use the time of that clock.',
    params: customerParams,
    response: customerSchema,
    example: { email: 'ada@example.com', name: 'Ada Lovelace' },
    load: async (reader, params) => {
      const { test_clock } = params
      if (test_clock !== undefined) await requireById(reader, 'test_clocks', test_clock, 'test_clock')
      return null
    },
    when: (_loaded, params) => ({ testClock: params.test_clock ?? null }),
    decide: (_loaded, params, context) => createChangeDecision(createCustomer(params, context)),
  }),

  list: defineListOperation('customers', customerSchema, {
    description:
      'Returns customers that are not deleted. Filter by email address, test clock or creation time.',
    filters: {
      email: p.email('Only customers with this email address.'),
      test_clock: p.id('Only customers on this test clock.'),
    },
  }),

  retrieve: defineRetrieveOperation('customers', anyOf(customerSchema, deletedCustomerSchema), {
    description:
      'For a deleted customer, the response has only `id`, `object` and `deleted: true`. History such as payments and invoices stays readable.',
  }),

  update: defineWriteOperation({
    path: '/v1/customers/:id',
    summary: 'Updates a customer.',
    description:
      'Changes only the parameters in the body; `null` unsets a field. `metadata` is merged key by key. A new `default_payment_method` must be a saved card of this customer and is charged for later renewals.',
    nulls: 'unset',
    params: customerUpdateParams,
    response: customerSchema,
    example: { phone: '+44 20 7946 0000', metadata: { order: null } },
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      if (isDeleted(customer)) {
        throw new DomainError('customer_deleted', `Cannot update customer '${params.id}': it is deleted.`)
      }
      await loadCustomerCard(reader, customer.id, {
        param: 'default_payment_method',
        id: params.default_payment_method,
      })
      return customer
    },
    when: getTimeReference,
    decide: (customer, fields) => updateFields('customer.updated', customer, fields),
  }),

  delete: defineWriteOperation({
    method: 'DELETE',
    path: '/v1/customers/:id',
    summary: 'Deletes a customer.',
    description:
      'Also expires the open sessions of the customer, cancels the live subscriptions and detaches the saved cards, all in one transaction. The credit in `balances` ends. Deletion is final: a deleted customer cannot be changed, and nothing new can be created for it.',
    params: idParams,
    response: deletedCustomerSchema,
    load: async (reader, params) => {
      const customer = await requireUndeleted(reader, 'customers', params.id)
      return { customer, dependents: await loadCustomerDependents(reader, customer.id) }
    },
    when: ({ customer }) => getTimeReference(customer),
    decide: ({ customer, dependents }, _params, context) => deleteCustomer(customer, dependents, context),
  }),
}
