import type { DeliveryError, WebhookDelivery } from '../domain/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../domain/webhook-endpoints.ts'

const WHAT_FAILED: Readonly<Record<DeliveryError, string>> = {
  dns: 'no such host',
  refused: 'nothing listens there',
  reset: 'connection closed',
  tls: 'TLS failed',
  timeout: 'no answer in time',
  blocked: 'address not allowed',
  protocol: 'too many 1xx responses',
  connection: 'cannot connect',
  redirect: 'redirect not followed',
  http_status: '',
}
const WHY_DISABLED = { api: 'it was asked for', gone: 'it answered 410', failing: 'it failed for too long' }

/** One line on an attempt to deliver a webhook: where it went, what came of it, and when it is tried again. */
export function attemptLine(delivery: WebhookDelivery): string {
  const { event, url, attempt, trigger, status, http_status, error, duration_ms } = delivery
  const failure = error === null ? '' : WHAT_FAILED[error]
  const answer = [http_status, failure].filter((part) => part !== null && part !== '').join(' ')
  const number = trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`
  const head = `webhook ${event} → ${url}  ${answer}  ${duration_ms} ms  ${number}`
  return status === 'succeeded' ? head : `${head}, ${nextStep(delivery)}`
}

/** One line on an endpoint that gets nothing any more, and on how to have it get what it misses. */
export function disabledLine({ id, url, disabled_reason }: WebhookEndpoint): string {
  const why = WHY_DISABLED[disabled_reason ?? 'api']
  return `webhook endpoint ${id} → ${url} is disabled: ${why}. Enable it with paycli webhooks endpoints update ${id} --status enabled, then paycli events resend --failed`
}

function nextStep({ id, next_attempt_at }: WebhookDelivery): string {
  if (next_attempt_at === null) return `given up; see paycli webhooks deliveries retrieve ${id}`
  return `again at ${new Date(next_attempt_at * 1000).toISOString().slice(11, 19)}`
}
