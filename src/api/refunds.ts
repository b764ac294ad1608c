import { createRefund } from '../domain/refunds.ts'
import { onClockOf } from '../engine/moments.ts'
import { EXAMPLE_IDS, EXAMPLE_REFUND } from './example-requests.ts'
import { listOperation } from './lists.ts'
import { operation } from './operation.ts'
import { refund } from './resources/refunds.ts'
import { requireReferenced, retrieveOperation } from './retrieving.ts'
import { amount, choice, id, metadata, shape } from './schema.ts'

/** Money given back for a payment. */
export const refunds = {
  create: operation({
    method: 'POST',
    path: '/v1/refunds',
    summary: 'Refunds a succeeded payment, in part or in full.',
    params: shape(
      { payment: id('The payment to give back.') },
      {
        amount: amount(1, 'How much in minor units; all that is left unless given.'),
        reason: choice(['duplicate', 'fraudulent', 'requested_by_customer'], 'Why the money is given back.'),
        metadata: metadata(),
      },
    ),
    answer: refund,
    example: { payment: EXAMPLE_IDS.py_, ...EXAMPLE_REFUND },
    load: (reader, params) => requireReferenced(reader, 'payments', { param: 'payment', id: params.payment }),
    when: onClockOf,
    decide: (payment, { payment: _id, ...fields }, world) => createRefund(payment, fields, world),
  }),

  list: listOperation({
    collection: 'refunds',
    path: '/v1/refunds',
    summary: 'Lists refunds, newest first.',
    filters: { payment: id('Only refunds of this payment.') },
  }),

  retrieve: retrieveOperation('refunds', 'Retrieves a refund.'),
}
