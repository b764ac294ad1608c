import {
  answersFull,
  formerAnswer,
  IDEMPOTENCY_SECONDS,
  type IdempotencyKey,
  type KeyedRequest,
  MAX_KEPT_ANSWERS,
  type StoredAnswer,
} from '../domain/idempotency.ts'
import type { Reader, Store } from '../store/store.ts'
import type { Runtime } from './runtime.ts'
import { settledNow } from './settled-time.ts'

/** The number of kept answers of each store. Counting takes PostgreSQL long, so this process adds up in between. */
const counts = new WeakMap<Store, number>()

/**
 * Rejects with a refusal when the store keeps as many answers as it may. An answer is never dropped before its 24 hours
 * are over, so new keyed requests wait.
 */
export async function requireRoomForAnswer(runtime: Runtime): Promise<void> {
  const { store, maxAnswers } = runtime
  const count = counts.get(store) ?? (await countAnswers(store))
  if (count < (maxAnswers ?? MAX_KEPT_ANSWERS)) return
  const [oldest] = await store.oldest('idempotency_keys', 1)
  // The sweep drops answers by settled time, which follows a jump of the clock within a day.
  const now = settledNow(runtime)
  const waitSeconds = (oldest?.used_at ?? now) + IDEMPOTENCY_SECONDS - now
  throw answersFull(count, Math.min(Math.max(1, waitSeconds), IDEMPOTENCY_SECONDS))
}

/** Notes that this process stored one more answer. */
export function noteKeptAnswer(store: Store): void {
  const count = counts.get(store)
  if (count !== undefined) counts.set(store, count + 1)
}

/** Counts the kept answers again: the sweep removes old ones, and other processes may add some. */
export async function countAnswers(store: Store): Promise<number> {
  const count = await store.count('idempotency_keys')
  counts.set(store, count)
  return count
}

/**
 * Returns the stored use of a key and the answer to give again, or null for each. Also finds answers that 0.1.0 stored
 * before an upgrade: it stored a key by its digest alone. Rejects like `formerAnswer`.
 */
export async function findAnswer(
  reader: Reader,
  { keyed, unscopedId }: { readonly keyed: KeyedRequest; readonly unscopedId: string },
  now: number,
): Promise<{ readonly used: IdempotencyKey | null; readonly former: StoredAnswer | null }> {
  // Together, so that PostgreSQL answers both in one round trip.
  const [used, unscoped] = await Promise.all(
    [keyed.id, unscopedId].map((id) => reader.get('idempotency_keys', id)),
  )
  const former = formerAnswer(used ?? null, keyed, now) ?? formerAnswer(unscoped ?? null, keyed, now)
  return { used: used ?? null, former }
}
