import type { StoredObject } from '../domain/core/changes.ts'
import { isIdempotencyKeyExpired } from '../domain/requests/idempotency.ts'
import { isFormExpired } from '../domain/requests/used-form-tokens.ts'
import {
  getLastExpiredSequence,
  listObsoleteRetentionMarks,
  type RetentionRules,
  updateRetentionMark,
} from '../domain/time/retention.ts'
import { computeRetentionTime } from '../domain/time/retention-clock.ts'
import type { CollectionName, CollectionRecordTypes } from '../store/port/collections.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadEventDeliveries } from './load-related.ts'
import { MAX_RETENTION_MARKS, setRetentionClock } from './retention-clock.ts'
import type { Runtime } from './runtime.ts'
import { adjustResponseCount, recountStoredResponses } from './stored-responses.ts'

const RECORDS_PER_ROUND = 200
/** Declines count for an hour of their clock, but an hour of a test clock may take longer in real time. */
const DECLINES_SECONDS = 86_400

/**
 * Deletes events over the retention limits with their deliveries, and form tokens, declines and idempotency keys older
 * than a day. Keeps events with pending deliveries and keys of unfinished requests. Runs at most `maxRounds`
 * transactions and resolves with the number of deleted records: 0 when no expired record was left.
 */
export async function deleteExpiredRecords(
  runtime: Runtime,
  rules: RetentionRules,
  maxRounds = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { store, wallNow } = runtime
  let deleted = 0
  for (let round = 0; round < maxRounds; round += 1) {
    await runtime.yieldToEventLoop()
    const { result } = await store.transact((reader) => deleteBatch(reader, wallNow(), rules))
    setRetentionClock(store, result.clock)
    deleted += result.deleted
    // Adjust the count in each round, so that requests with a new idempotency key need not wait for the last round.
    if (result.deleted > 0) adjustResponseCount(store, -result.storedResponses)
    else {
      await recountStoredResponses(store)
      break
    }
  }
  return deleted
}

// Returns a commit whose result has the numbers of deleted records and of deleted stored responses.
async function deleteBatch(reader: StoreReader, wallNow: number, rules: RetentionRules) {
  const known = await reader.listOldest('retention_marks', MAX_RETENTION_MARKS)
  const newest = await reader.newestSequence()
  const last = known.at(-1)
  const mark = updateRetentionMark(last, wallNow, newest)
  const marks = [...known.filter(({ id }) => id !== mark.id), mark]
  const clock = mark.clock
  const now = computeRetentionTime(clock, wallNow)
  const expiredKeys = await findOldest(reader, 'idempotency_keys', (key) => isIdempotencyKeyExpired(key, now))
  const expired: StoredObject[] = [
    ...(await findExpiredEvents(reader, getLastExpiredSequence(marks, newest, rules))),
    ...(await findOldest(reader, 'form_tokens', ({ used_at }) => isFormExpired(used_at, now))),
    ...(await findOldest(reader, 'traceless_declines', ({ noted_at }) => noted_at <= now - DECLINES_SECONDS)),
    ...expiredKeys,
    ...listObsoleteRetentionMarks(marks, rules),
  ]
  const writes = [...(mark === last ? [] : [{ put: mark }]), ...expired.map((remove) => ({ remove }))]
  const result = { deleted: expired.length, storedResponses: expiredKeys.length, clock }
  return { result, writes, events: [] }
}

async function findExpiredEvents(reader: StoreReader, last: number): Promise<StoredObject[]> {
  if (last === 0) return []
  const expired: StoredObject[] = []
  const old = await findOldest(reader, 'events', ({ sequence }) => sequence <= last)
  const deliveriesByEvent = await Promise.all(old.map(async ({ id }) => loadEventDeliveries(reader, id)))
  for (const [at, event] of old.entries()) {
    const deliveries = deliveriesByEvent[at] ?? []
    // Only a prefix of the history is deleted, so an event with a pending delivery also protects all later events.
    if (deliveries.some(({ status }) => status === 'pending')) break
    expired.push(event, ...deliveries)
  }
  return expired
}

/** Finds the oldest records of a collection that are expired; the collection is sorted by age. */
async function findOldest<C extends CollectionName>(
  reader: StoreReader,
  collection: C,
  isExpired: (record: CollectionRecordTypes[C]) => boolean,
): Promise<StoredObject[]> {
  return (await reader.listOldest(collection, RECORDS_PER_ROUND)).filter(isExpired)
}
