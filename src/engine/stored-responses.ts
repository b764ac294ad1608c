import {
  createIdempotencyLimitError,
  getReplayResponse,
  IDEMPOTENCY_SECONDS,
  type IdempotencyKey,
  type IdempotentRequest,
  MAX_STORED_RESPONSES,
  type StoredResponse,
} from '../domain/idempotency.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import type { Runtime } from './runtime.ts'
import { settledNow } from './settled-time.ts'

const RECOUNT_SECONDS = 3600
/** Near the limit, the responses that other processes store matter. */
const RECOUNT_SECONDS_NEAR_LIMIT = 60
const NEAR_LIMIT = 0.8

/** The number of stored responses. Counting is slow on PostgreSQL, so this process keeps a running total in between. */
interface ResponseCount {
  count: number
  /** Wall time in Unix seconds. */
  countedAt: number
  /** The running count, which concurrent requests share. */
  pending: Promise<void> | null
}

const counts = new WeakMap<Store, ResponseCount>()

function countOf(store: Store): ResponseCount {
  const known = counts.get(store) ?? { count: 0, countedAt: Number.NEGATIVE_INFINITY, pending: null }
  counts.set(store, known)
  return known
}

/**
 * Rejects when the store has reached its limit of stored responses. Stored responses are never deleted before 24 hours,
 * so new requests with an idempotency key must wait.
 */
export async function requireResponseCapacity(runtime: Runtime): Promise<void> {
  const { store } = runtime
  const known = countOf(store)
  if (known.countedAt === Number.NEGATIVE_INFINITY) await countResponses(runtime)
  const { count } = known
  if (count < limitOf(runtime)) return
  const [oldest] = await store.listOldest('idempotency_keys', 1)
  // Retention uses settled time, which follows a forward jump of the system clock a day later.
  const now = settledNow(runtime)
  const waitSeconds = (oldest?.used_at ?? now) + IDEMPOTENCY_SECONDS - now
  throw createIdempotencyLimitError(count, Math.min(Math.max(1, waitSeconds), IDEMPOTENCY_SECONDS))
}

/** Adds to the running total after this process stored or deleted responses. */
export function adjustResponseCount(store: Store, change: number): void {
  countOf(store).count += change
}

/** Counts the stored responses again when the last count is too old, because other processes store and delete some too. */
export async function recountResponses(runtime: Runtime): Promise<void> {
  const { count, countedAt } = countOf(runtime.store)
  const seconds = count < limitOf(runtime) * NEAR_LIMIT ? RECOUNT_SECONDS : RECOUNT_SECONDS_NEAR_LIMIT
  if (Math.abs(runtime.wallNow() - countedAt) >= seconds) await countResponses(runtime)
}

function countResponses({ store, wallNow }: Runtime): Promise<void> {
  const known = countOf(store)
  known.pending ??= count().finally(() => {
    known.pending = null
  })
  return known.pending

  async function count(): Promise<void> {
    const before = known.count
    const counted = await store.count('idempotency_keys')
    // The count may miss responses that were stored during it. Add them: too high is safer than too low.
    known.count = counted + Math.max(0, known.count - before)
    known.countedAt = wallNow()
  }
}

function limitOf({ maxStoredResponses = MAX_STORED_RESPONSES }: Runtime): number {
  return maxStoredResponses
}

/**
 * Returns the record of an idempotency key and the response to replay, or null for each. Also finds responses that
 * version 0.1.0 stored by the digest of the key alone. Rejects like `getReplayResponse`.
 */
export async function findStoredResponse(
  reader: StoreReader,
  { keyed, legacyKeyId }: { readonly keyed: IdempotentRequest; readonly legacyKeyId: string },
  now: number,
): Promise<{ readonly used: IdempotencyKey | null; readonly former: StoredResponse | null }> {
  // Together, so that PostgreSQL needs one round trip.
  const [used, legacy] = await Promise.all(
    [keyed.id, legacyKeyId].map((id) => reader.get('idempotency_keys', id)),
  )
  const former = getReplayResponse(used ?? null, keyed, now) ?? getReplayResponse(legacy ?? null, keyed, now)
  return { used: used ?? null, former }
}
