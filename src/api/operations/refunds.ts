import { MAX_PAYMENT_AMOUNT } from '../../domain/money.ts'
import { createRefund } from '../../domain/refunds.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { listOperation } from '../core/lists.ts'
import { operation } from '../core/operation.ts'
import { requireReferenced, retrieveOperation } from '../core/retrieving.ts'
import { refund } from '../resources/refunds.ts'
import { choice, id, integer, metadata, shape } from '../schema/schema.ts'
import { EXAMPLE_IDS, EXAMPLE_REFUND } from './example-requests.ts'

const refundAmount = integer(
  {
    min: 1,
    max: MAX_PAYMENT_AMOUNT,
    errorCodes: { minimum: 'amount_too_small', maximum: 'refund_amount_too_large' },
  },
  'How much to give back, in minor units (default: all that is left of the payment).',
)

/** Money given back for a payment. */
export const refunds = {
  create: operation({
    method: 'POST',
    path: '/v1/refunds',
    summary: 'Refunds a succeeded payment, in part or in full.',
    params: shape(
      { payment: id('The payment to give back.') },
      {
        amount: refundAmount,
        reason: choice(['duplicate', 'fraudulent', 'requested_by_customer'], 'Why the money is given back.'),
        metadata: metadata(),
      },
    ),
    answer: refund,
    example: { payment: EXAMPLE_IDS.py_, ...EXAMPLE_REFUND },
    load: (reader, params) => requireReferenced(reader, 'payments', { param: 'payment', id: params.payment }),
    when: onClockOf,
    decide: (payment, { payment: _id, ...fields }, context) => createRefund(payment, fields, context),
  }),

  list: listOperation({
    collection: 'refunds',
    path: '/v1/refunds',
    summary: 'Lists refunds, newest first.',
    filters: { payment: id('Only refunds of this payment.') },
  }),

  retrieve: retrieveOperation('refunds', 'Retrieves a refund.'),
}
