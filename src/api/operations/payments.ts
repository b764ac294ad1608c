import * as p from '../../domain/params.ts'
import { paymentSchema } from '../../domain/payments.ts'
import { defineList } from '../core/lists.ts'
import { defineRetrieve } from '../core/retrieve.ts'

/** Operations on payments: each attempt to charge a card is one payment. */
export const payments = {
  list: defineList('payments', paymentSchema, {
    summary: 'Lists payments, newest first.',
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
    summary: 'Retrieves a payment.',
    description:
      'A failed payment has `failure_code`, `decline_code` and an `outcome`, which advises whether to try again. `amount_refunded` is the total of its refunds in minor units.',
  }),
}
