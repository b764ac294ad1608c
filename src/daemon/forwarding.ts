import { mutation, removal } from '../domain/changes.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type WebhookEndpoint,
} from '../domain/webhook-endpoints.ts'
import { loadPendingDeliveries } from '../engine/belongings.ts'
import { commit } from '../engine/commit.ts'
import { realTime } from '../engine/moments.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { Reader } from '../store/store.ts'

const DESCRIPTION = 'paycli serve --forward-to'
const MAX_ENDPOINTS_READ = 100

/**
 * Makes the endpoints of `--forward-to` be exactly these URLs, signed with `secret`: those of an earlier run that are
 * not named any more go, with what still waits for them.
 */
export async function forwardTo(runtime: Runtime, targets: readonly string[], secret: string): Promise<void> {
  const urls = [...new Set(targets)]
  await commit(runtime, {
    request: null,
    load: async (reader) => {
      const { data } = await reader.list('webhook_endpoints', { limit: MAX_ENDPOINTS_READ })
      const own = data.filter((endpoint) => endpoint.description === DESCRIPTION)
      const gone = await Promise.all(
        own.filter(({ url }) => !urls.includes(url)).map((endpoint) => loadGone(reader, endpoint)),
      )
      const kept = own.filter(({ url }) => urls.includes(url))
      return { existing: data.length - gone.length, kept, gone }
    },
    when: () => realTime,
    decide: ({ existing, kept, gone }, world) => {
      const missing = urls.filter((url) => kept.every((endpoint) => endpoint.url !== url))
      const made = missing.map((url, index) =>
        createWebhookEndpoint(
          { url, description: DESCRIPTION },
          { secret, existing: existing + index },
          world,
        ),
      )
      return {
        changes: [
          ...gone.flatMap((one) => [
            ...deleteWebhookEndpoint(one.endpoint, one.secret),
            ...one.pending.map(removal),
          ]),
          ...kept.flatMap((endpoint) => reenable(endpoint, secret)),
          ...made.flatMap((one) => [one.endpoint, one.secret]),
        ],
        result: null,
      }
    },
  })
}

async function loadGone(reader: Reader, endpoint: WebhookEndpoint) {
  return {
    endpoint,
    secret: await reader.get('webhook_secrets', endpoint.id),
    pending: await loadPendingDeliveries(reader, endpoint.id),
  }
}

function reenable(endpoint: WebhookEndpoint, secret: string) {
  const stored = { id: endpoint.id, object: 'webhook_secret' as const, secret }
  return [
    mutation(null, endpoint, { ...endpoint, status: 'enabled' as const, disabled_reason: null }),
    mutation(null, stored, stored),
  ]
}
