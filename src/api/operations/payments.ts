import { listOperation } from '../core/lists.ts'
import { retrieveOperation } from '../core/retrieving.ts'
import { choice, id } from '../schema/schema.ts'

/** One row for each try to charge a card. */
export const payments = {
  list: listOperation({
    collection: 'payments',
    path: '/v1/payments',
    summary: 'Lists charge attempts, newest first.',
    filters: {
      customer: id('Only attempts for this customer.'),
      status: choice(
        ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
        'Only attempts in this state.',
      ),
      invoice: id('Only attempts to pay this invoice.'),
      payment_session: id('Only attempts of this payment session.'),
      checkout_session: id('Only attempts of this checkout session.'),
    },
  }),
  retrieve: retrieveOperation('payments', 'Retrieves a charge attempt.'),
}
