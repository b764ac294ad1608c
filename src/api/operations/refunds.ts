import { MAX_PAYMENT_AMOUNT } from '../../domain/money.ts'
import { createRefund, refundSchema } from '../../domain/refunds.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve, requireById } from '../core/retrieve.ts'
import { choice, id, integer, metadata, shape } from '../schema/schema.ts'
import { EXAMPLE_IDS, EXAMPLE_REFUND } from './example-requests.ts'

const refundAmount = integer(
  {
    min: 1,
    max: MAX_PAYMENT_AMOUNT,
    errorCodes: { minimum: 'amount_too_small', maximum: 'refund_amount_too_large' },
  },
  'Amount in minor units (default: the rest of the payment).',
)

/** Operations on refunds. */
export const refunds = {
  create: defineMutation({
    method: 'POST',
    path: '/v1/refunds',
    summary: 'Refunds a succeeded payment, in part or in full.',
    description:
      'Without `amount`, refunds everything that is left of the payment. Several partial refunds are possible up to the amount of the payment. A refund does not cancel the subscription or reopen the invoice.',
    params: shape(
      { payment: id('The payment to refund.') },
      {
        amount: refundAmount,
        reason: choice(['duplicate', 'fraudulent', 'requested_by_customer'], 'Reason for the refund.'),
        metadata: metadata(),
      },
    ),
    response: refundSchema,
    example: { payment: EXAMPLE_IDS.payments, ...EXAMPLE_REFUND },
    load: (reader, params) => requireById(reader, 'payments', params.payment, 'payment'),
    when: effectiveTimeOf,
    decide: (payment, { payment: _id, ...fields }, context) => createRefund(payment, fields, context),
  }),

  list: defineList('refunds', refundSchema, {
    summary: 'Lists refunds, newest first.',
    description: 'Filter by `payment` to see all refunds of one payment.',
    filters: { payment: id('Only refunds of this payment.') },
  }),

  retrieve: defineRetrieve('refunds', refundSchema, {
    summary: 'Retrieves a refund.',
    description:
      '`status` is `pending` while the card network processes the refund, then `succeeded` or `failed`; `failure_reason` explains a failure.',
  }),
}
