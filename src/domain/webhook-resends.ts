import { type Creation, creation, type RuleContext } from './changes.ts'
import { DomainError, type ValidationError } from './domain-error.ts'
import { type Event, isEventWanted } from './events.ts'
import { millisecondProblems } from './unix-seconds.ts'
import { pendingDelivery, type WebhookDelivery } from './webhook-deliveries.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

const MAX_RECOVERY_SECONDS = 14 * 86_400

/** An event with every attempt at it so far. */
export interface Told {
  readonly event: Event
  readonly deliveries: readonly WebhookDelivery[]
}

/** The endpoints an event goes to again when none is named: the enabled ones that want it or had it before. */
export function resendTargets(
  { event, deliveries }: Told,
  endpoints: readonly WebhookEndpoint[],
): readonly WebhookEndpoint[] {
  const targets = endpoints.filter(
    ({ id, status, enabled_events }) =>
      status === 'enabled' &&
      (isEventWanted(event.type, enabled_events) ||
        deliveries.some(({ webhook_endpoint }) => webhook_endpoint === id)),
  )
  if (targets.length > 0) return targets
  throw new DomainError(
    'resource_missing',
    `No enabled webhook endpoint wants '${event.type}'. Name one in webhook_endpoint, or create one with POST /v1/webhook_endpoints.`,
    { param: 'webhook_endpoint' },
  )
}

/** Refuses to send to an endpoint that is disabled; `param` is where it was named. */
export function requireEnabled(endpoint: WebhookEndpoint, param: 'id' | 'webhook_endpoint'): WebhookEndpoint {
  if (endpoint.status === 'enabled') return endpoint
  throw new DomainError(
    'webhook_endpoint_disabled',
    `Webhook endpoint '${endpoint.id}' is disabled (${endpoint.disabled_reason}). Enable it first: POST /v1/webhook_endpoints/${endpoint.id} with {"status":"enabled"}.`,
    { param },
  )
}

/** What is wrong with a window: it begins more than 14 days before `now`, ends before it begins, or is in milliseconds. */
export function windowProblems(
  { since, until }: { readonly since?: number | null; readonly until?: number | null },
  now: number,
): ValidationError[] {
  const code = 'timestamp_invalid'
  const mistaken = millisecondProblems('since', since)
  const problems = [...mistaken, ...millisecondProblems('until', until)]
  if (since === undefined || since === null) return problems
  if (since < now - MAX_RECOVERY_SECONDS) {
    const message = `since is ${since}, more than 14 days ago. Give a later moment.`
    problems.push({ code, param: 'since', message })
  }
  // Whatever is meant lies before what was meant in seconds and said in milliseconds.
  if (mistaken.length === 0 && until !== undefined && until !== null && until < since) {
    problems.push({ code, param: 'until', message: `until (${until}) lies before since (${since}).` })
  }
  return problems
}

/** One more attempt by hand, at once and without retries; null when one by hand still waits. */
export function planResend(
  { event, deliveries }: Told,
  endpoint: WebhookEndpoint,
  context: RuleContext,
): Creation<WebhookDelivery> | null {
  const byHand = deliveries.filter(
    ({ webhook_endpoint, trigger }) => webhook_endpoint === endpoint.id && trigger === 'manual',
  )
  if (byHand.some(({ status }) => status === 'pending')) return null
  const attempt = 1 + byHand.length
  const resend = { id: context.newId('whd_'), event: event.id, endpoint, attempt, dueAt: context.wallNow }
  return creation(null, pendingDelivery({ ...resend, trigger: 'manual' }, context.wallNow))
}

/**
 * Whether an endpoint has missed an event by `now`: it was tried or passed over, never taken, and nothing is due. A
 * retry that is planned for later is no reason to let somebody wait who asks for it now.
 */
export function isMissed(
  deliveries: readonly WebhookDelivery[],
  webhookEndpoint: string,
  now: number,
): boolean {
  const own = deliveries.filter((delivery) => delivery.webhook_endpoint === webhookEndpoint)
  const isLost = ({ status }: WebhookDelivery) => status === 'failed' || status === 'skipped'
  const isLater = ({ status, next_attempt_at }: WebhookDelivery) =>
    status === 'pending' && next_attempt_at !== null && next_attempt_at > now
  return own.some(isLost) && own.every((delivery) => isLost(delivery) || isLater(delivery))
}
