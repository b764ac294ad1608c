import { mutation } from '../domain/changes.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../domain/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
} from '../domain/webhook-endpoints.ts'
import { commit } from '../engine/commit.ts'
import { loadEndpointBelongings } from '../engine/load-related.ts'
import type { Runtime } from '../engine/runtime.ts'
import { realTime } from '../engine/time-source.ts'
import type { Reader } from '../store/port/store.ts'

const DESCRIPTION = 'paycli serve --forward-to'

/** A URL that the command line names, and the patterns of the events it is sent. */
export interface ForwardTarget {
  readonly url: string
  readonly events: readonly string[]
}

/**
 * Makes the endpoints of the command line be exactly these, signed with `secret`: those of an earlier run that are not
 * named any more go, with what still waits for them, unless other processes share the store.
 */
export async function forwardTo(
  runtime: Runtime,
  targets: readonly ForwardTarget[],
  secret: string,
): Promise<void> {
  for (const { url } of targets) runtime.requireTarget(url)
  const eventsOf = new Map(targets.map(({ url, events }) => [url, events]))
  await commit(runtime, {
    request: null,
    load: async (reader) => {
      const { data } = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      const own = data.filter((endpoint) => endpoint.description === DESCRIPTION)
      const loaded = await Promise.all(own.map((endpoint) => loadEndpoint(reader, endpoint)))
      return { others: data.length - own.length, loaded }
    },
    when: () => realTime,
    decide: ({ others, loaded }, context) => {
      const kept = loaded.filter(({ endpoint }) => eventsOf.has(endpoint.url))
      // At a store that others share, the ones not named here may be named there.
      const isAlone = runtime.store.sharing === undefined
      const gone = loaded.filter(({ endpoint }) => isAlone && !eventsOf.has(endpoint.url))
      const missing = [...eventsOf].filter(([url]) => kept.every(({ endpoint }) => endpoint.url !== url))
      const made = missing.map(([url, events], index) => {
        const given = { secret, existing: others + loaded.length - gone.length + index }
        return createWebhookEndpoint(
          { url, enabled_events: events, description: DESCRIPTION },
          given,
          context,
        )
      })
      return {
        changes: [
          ...gone.flatMap((one) => deleteWebhookEndpoint(one.endpoint, one.secret, one.belongings)),
          ...kept.flatMap((one) => renewed(one, eventsOf.get(one.endpoint.url) ?? [], secret).changes),
          ...made.flatMap((one) => [one.endpoint, one.secret]),
        ],
        result: null,
      }
    },
  })
}

type Loaded = Awaited<ReturnType<typeof loadEndpoint>>

/** An endpoint with all that goes with it. */
export async function loadEndpoint(reader: Reader, endpoint: WebhookEndpoint) {
  return {
    endpoint,
    secret: await reader.get('webhook_secrets', endpoint.id),
    belongings: await loadEndpointBelongings(reader, endpoint.id),
  }
}

/** An endpoint that is sent these events from now on, signed with `secret`. */
export function renewed({ endpoint, belongings }: Loaded, events: readonly string[], secret: string) {
  const stored = { id: endpoint.id, object: 'webhook_secret' as const, secret }
  const fields = { status: 'enabled', enabled_events: events } as const
  const { changes, after } = updateWebhookEndpoint(endpoint, fields, belongings)
  return { changes: [...changes, mutation(null, stored, stored)], after }
}
