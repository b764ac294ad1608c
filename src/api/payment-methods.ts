import { isDeleted } from '../domain/customers.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { type List, type PageParams, pagedRecords, pageParams } from './lists.ts'
import { lookup } from './operation.ts'
import { requireById, retrieveOperation } from './retrieving.ts'
import { id, shape } from './schema.ts'

/** Cards saved to customers. */
export const paymentMethods = {
  listOfCustomer: lookup<PageParams & { readonly id: string }, List<PaymentMethod>>({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    summary: "Lists a customer's saved cards, newest first.",
    params: shape({ id: id('The id of the customer.') }, pageParams),
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      const owner = isDeleted(customer) ? '' : customer.id
      const page = await pagedRecords(reader, 'payment_methods', { params, where: { customer: owner } })
      return { object: 'list', url: `/v1/customers/${params.id}/payment_methods`, ...page }
    },
  }),
  retrieve: retrieveOperation('payment_methods', 'Retrieves a saved card.'),
}
