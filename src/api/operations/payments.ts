import * as p from '../../domain/core/params.ts'
import {
  apiPaymentParams,
  cancelPaymentOnRequest,
  chargeSavedCard,
} from '../../domain/payments/api-payments.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import { paymentSchema } from '../../domain/payments/payments.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { loadApiPaymentRecords } from '../../engine/load-billing.ts'
import { loadPaymentWithAuthentication } from '../../engine/pending-authentication.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve, idParams, requireById } from '../core/retrieve.ts'
import { authenticatePayment } from './authenticate-payment.ts'
import { loadCustomerCard } from './customer-cards.ts'
import { EXAMPLE_IDS } from './example-requests.ts'

/** Operations on payments: each attempt to charge a card is one payment. */
export const payments = {
  create: defineMutation({
    path: '/v1/payments',
    summary: 'Charges a saved card.',
    description:
      'Charges the given card, else the default card of the customer, without a page. A decline returns 402 with the failed payment in `error.payment`; it is never retried. With `off_session: false`, a card that requires 3-D Secure returns 402 `authentication_required`: send the customer to the URL in `error.payment.next_action` within 24 hours, or the payment is canceled. Always send an `Idempotency-Key`, so that a repeated request does not charge the card twice.',
    params: apiPaymentParams,
    response: paymentSchema,
    example: {
      amount: 4500,
      currency: 'eur',
      customer: EXAMPLE_IDS.customers,
      description: 'API calls in March',
      metadata: { month: '2026-03' },
    },
    mayDecline: true,
    load: async (reader, { customer: id, payment_method }) => {
      const customer = requireCustomer(await reader.get('customers', id), id)
      const card = await loadCustomerCard(reader, id, { param: 'payment_method', id: payment_method })
      return loadApiPaymentRecords(reader, customer, card)
    },
    when: ({ customer }) => effectiveTimeOf(customer),
    decide: chargeSavedCard,
  }),

  list: defineList('payments', paymentSchema, {
    description:
      'Each attempt to charge a card is one payment, failed attempts included. Filter by invoice or session to see every attempt to pay it.',
    filters: {
      customer: p.id('Only payments of this customer.'),
      status: p.choice(
        ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
        'Only payments with this status.',
      ),
      invoice: p.id('Only payments of this invoice.'),
      payment_session: p.id('Only payments of this payment session.'),
      checkout_session: p.id('Only payments of this checkout session.'),
    },
  }),
  retrieve: defineRetrieve('payments', paymentSchema, {
    description:
      'A failed payment has `failure_code`, `decline_code` and an `outcome`, which advises whether to try again. `amount_refunded` is the total of its refunds in minor units.',
  }),

  cancel: defineMutation({
    path: '/v1/payments/:id/cancel',
    summary: 'Cancels a payment that requires authentication.',
    description:
      'The 3-D Secure page then shows that nothing was charged. A session or invoice that the payment belongs to stays open. Only a payment with status `requires_action` can be canceled; for any other the response is `payment_unexpected_state`.',
    params: idParams,
    response: paymentSchema,
    load: async (reader, { id }) =>
      loadPaymentWithAuthentication(reader, await requireById(reader, 'payments', id)),
    when: ({ payment }) => effectiveTimeOf(payment),
    decide: (pending, _params, context) => cancelPaymentOnRequest(pending, context),
  }),

  authenticate: authenticatePayment,
}
