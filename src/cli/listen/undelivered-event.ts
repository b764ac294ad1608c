import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events/events.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { listObjects } from '../request/paginate.ts'

const MAX_DELIVERIES = 1000

/** Returns the delivery attempts of an event, newest first; with `endpoint` only the attempts to that endpoint. */
export async function listDeliveryAttempts(
  client: Client,
  event: string,
  endpoint: string | null,
): Promise<readonly WebhookDelivery[]> {
  const filter = endpoint === null ? { event } : { event, webhook_endpoint: endpoint }
  return (await listObjects(client, webhookDeliveries.list, filter, MAX_DELIVERIES)).found
}

/**
 * Returns the error for an event that was not delivered in time. The message contains the reason for each endpoint that
 * has not accepted the event.
 */
export async function createUndeliveredError(
  client: Client,
  { id, type }: Event,
  { endpoint, timeout }: { readonly endpoint: string | null; readonly timeout: string },
): Promise<ExpectationError> {
  const attempts = await listDeliveryAttempts(client, id, endpoint)
  const missing = lastAttempts(attempts)
  const reasons = missing.map(describeAttempt)
  if (attempts.length === 0 && endpoint !== null)
    reasons.push(`The endpoint ${endpoint} does not exist or does not receive ${type} events.`)
  const message = [`The event ${type} ${id} occurred but was not delivered within ${timeout}.`, ...reasons]
  const shown = missing.find(({ status }) => status === 'failed') ?? missing[0]
  return new ExpectationError('timeout', message.join(' '), hintFor(shown))
}

// Skipped and pending attempts have no response.
function hintFor(attempt: WebhookDelivery | undefined): string {
  if (attempt === undefined) return 'See the endpoints: paycli webhooks endpoints list'
  const { id, status, event, webhook_endpoint } = attempt
  switch (status) {
    case 'skipped':
      return `Enable the endpoint: paycli webhooks endpoints update ${webhook_endpoint} --status enabled. Then send the event: paycli events resend ${event} --endpoint ${webhook_endpoint}`
    case 'pending':
      return 'Wait longer with --timeout, and see whether the handler responds.'
    default:
      return `See the response: paycli webhooks deliveries retrieve ${id}`
  }
}

/**
 * Returns the newest failed attempt of each endpoint that has not accepted the event, or its newest attempt if no
 * attempt failed.
 */
function lastAttempts(attempts: readonly WebhookDelivery[]): WebhookDelivery[] {
  const byEndpoint = Map.groupBy(attempts, ({ webhook_endpoint }) => webhook_endpoint)
  return [...byEndpoint.values()]
    .filter((own) => own.every(({ status }) => status !== 'succeeded'))
    .flatMap((own) => own.find(({ status }) => status === 'failed') ?? own.slice(0, 1))
}

function describeAttempt(delivery: WebhookDelivery): string {
  const { webhook_endpoint, url, attempt, status, error_message, next_attempt_at } = delivery
  const name = `${webhook_endpoint} (${url})`
  if (status === 'skipped') return `${name} was not enabled, so attempt ${attempt} was skipped.`
  if (status === 'pending') return `${name} has no finished attempt yet.`
  const next = next_attempt_at === null ? null : toIsoTimestamp(next_attempt_at)
  const retry = next === null ? 'No automatic attempt follows.' : `Next attempt: ${next}.`
  return `${name} failed at attempt ${attempt}: ${error_message ?? 'no response.'} ${retry}`
}
