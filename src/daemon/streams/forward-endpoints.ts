import { toUpdate } from '../../domain/core/changes.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../../domain/events/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../../domain/events/webhook-endpoints.ts'
import { requireQuotaLeft } from '../../domain/sandboxes/sandbox-quotas.ts'
import { commit } from '../../engine/commit.ts'
import { loadEndpointDependents } from '../../engine/load-related.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'

const DESCRIPTION = 'paycli serve --forward-to'

/** A URL to which events are forwarded, with patterns of event types. */
export interface ForwardTarget {
  readonly url: string
  readonly events: readonly string[]
}

interface TargetEndpoints {
  /** The description of the endpoints, which marks their kind. */
  readonly description: string
  /**
   * Returns whether to delete an endpoint without a target; `isFull` is true when the new endpoints exceed the limit.
   */
  readonly isObsolete: (endpoint: WebhookEndpoint, isFull: boolean) => boolean
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
  // In a shared store, an endpoint that is not a target of this process may be a target of another process.
  const isObsolete = () => runtime.store.coordinator === undefined
  await syncTargetEndpoints(runtime, targets, secret, { description: DESCRIPTION, isObsolete })
}

/**
 * Creates an endpoint for the URL of each target, signed with `secret`, or enables the existing endpoint. Targets with
 * the same URL share one endpoint, which receives the event types of all these targets. Deletes obsolete endpoints.
 * Resolves with the endpoints of the targets.
 */
export function syncTargetEndpoints(
  runtime: Runtime,
  targets: readonly ForwardTarget[],
  secret: string,
  { description, isObsolete }: TargetEndpoints,
): Promise<readonly WebhookEndpoint[]> {
  const targetsOf = Map.groupBy(targets, ({ url }) => url)
  const eventsOf = new Map(
    [...targetsOf].map(([url, all]) => [url, [...new Set(all.flatMap(({ events }) => events))]]),
  )
  const max = Math.min(MAX_WEBHOOK_ENDPOINTS, runtime.quotas?.endpoints ?? MAX_WEBHOOK_ENDPOINTS)
  return commit(runtime, {
    request: null,
    load: async (reader) => {
      const { data } = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      const own = data.filter((endpoint) => endpoint.description === description)
      const loaded = await Promise.all(own.map((endpoint) => loadEndpointDetails(reader, endpoint)))
      return { count: data.length, loaded }
    },
    when: () => REAL_TIME,
    decide: ({ count, loaded }, context) => {
      const renewed = [...eventsOf].flatMap(([url, events]) =>
        loaded
          .filter(({ endpoint }) => endpoint.url === url)
          .map((one) => renewEndpoint(one, events, secret)),
      )
      const missing = [...eventsOf].filter(([url]) => loaded.every(({ endpoint }) => endpoint.url !== url))
      const isFull = count + missing.length > max
      const obsolete = loaded.filter(
        ({ endpoint }) => !eventsOf.has(endpoint.url) && isObsolete(endpoint, isFull),
      )
      const remaining = count - obsolete.length
      if (missing.length > 0 && max < MAX_WEBHOOK_ENDPOINTS)
        requireQuotaLeft('endpoints', remaining + missing.length - 1, max)
      const created = missing.map(([url, events], index) =>
        createWebhookEndpoint(
          { url, enabled_events: events, description },
          { secret, existing: remaining + index },
          context,
        ),
      )
      return {
        changes: [
          ...obsolete.flatMap((one) => deleteWebhookEndpoint(one.endpoint, one.secret, one.dependents)),
          ...renewed.flatMap((one) => one.changes),
          ...created.flatMap((one) => [one.endpoint, one.secret]),
        ],
        result: [...renewed.map(({ after }) => after), ...created.map(({ endpoint }) => endpoint.after)],
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

/** Enables an endpoint with new event types and a new secret. */
function renewEndpoint({ endpoint, dependents }: EndpointDetails, events: readonly string[], secret: string) {
  const stored = { id: endpoint.id, object: 'webhook_secret' as const, secret }
  const fields = { status: 'enabled', enabled_events: events } as const
  const { changes, after } = updateWebhookEndpoint(endpoint, fields, dependents)
  return { changes: [...changes, toUpdate(null, stored, stored)], after }
}
