import { skipDelivery } from '../../domain/events/webhook-deliveries.ts'
import { markNotListening } from '../../domain/events/webhook-endpoint-changes.ts'
import {
  isListenerEndpoint,
  LISTENER_DESCRIPTION,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../../domain/events/webhook-endpoints.ts'
import { commit } from '../../engine/commit.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { type ForwardTarget, loadEndpointDetails, syncTargetEndpoints } from './forward-endpoints.ts'
import type { ListenerPresence } from './listener-presence.ts'
import type { StreamHub } from './stream-hub.ts'

/**
 * Creates an endpoint for each target, signed with `secret`, or enables the endpoint of an earlier listener with its
 * pending deliveries. When the number of endpoints exceeds the limit, deletes the endpoints of disconnected listeners.
 */
export function enableListenerEndpoints(
  runtime: Runtime,
  targets: readonly ForwardTarget[],
  secret: string,
): Promise<readonly WebhookEndpoint[]> {
  return syncTargetEndpoints(runtime, targets, secret, {
    description: LISTENER_DESCRIPTION,
    isObsolete: ({ status }, isFull) => isFull && status !== 'enabled',
  })
}

/** Marks the endpoints of disconnected listeners; their pending deliveries are skipped and can be resent. */
export async function markEndpointsNotListening(runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await commit(runtime, {
    request: null,
    load: async (reader) => {
      const endpoints = await Promise.all(ids.map((id) => reader.get('webhook_endpoints', id)))
      const enabled = endpoints.flatMap((one) => (one?.status === 'enabled' ? [one] : []))
      return Promise.all(enabled.filter(isListenerEndpoint).map((one) => loadEndpointDetails(reader, one)))
    },
    when: () => REAL_TIME,
    decide: (loaded) => ({
      changes: loaded.flatMap(({ endpoint, dependents }) => markNotListening(endpoint, dependents.pending)),
      result: null,
    }),
  })
}

/** Marks a delivery as skipped because the filter of its listener excludes it. */
export async function skipFilteredDelivery(runtime: Runtime, delivery: string): Promise<void> {
  await commit(runtime, {
    request: null,
    load: (reader) => reader.get('webhook_deliveries', delivery),
    when: () => REAL_TIME,
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

/** Resolves with the given listener endpoints that have no listener connected to any process. */
export async function listDisconnectedEndpoints(
  reader: StoreReader,
  endpoints: readonly string[],
  { hub, presence }: { readonly hub: Pick<StreamHub, 'hasListener'>; readonly presence: ListenerPresence },
): Promise<readonly string[]> {
  const listeners = (await loadListenerEndpoints(reader)).map(({ id }) => id)
  const absent = endpoints.filter((id) => listeners.includes(id) && !hub.hasListener(id))
  return presence.withoutListenerElsewhere(absent)
}
