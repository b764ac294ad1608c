import type { Change } from '../domain/changes.ts'
import { skipDelivery } from '../domain/webhook-deliveries.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../domain/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../domain/webhook-endpoints.ts'
import { commit } from '../engine/commit.ts'
import { realTime } from '../engine/effective-time.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { StoreReader } from '../store/port/store.ts'
import { type ForwardTarget, loadEndpointDetails, renewEndpoint } from './forward-endpoints.ts'

const DESCRIPTION = 'paycli webhooks listen'

/** Returns whether an endpoint belongs to `paycli webhooks listen`, which delivers to it instead of the daemon. */
export function isListenerEndpoint({ description }: WebhookEndpoint): boolean {
  return description === DESCRIPTION
}

/**
 * Creates an endpoint for each target, signed with `secret`, or enables the endpoint of an earlier listener with its pending
 * deliveries. At the limit of endpoints, deletes those of disconnected listeners.
 */
export function enableListenerEndpoints(
  runtime: Runtime,
  targets: readonly ForwardTarget[],
  secret: string,
): Promise<readonly WebhookEndpoint[]> {
  return commit(runtime, {
    request: null,
    load: async (reader) => {
      const { data } = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      const own = data.filter(isListenerEndpoint)
      return {
        count: data.length,
        own: await Promise.all(own.map((one) => loadEndpointDetails(reader, one))),
      }
    },
    when: () => realTime,
    decide: ({ count, own }, context) => {
      const renewals = targets.flatMap(({ url, events }) => {
        const existing = own.find(({ endpoint }) => endpoint.url === url)
        return existing === undefined ? [] : [renewEndpoint(existing, events, secret)]
      })
      const missing = targets.filter(({ url }) => own.every(({ endpoint }) => endpoint.url !== url))
      const isIdle = ({ endpoint }: (typeof own)[number]) =>
        endpoint.status === 'disabled' && targets.every(({ url }) => url !== endpoint.url)
      const isFull = count + missing.length > MAX_WEBHOOK_ENDPOINTS
      const idle = isFull ? own.filter(isIdle) : []
      const created = missing.map(({ url, events }, index) =>
        createWebhookEndpoint(
          { url, enabled_events: events, description: DESCRIPTION },
          { secret, existing: count - idle.length + index },
          context,
        ),
      )
      const changes: Change[] = [
        ...idle.flatMap((one) => deleteWebhookEndpoint(one.endpoint, one.secret, one.dependents)),
        ...renewals.flatMap((one) => one.changes),
        ...created.flatMap((one) => [one.endpoint, one.secret]),
      ]
      return {
        changes,
        result: [...renewals.map(({ after }) => after), ...created.map((one) => one.endpoint.after)],
      }
    },
  })
}

/** Disables endpoints of disconnected listeners; their pending deliveries are skipped and can be resent. */
export async function disableListenerEndpoints(runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await commit(runtime, {
    request: null,
    load: async (reader) => {
      const endpoints = await Promise.all(ids.map((id) => reader.get('webhook_endpoints', id)))
      const enabled = endpoints.flatMap((one) => (one?.status === 'enabled' ? [one] : []))
      return Promise.all(enabled.filter(isListenerEndpoint).map((one) => loadEndpointDetails(reader, one)))
    },
    when: () => realTime,
    decide: (loaded) => ({
      changes: loaded.flatMap(
        ({ endpoint, dependents }) =>
          updateWebhookEndpoint(endpoint, { status: 'disabled' }, dependents).changes,
      ),
      result: null,
    }),
  })
}

/** Marks a delivery as skipped because the filter of its listener excludes it. */
export async function skipFilteredDelivery(runtime: Runtime, delivery: string): Promise<void> {
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

/** Returns the enabled endpoints of listeners. */
export async function loadListenerEndpoints(reader: StoreReader): Promise<readonly WebhookEndpoint[]> {
  const query = { where: { status: 'enabled' }, limit: MAX_WEBHOOK_ENDPOINTS }
  return (await reader.list('webhook_endpoints', query)).data.filter(isListenerEndpoint)
}
