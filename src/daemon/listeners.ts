import type { Change } from '../domain/changes.ts'
import { skipDelivery, type WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../domain/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../domain/webhook-endpoints.ts'
import { commit } from '../engine/commit.ts'
import type { Runtime } from '../engine/runtime.ts'
import { realTime } from '../engine/time-source.ts'
import type { Reader } from '../store/port/store.ts'
import { recordAttempt } from '../webhooks/deliveries.ts'
import type { SendResult } from '../webhooks/send.ts'
import { type ForwardTarget, loadEndpoint, renewed } from './forwarding.ts'

const DESCRIPTION = 'paycli webhooks listen'

/** Whether a running `paycli webhooks listen` sends for an endpoint, in place of the daemon. */
export function isListener({ description }: WebhookEndpoint): boolean {
  return description === DESCRIPTION
}

/**
 * Makes an enabled endpoint for each target, signed with `secret`, or takes the one that an earlier listener left; what
 * has waited since is sent. Where there is no room, those go that nobody listens for.
 */
export function openListeners(
  runtime: Runtime,
  targets: readonly ForwardTarget[],
  secret: string,
): Promise<readonly WebhookEndpoint[]> {
  return commit(runtime, {
    request: null,
    load: async (reader) => {
      const { data } = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      const own = data.filter(isListener)
      return { count: data.length, own: await Promise.all(own.map((one) => loadEndpoint(reader, one))) }
    },
    when: () => realTime,
    decide: ({ count, own }, context) => {
      const kept = targets.flatMap(({ url, events }) => {
        const known = own.find(({ endpoint }) => endpoint.url === url)
        return known === undefined ? [] : [{ known, events }]
      })
      const missing = targets.filter(({ url }) => own.every(({ endpoint }) => endpoint.url !== url))
      const isIdle = ({ endpoint }: (typeof own)[number]) =>
        endpoint.status === 'disabled' && targets.every(({ url }) => url !== endpoint.url)
      const isFull = count + missing.length > MAX_WEBHOOK_ENDPOINTS
      const gone = isFull ? own.filter(isIdle) : []
      const renewals = kept.map(({ known, events }) => renewed(known, events, secret))
      const made = missing.map(({ url, events }, index) =>
        createWebhookEndpoint(
          { url, enabled_events: events, description: DESCRIPTION },
          { secret, existing: count - gone.length + index },
          context,
        ),
      )
      const changes: Change[] = [
        ...gone.flatMap(({ endpoint, secret: old, belongings }) =>
          deleteWebhookEndpoint(endpoint, old, belongings),
        ),
        ...renewals.flatMap((one) => one.changes),
        ...made.flatMap((one) => [one.endpoint, one.secret]),
      ]
      return {
        changes,
        result: [...renewals.map(({ after }) => after), ...made.map((one) => one.endpoint.after)],
      }
    },
  })
}

/** Disables endpoints that nobody listens for any more: what waits is skipped, and can be sent again. */
export async function closeListeners(runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await commit(runtime, {
    request: null,
    load: async (reader) => {
      const found = await Promise.all(ids.map((id) => reader.get('webhook_endpoints', id)))
      const open = found.filter((one) => one !== null && one.status === 'enabled' && isListener(one))
      return Promise.all(open.flatMap((one) => (one === null ? [] : [loadEndpoint(reader, one)])))
    },
    when: () => realTime,
    decide: (loaded) => ({
      changes: loaded.flatMap(
        ({ endpoint, belongings }) =>
          updateWebhookEndpoint(endpoint, { status: 'disabled' }, belongings).changes,
      ),
      result: null,
    }),
  })
}

/** Settles a delivery that its listener's filter leaves out: it counts as skipped. */
export async function skipFiltered(runtime: Runtime, delivery: string): Promise<void> {
  await commit(runtime, {
    request: null,
    load: (reader) => reader.get('webhook_deliveries', delivery),
    when: () => realTime,
    decide: (found) => ({
      changes: found?.status === 'pending' ? [skipDelivery(found)] : [],
      result: null,
    }),
  })
}

/**
 * Stores a success that a listener reports when nothing waits for it any more, as after a crash of the service, given its
 * delivery as it was then; resolves with whether that was still to be made. A failure is tried again anyway.
 */
export async function keepSuccess(
  { store, wallNow }: Runtime,
  delivery: WebhookDelivery | null,
  result: SendResult,
): Promise<boolean> {
  if (delivery?.status !== 'pending' || result.error !== null) return false
  const endpoint = await store.get('webhook_endpoints', delivery.webhook_endpoint)
  if (!endpoint || !isListener(endpoint)) return false
  const { retry_after: _unneeded, ...answer } = result
  const outcome = { url: delivery.url, request_headers: {}, ...answer }
  const attempt = { delivery: delivery.id, endpoint: endpoint.id, outcome, next: null }
  const recorded = await recordAttempt(store, attempt, { wallNow: wallNow(), isSpared: isListener })
  // The worker may have asked for it meanwhile, and stored the same.
  return recorded !== null || (await store.get('webhook_deliveries', delivery.id))?.status === 'succeeded'
}

/** The endpoints that a listener is to send for. */
export async function openEndpoints(reader: Reader): Promise<readonly WebhookEndpoint[]> {
  const query = { where: { status: 'enabled' }, limit: MAX_WEBHOOK_ENDPOINTS }
  return (await reader.list('webhook_endpoints', query)).data.filter(isListener)
}
