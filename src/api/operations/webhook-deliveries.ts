import * as p from '../../domain/params.ts'
import { presentDelivery, webhookDeliverySchema } from '../../domain/webhook-deliveries.ts'
import { defineList } from '../core/lists.ts'
import { defineRetrieve } from '../core/retrieve.ts'

/** Operations on webhook deliveries: each delivery attempt is one of them. */
export const webhookDeliveries = {
  list: defineList('webhook_deliveries', webhookDeliverySchema, {
    summary: 'Lists delivery attempts, newest first.',
    description:
      'Filter by event, endpoint or status, such as `status=failed`, to see what your handler responded.',
    filters: {
      event: p.id('Only attempts to deliver this event.'),
      webhook_endpoint: p.id('Only attempts to this endpoint.'),
      status: p.choice(['pending', 'succeeded', 'failed', 'skipped'], 'Only attempts with this status.'),
    },
    present: async (delivery) => presentDelivery(delivery),
  }),
  retrieve: defineRetrieve('webhook_deliveries', webhookDeliverySchema, {
    summary: 'Retrieves a delivery attempt.',
    description:
      'Shows the request headers without secrets, the response of your handler up to 16 KiB, the duration in milliseconds and the time of the next attempt.',
    present: async (delivery) => presentDelivery(delivery),
  }),
}
