import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'

/** Returns the result of a delivery attempt in a word: the HTTP status, the reason of the failure, or the status. */
export function deliveryLabel({ status, http_status, error }: WebhookDelivery): string {
  if (http_status !== null) return String(http_status)
  return (status === 'failed' ? error : null) ?? status
}
