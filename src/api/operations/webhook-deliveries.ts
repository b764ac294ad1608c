import { presentDelivery } from '../../domain/webhook-deliveries.ts'
import { listOperation } from '../core/lists.ts'
import { lookup } from '../core/operation.ts'
import { byId, requireById } from '../core/retrieving.ts'
import { webhookDelivery } from '../resources/webhook-deliveries.ts'
import { choice, id } from '../schema/schema.ts'

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
    present: async (delivery) => presentDelivery(delivery),
  }),
  retrieve: lookup({
    method: 'GET',
    path: '/v1/webhook_deliveries/:id',
    summary: 'Retrieves a delivery attempt.',
    params: byId,
    answer: webhookDelivery,
    load: async (reader, params) =>
      presentDelivery(await requireById(reader, 'webhook_deliveries', params.id)),
  }),
}
