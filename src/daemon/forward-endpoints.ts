import { mutation } from '../domain/changes.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../domain/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../domain/webhook-endpoints.ts'
import { commit } from '../engine/commit.ts'
import { realTime } from '../engine/effective-time.ts'
import { loadEndpointDependents } from '../engine/load-related.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { StoreReader } from '../store/port/store.ts'

const DESCRIPTION = 'paycli serve --forward-to'

/** A URL to forward to, with patterns of event types. */
export interface ForwardTarget {
  readonly url: string
  readonly events: readonly string[]
}

/**
 * Creates or updates an endpoint for each `--forward-to` target, signed with `secret`. Endpoints of earlier runs without a
 * target are deleted with their pending deliveries, unless other processes share the store.
 */
export async function syncForwardEndpoints(
  runtime: Runtime,
  targets: readonly ForwardTarget[],
  secret: string,
): Promise<void> {
  for (const { url } of targets) runtime.requireAllowedUrl(url)
  const eventsOf = new Map(targets.map(({ url, events }) => [url, events]))
  await commit(runtime, {
    request: null,
    load: async (reader) => {
      const { data } = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      const own = data.filter((endpoint) => endpoint.description === DESCRIPTION)
      const loaded = await Promise.all(own.map((endpoint) => loadEndpointDetails(reader, endpoint)))
      return { others: data.length - own.length, loaded }
    },
    when: () => realTime,
    decide: ({ others, loaded }, context) => {
      const kept = loaded.filter(({ endpoint }) => eventsOf.has(endpoint.url))
      // In a shared store, an endpoint without a target here may be a target of another process.
      const isShared = runtime.store.coordinator !== undefined
      const obsolete = loaded.filter(({ endpoint }) => !isShared && !eventsOf.has(endpoint.url))
      const missing = [...eventsOf].filter(([url]) => kept.every(({ endpoint }) => endpoint.url !== url))
      const remaining = others + loaded.length - obsolete.length
      const created = missing.map(([url, events], index) =>
        createWebhookEndpoint(
          { url, enabled_events: events, description: DESCRIPTION },
          { secret, existing: remaining + index },
          context,
        ),
      )
      return {
        changes: [
          ...obsolete.flatMap((one) => deleteWebhookEndpoint(one.endpoint, one.secret, one.dependents)),
          ...kept.flatMap((one) => renewEndpoint(one, eventsOf.get(one.endpoint.url) ?? [], secret).changes),
          ...created.flatMap((one) => [one.endpoint, one.secret]),
        ],
        result: null,
      }
    },
  })
}

type EndpointDetails = Awaited<ReturnType<typeof loadEndpointDetails>>

/** Loads the secret and the dependent records of an endpoint. */
export async function loadEndpointDetails(reader: StoreReader, endpoint: WebhookEndpoint) {
  return {
    endpoint,
    secret: await reader.get('webhook_secrets', endpoint.id),
    dependents: await loadEndpointDependents(reader, endpoint.id),
  }
}

/** Enables an endpoint for other events and another secret. */
export function renewEndpoint(
  { endpoint, dependents }: EndpointDetails,
  events: readonly string[],
  secret: string,
) {
  const stored = { id: endpoint.id, object: 'webhook_secret' as const, secret }
  const fields = { status: 'enabled', enabled_events: events } as const
  const { changes, after } = updateWebhookEndpoint(endpoint, fields, dependents)
  return { changes: [...changes, mutation(null, stored, stored)], after }
}
