import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import type { Query } from './api-client.ts'
import type { ListSource } from './use-list.ts'

/**
 * Returns the source of deliveries. It is polled, because their results cause no event and streams do not contain them.
 */
export function deliverySource(query: Query): ListSource<WebhookDelivery> {
  return { path: '/v1/webhook_deliveries', query, isRelevant: () => true, isPolled: true }
}
