import type { DeliveryError, WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'

const FAILURES: Readonly<Record<DeliveryError, string>> = {
  dns: 'no such host',
  refused: 'connection refused',
  reset: 'connection closed',
  tls: 'TLS failed',
  timeout: 'timeout',
  blocked: 'address not allowed',
  protocol: 'too many 1xx responses',
  connection: 'cannot connect',
  redirect: 'redirect not followed',
  http_status: '',
}
const DISABLED_REASONS = {
  api: 'an API request disabled it',
  gone: 'it returned 410',
  failing: 'too many deliveries failed',
  copied: 'the sandbox is a copy',
}

/** Formats a delivery attempt as a log line: event, URL, result, duration and next attempt. */
export function formatAttempt(delivery: WebhookDelivery): string {
  const { event, url, attempt, trigger, status, http_status, error, duration_ms, fault } = delivery
  const failure = error === null ? '' : FAILURES[error]
  const result = [http_status, failure].filter((part) => part !== null && part !== '').join(' ')
  const number = trigger === 'manual' ? `resend ${attempt}` : `attempt ${attempt}`
  const duration = duration_ms === null ? 'not sent' : `${duration_ms} ms`
  const cause = fault ? `, fault ${fault}` : ''
  const head = `webhook ${event} → ${url}  ${result}  ${duration}  ${number}${cause}`
  return status === 'succeeded' ? head : `${head}, ${formatNextAttempt(delivery)}`
}

/** Formats a disabled endpoint as a log line: the reason, and the commands that enable it and resend its events. */
export function formatDisabledEndpoint({ id, url, disabled_reason }: WebhookEndpoint): string {
  const why = DISABLED_REASONS[disabled_reason ?? 'api']
  return `webhook endpoint ${id} → ${url} is disabled: ${why}. Enable it with paycli webhooks endpoints update ${id} --status enabled, then paycli events resend --failed`
}

function formatNextAttempt({ id, next_attempt_at }: WebhookDelivery): string {
  if (next_attempt_at === null) return `no retry; see paycli webhooks deliveries retrieve ${id}`
  return `next at ${new Date(next_attempt_at * 1000).toISOString().slice(11, 19)}`
}
