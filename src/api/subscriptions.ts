import { listOperation } from './lists.ts'
import { retrieveOperation } from './retrieving.ts'
import { choice, id } from './schema.ts'

/** What a completed checkout session set up. */
export const subscriptions = {
  list: listOperation({
    collection: 'subscriptions',
    path: '/v1/subscriptions',
    summary: 'Lists subscriptions in every state, newest first.',
    filters: {
      customer: id('Only subscriptions of this customer.'),
      status: choice(
        ['pending', 'active', 'past_due', 'unpaid', 'canceled'],
        'Only subscriptions in this state.',
      ),
      collection_method: choice(['charge_automatically', 'send_invoice'], 'Only those collected this way.'),
    },
    ranges: ['created', 'current_period_end'],
  }),
  retrieve: retrieveOperation('subscriptions', 'Retrieves a subscription.'),
}
