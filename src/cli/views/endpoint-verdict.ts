import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import type { EndpointHealth } from '../../domain/reports/endpoint-health.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'

/** Describes in one sentence whether an endpoint is healthy, with the reason for failures. */
export function describeEndpointHealth(
  { succeeded, failed, pending }: EndpointHealth,
  { status, disabled_reason: reason }: WebhookEndpoint,
  failure: Pick<WebhookDelivery, 'created' | 'error_message'> | undefined,
): string {
  if (status !== 'enabled')
    return `Receives no events: the endpoint is ${status.replace('_', ' ')}${reason === null ? '' : ` (${reason})`}.`
  const attempts = succeeded + failed
  if (attempts === 0) return `Unknown: no attempt ended in the last 24 hours. Waiting attempts: ${pending}.`
  if (failed === 0) return `Healthy: all attempts of the last 24 hours succeeded (${attempts}).`
  const counts = `${failed} of ${attempts} attempts of the last 24 hours failed.`
  if (failure === undefined) return counts
  return `${counts} The newest failure, at ${toIsoTimestamp(failure.created)}: ${failure.error_message}`
}
