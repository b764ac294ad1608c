import { detachByHand } from '../../domain/card-detachment.ts'
import { isDeleted } from '../../domain/customers.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { loadAttached } from '../../engine/load-related.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { cursorFaults, type PageParams, pagedRecords, pageParams } from '../core/lists.ts'
import { lookup, operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import { listAnswer } from '../resources/answers.ts'
import type { List } from '../resources/lists.ts'
import { paymentMethod } from '../resources/payment-methods.ts'
import { id, shape } from '../schema/schema.ts'

/** Cards saved to customers. */
export const paymentMethods = {
  listOfCustomer: lookup<PageParams & { readonly id: string }, List<PaymentMethod>>({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    summary: "Lists a customer's saved cards, newest first.",
    params: shape({ id: id('The id of the customer.') }, pageParams),
    answer: listAnswer('payment_methods'),
    faults: cursorFaults,
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      const owner = isDeleted(customer) ? '' : customer.id
      const page = await pagedRecords(reader, 'payment_methods', { params, where: { customer: owner } })
      return { object: 'list', url: `/v1/customers/${params.id}/payment_methods`, ...page }
    },
  }),
  retrieve: retrieveOperation('payment_methods', 'Retrieves a saved card.'),

  detach: operation({
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    summary: 'Takes a saved card away from its customer: it can pay nothing any more.',
    params: byId,
    answer: paymentMethod,
    load: async (reader, params) => {
      const method = await requireById(reader, 'payment_methods', params.id)
      return loadAttached(reader, method)
    },
    when: ({ method }) => onClockOf(method),
    decide: (attached, _params, context) => detachByHand(attached, context),
  }),
}
