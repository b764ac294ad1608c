import { detachPaymentMethod } from '../../domain/billing/card-detachment.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import type { PaymentMethod } from '../../domain/payments/payment-methods.ts'
import { paymentMethodSchema } from '../../domain/payments/payment-methods.ts'
import { loadPaymentMethodWithDependents } from '../../engine/load-related.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import {
  createListSchema,
  type List,
  listCursorErrors,
  loadListPage,
  type PageParams,
  pageParams,
} from '../core/lists.ts'
import { defineReadOperation, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'

/** Operations on saved cards. */
export const paymentMethods = {
  listOfCustomer: defineReadOperation<PageParams & { readonly id: string }, List<PaymentMethod>>({
    path: '/v1/customers/:id/payment_methods',
    summary: 'Lists the saved cards of a customer, newest first.',
    description:
      'Returns the cards that sessions saved to the customer, without detached cards. Use their ids as `default_payment_method`, to pay an invoice or for `POST /v1/payments`.',
    params: p.shape({ id: p.id('The id of the customer.') }, pageParams),
    response: createListSchema(paymentMethodSchema),
    validate: listCursorErrors,
    load: async (reader, params) => {
      const customer = await requireById(reader, 'customers', params.id)
      const owner = isDeleted(customer) ? '' : customer.id
      const page = await loadListPage(reader, 'payment_methods', params, { where: { customer: owner } })
      return { object: 'list', url: `/v1/customers/${params.id}/payment_methods`, ...page }
    },
  }),
  retrieve: defineRetrieveOperation('payment_methods', paymentMethodSchema, {
    summary: 'Retrieves a saved card.',
    description:
      'Returns the brand, last four digits and expiry of the card. The full card number and the CVC are never stored. `customer` is null for a detached card.',
  }),

  detach: defineWriteOperation({
    path: '/v1/payment_methods/:id/detach',
    summary: 'Detaches a saved card from its customer.',
    description:
      'Renewals no longer charge the card, and it is no longer the default card of the customer or of subscriptions. A detached card cannot be attached again; past payments still name it.',
    params: idParams,
    response: paymentMethodSchema,
    load: async (reader, params) => {
      const method = await requireById(reader, 'payment_methods', params.id)
      return loadPaymentMethodWithDependents(reader, method)
    },
    when: ({ method }) => getTimeReference(method),
    decide: (attached, _params, context) => detachPaymentMethod(attached, context),
  }),
}
