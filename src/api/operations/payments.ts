import { paymentSchema } from '../../domain/payments.ts'
import { defineList } from '../core/lists.ts'
import { defineRetrieve } from '../core/retrieve.ts'
import { choice, id } from '../schema/schema.ts'

/** Operations on payments: each attempt to charge a card is one payment. */
export const payments = {
  list: defineList('payments', paymentSchema, {
    summary: 'Lists payments, newest first.',
    description:
      'Each attempt to charge a card is one payment, failed attempts included. Filter by invoice or session to see every attempt to pay it.',
    filters: {
      customer: id('Only payments of this customer.'),
      status: choice(
        ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
        'Only payments with this status.',
      ),
      invoice: id('Only payments of this invoice.'),
      payment_session: id('Only payments of this payment session.'),
      checkout_session: id('Only payments of this checkout session.'),
    },
  }),
  retrieve: defineRetrieve('payments', paymentSchema, {
    summary: 'Retrieves a payment.',
    description:
      'A failed payment has `failure_code`, `decline_code` and an `outcome` that says whether another attempt makes sense. `amount_refunded` is the total of its refunds in minor units.',
  }),
}
