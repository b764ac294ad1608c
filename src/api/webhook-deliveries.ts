import { listOperation } from './lists.ts'
import { retrieveOperation } from './retrieving.ts'
import { choice, id } from './schema.ts'

/** One row for each attempt to hand an event to an endpoint. */
export const webhookDeliveries = {
  list: listOperation({
    collection: 'webhook_deliveries',
    path: '/v1/webhook_deliveries',
    summary: 'Lists delivery attempts, newest first.',
    filters: {
      event: id('Only attempts to deliver this event.'),
      webhook_endpoint: id('Only attempts to this endpoint.'),
      status: choice(['pending', 'succeeded', 'failed', 'skipped'], 'Only attempts in this state.'),
    },
  }),
  retrieve: retrieveOperation('webhook_deliveries', 'Retrieves a delivery attempt.'),
}
