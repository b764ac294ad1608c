import {
  answersFull,
  formerAnswer,
  IDEMPOTENCY_SECONDS,
  type IdempotencyKey,
  type KeyedRequest,
  MAX_KEPT_ANSWERS,
  type StoredAnswer,
} from '../domain/idempotency.ts'
import type { Reader, Store } from '../store/port/store.ts'
import type { Runtime } from './runtime.ts'
import { settledNow } from './settled-time.ts'

const RECOUNT_SECONDS = 3600
/** Near the limit the answers that other processes store matter. */
const RECOUNT_SECONDS_NEAR_LIMIT = 60
const NEAR_LIMIT = 0.8

/** The number of kept answers of a store. Counting takes PostgreSQL long, so this process adds up in between. */
interface AnswerCount {
  count: number
  /** Wall time in Unix seconds. */
  countedAt: number
  /** Concurrent requests wait for the same count. */
  pending: Promise<void> | null
}

const counts = new WeakMap<Store, AnswerCount>()

function countOf(store: Store): AnswerCount {
  const known = counts.get(store) ?? { count: 0, countedAt: Number.NEGATIVE_INFINITY, pending: null }
  counts.set(store, known)
  return known
}

/**
 * Rejects with a refusal when the store keeps as many answers as it may. An answer is never dropped before its 24 hours
 * are over, so new keyed requests wait.
 */
export async function requireRoomForAnswer(runtime: Runtime): Promise<void> {
  const { store } = runtime
  const known = countOf(store)
  if (known.countedAt === Number.NEGATIVE_INFINITY) await countAnswers(runtime)
  const { count } = known
  if (count < limitOf(runtime)) return
  const [oldest] = await store.oldest('idempotency_keys', 1)
  // The sweep drops answers by settled time, which follows a jump of the clock within a day.
  const now = settledNow(runtime)
  const waitSeconds = (oldest?.used_at ?? now) + IDEMPOTENCY_SECONDS - now
  throw answersFull(count, Math.min(Math.max(1, waitSeconds), IDEMPOTENCY_SECONDS))
}

/** Notes that this process stored so many answers, or removed them. */
export function noteAnswers(store: Store, change: number): void {
  countOf(store).count += change
}

/** Counts the kept answers again when the last count is too old: other processes store and remove some, too. */
export async function recountAnswers(runtime: Runtime): Promise<void> {
  const { count, countedAt } = countOf(runtime.store)
  const seconds = count < limitOf(runtime) * NEAR_LIMIT ? RECOUNT_SECONDS : RECOUNT_SECONDS_NEAR_LIMIT
  if (Math.abs(runtime.wallNow() - countedAt) >= seconds) await countAnswers(runtime)
}

function countAnswers({ store, wallNow }: Runtime): Promise<void> {
  const known = countOf(store)
  known.pending ??= count().finally(() => {
    known.pending = null
  })
  return known.pending

  async function count(): Promise<void> {
    const before = known.count
    const counted = await store.count('idempotency_keys')
    // The count may lack what was stored meanwhile: rather too many than too few.
    known.count = counted + Math.max(0, known.count - before)
    known.countedAt = wallNow()
  }
}

function limitOf({ maxAnswers }: Runtime): number {
  return maxAnswers ?? MAX_KEPT_ANSWERS
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
