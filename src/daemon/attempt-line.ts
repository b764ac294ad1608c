import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'

const WHAT_FAILED = {
  timeout: 'no answer in time',
  connection: 'cannot connect',
  tls: 'TLS failed',
  redirect: 'redirect not followed',
  http_status: '',
} as const

/** One line on an attempt to deliver a webhook: where it went, what came of it, and when it is tried again. */
export function attemptLine(delivery: WebhookDelivery): string {
  const { event, url, attempt, status, http_status, error, duration_ms } = delivery
  const failure = error === null ? '' : WHAT_FAILED[error]
  const answer = [http_status, failure].filter((part) => part !== null && part !== '').join(' ')
  const head = `webhook ${event} → ${url}  ${answer}  ${duration_ms} ms  attempt ${attempt}`
  return status === 'succeeded' ? head : `${head}, ${nextStep(delivery)}`
}

function nextStep({ id, next_attempt_at }: WebhookDelivery): string {
  if (next_attempt_at === null) return `given up; see paycli webhooks deliveries retrieve ${id}`
  return `again at ${new Date(next_attempt_at * 1000).toISOString().slice(11, 19)}`
}
