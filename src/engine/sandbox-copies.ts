import type { RuleContext, StoredObject } from '../domain/core/changes.ts'
import type { Event } from '../domain/events/events.ts'
import { countPendingEndpoints, type WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import { createDisabledEndpointCopy } from '../domain/events/webhook-endpoint-changes.ts'
import { isListenerEndpoint } from '../domain/events/webhook-endpoints.ts'
import { createApiKey, type KeyMaterial } from '../domain/sandboxes/api-keys.ts'
import type { InternalSandboxSecrets } from '../domain/sandboxes/sandbox-secrets.ts'
import type { SandboxCounts } from '../domain/sandboxes/sandboxes.ts'
import { estimateJsonBytes } from '../domain/text/json-bytes.ts'
import { COLLECTION_NAMES, COLLECTION_RULES, type CollectionName } from '../store/port/collections.ts'
import type { StoreContents, StoreReader, StoreUsage } from '../store/port/store.ts'
import { replaceHostedPageUrls } from './hosted-page-urls.ts'
import type { Runtime } from './runtime.ts'

/** The collections that belong to the sandbox itself and are never copied. */
const OWN_COLLECTIONS: readonly CollectionName[] = [
  'api_keys',
  'api_key_digests',
  'sandbox_secrets',
  'sandboxes',
  'idempotency_keys',
  'request_logs',
  'form_tokens',
  'faults',
  'dashboard_sessions',
]

/** The collections that a reset keeps. */
export const COLLECTIONS_KEPT_BY_RESET = [
  'api_keys',
  'api_key_digests',
  'sandbox_secrets',
  'dashboard_sessions',
] as const

/** The records that a reset keeps. */
export type KeptRecords = Pick<StoreContents['records'], (typeof COLLECTIONS_KEPT_BY_RESET)[number]>

/** Contents without records. */
export const EMPTY_CONTENTS: StoreContents = {
  records: Object.fromEntries(
    COLLECTION_NAMES.map((name) => [name, []]),
  ) as unknown as StoreContents['records'],
  sequence: 0,
}

/**
 * Returns the contents of a copy, without the collections of the sandbox itself and with disabled webhook endpoints.
 * URLs of hosted pages begin with the checkout URL of the copy: a payment on a page of the source would change the
 * source. The caller creates secrets with the same fingerprint salt.
 */
export async function buildCopyContents(
  { records, sequence }: StoreContents,
  target: Pick<Runtime, 'checkoutUrl' | 'yieldToEventLoop' | 'newWebhookSecret'>,
): Promise<StoreContents> {
  const emptied = Object.fromEntries(OWN_COLLECTIONS.map((name) => [name, []]))
  const copy = { sequence, records: { ...records, ...emptied } }
  return replaceHostedPageUrls(isolateCopiedWebhooks(copy, target.newWebhookSecret), target)
}

/**
 * Returns the contents of a store without listener endpoints and pending deliveries. Each remaining endpoint is
 * disabled and has a new secret. Otherwise the handlers of the source would receive validly signed events about objects
 * of the copy.
 */
export function isolateCopiedWebhooks(
  { records, sequence }: StoreContents,
  newSecret: () => string,
): StoreContents {
  const endpoints = records.webhook_endpoints.filter((endpoint) => !isListenerEndpoint(endpoint))
  const copies = endpoints.map((endpoint) => createDisabledEndpointCopy(endpoint, newSecret()))
  const deliveries = records.webhook_deliveries.filter(({ status }) => status !== 'pending')
  const isolated = {
    webhook_endpoints: copies.map(({ endpoint }) => endpoint),
    webhook_secrets: copies.map(({ secret }) => secret),
    webhook_health: [],
    webhook_deliveries: deliveries,
    events: withoutPending(records.events, deliveries),
  }
  return { sequence, records: { ...records, ...isolated } }
}

// Events without a pending delivery are not copied, so that stores can share the stored events.
function withoutPending(events: readonly Event[], deliveries: readonly WebhookDelivery[]): readonly Event[] {
  const byEvent = Map.groupBy(deliveries, ({ event }) => event)
  return events.map((event) => {
    if (event.pending_webhooks === 0) return event
    const pending_webhooks = countPendingEndpoints(byEvent.get(event.id) ?? [])
    return pending_webhooks === event.pending_webhooks ? event : { ...event, pending_webhooks }
  })
}

/** Returns the salt of the card fingerprints in the contents of a store, or null. */
export function findFingerprintSalt({ records }: StoreContents): string | null {
  return records.sandbox_secrets[0]?.fingerprint_salt ?? null
}

/** The collections of the API, except collections that differ from server to server. */
export const PORTABLE_COLLECTIONS = COLLECTION_NAMES.filter(
  (name) =>
    COLLECTION_RULES[name].idPrefix !== null && !['api_keys', 'request_logs', 'sandboxes'].includes(name),
)

/** The collections whose records count as objects of a sandbox. */
const OBJECT_COLLECTIONS = PORTABLE_COLLECTIONS.filter((name) => name !== 'events')

/** Returns the numbers of objects and events in the contents of a store. */
export function countContentsRecords({ records }: StoreContents): SandboxCounts {
  const objects = OBJECT_COLLECTIONS.reduce((sum, name) => sum + records[name].length, 0)
  return { objects, events: records.events.length }
}

/**
 * The number of records of a collection whose size is measured. The other records are assumed to have the same average
 * size.
 */
const MEASURED_RECORDS = 100

/** Returns the number of all records of a store, and their approximate size in bytes as JSON text. */
export function estimateUsage({ records }: StoreContents): StoreUsage {
  let [count, bytes] = [0, 0]
  for (const all of Object.values(records) as (readonly StoredObject[])[]) {
    const step = Math.ceil(all.length / MEASURED_RECORDS)
    count += all.length
    for (let at = 0; at < all.length; at += step) bytes += estimateJsonBytes(all[at]) * step
  }
  return { records: count, bytes }
}

/** Returns the numbers of objects and events in a store. */
export async function countStoreRecords(reader: StoreReader): Promise<SandboxCounts> {
  const [events = 0, ...objects] = await Promise.all(
    (['events', ...OBJECT_COLLECTIONS] as const).map((name) => reader.count(name)),
  )
  return { objects: objects.reduce((sum, count) => sum + count, 0), events }
}

/** Adds the API keys, secrets and dashboard sessions, which a reset keeps, to the new contents of a sandbox. */
export function addKeptRecords(contents: StoreContents, current: KeptRecords): StoreContents {
  const kept = Object.fromEntries(COLLECTIONS_KEPT_BY_RESET.map((name) => [name, current[name]]))
  return { ...contents, records: { ...contents.records, ...kept } }
}

/** Returns the contents of a sandbox after a reset, with the id of the reset in the secrets of the sandbox. */
export function addResetId(contents: StoreContents, id: string): StoreContents {
  const { records, sequence } = contents
  const sandbox_secrets = records.sandbox_secrets.map((one) => ({ ...one, reset: { id, sequence } }))
  return { ...contents, records: { ...records, sandbox_secrets } }
}

/** Returns the contents of a copy with the secrets and the first API key of a new sandbox. */
export function addSandboxCredentials(
  contents: StoreContents,
  secrets: InternalSandboxSecrets,
  apiKey: KeyMaterial,
  context: Pick<RuleContext, 'newId' | 'wallNow'>,
): StoreContents {
  const { key, digest } = createApiKey({ name: 'sandbox' }, apiKey, context)
  const own = { api_keys: [key.after], api_key_digests: [digest.after], sandbox_secrets: [secrets] }
  return { ...contents, records: { ...contents.records, ...own } }
}
