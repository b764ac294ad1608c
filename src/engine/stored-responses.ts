import {
  createIdempotencyLimitError,
  findReplayResponse,
  IDEMPOTENCY_SECONDS,
  type IdempotencyKey,
  type IdempotentRequest,
  MAX_STORED_RESPONSES,
  type StoredResponse,
} from '../domain/requests/idempotency.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { getRetentionTime } from './retention-clock.ts'
import type { Runtime } from './runtime.ts'

/**
 * The number of stored responses. Counting is slow on PostgreSQL, so this process keeps a running total between counts.
 */
const counts = new WeakMap<Store, number>()

/**
 * Rejects when the store has reached its limit of stored responses. Stored responses are never deleted before 24 hours,
 * so new requests with an idempotency key must wait.
 */
export async function requireResponseCapacity(runtime: Runtime): Promise<void> {
  const { store, maxStoredResponses = MAX_STORED_RESPONSES } = runtime
  const count = counts.get(store) ?? (await recountStoredResponses(store))
  if (count < maxStoredResponses) return
  const [oldest] = await store.listOldest('idempotency_keys', 1)
  // Responses are deleted by retention time, which follows a forward jump of the system clock a day later.
  const now = getRetentionTime(runtime)
  const waitSeconds = (oldest?.used_at ?? now) + IDEMPOTENCY_SECONDS - now
  throw createIdempotencyLimitError(count, Math.min(Math.max(1, waitSeconds), IDEMPOTENCY_SECONDS))
}

/** Adjusts the running total, if any, after this process stored or deleted responses. */
export function adjustResponseCount(store: Store, change: number): void {
  const count = counts.get(store)
  if (count !== undefined) counts.set(store, count + change)
}

/** Counts the stored responses again, because other processes change their number too. */
export async function recountStoredResponses(store: Store): Promise<number> {
  const count = await store.count('idempotency_keys')
  counts.set(store, count)
  return count
}

/** Returns the record of an idempotency key and the response to replay, or null for each. Rejects like `findReplayResponse`. */
export async function findStoredResponse(
  reader: StoreReader,
  keyed: IdempotentRequest,
  now: number,
): Promise<{ readonly used: IdempotencyKey | null; readonly former: StoredResponse | null }> {
  const used = await reader.get('idempotency_keys', keyed.id)
  return { used, former: findReplayResponse(used, keyed, now) }
}
