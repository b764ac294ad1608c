import type { StoredObject } from '../../domain/core/changes.ts'
import type { CollectionName } from '../port/collections.ts'
import type { RunQuery } from './postgres-connection.ts'
import { toIndexKey } from './postgres-schema.ts'

/** Maximum number of concurrent queries; later reads share the next query. */
const MAX_CONCURRENT_QUERIES = 2
const RECORDS_PER_QUERY = 200
// OFFSET 0 makes PostgreSQL look up one record at a time. A plan that was cached for a small table would otherwise read
// all records of a sandbox after the table has grown.
const READ_RECORDS = `SELECT kind, id, record
   FROM unnest($2::text[], $3::text[]) AS wanted (in_kind, with_id)
   CROSS JOIN LATERAL
     (SELECT kind, id, record FROM records WHERE sandbox = $1 AND kind = in_kind AND id = with_id OFFSET 0) AS found`

interface PendingGet {
  readonly collection: CollectionName
  readonly key: string
  readonly resolve: (record: StoredObject | null) => void
  readonly reject: (error: unknown) => void
}

/** Creates a `get` that reads the records of concurrent calls with a single query; `query` is bound to a sandbox. */
export function createBatchedGet(query: RunQuery) {
  const waiting: PendingGet[] = []
  let running = 0

  async function read(batch: readonly PendingGet[]): Promise<void> {
    try {
      const rows = await query(READ_RECORDS, [
        batch.map(({ collection }) => collection),
        batch.map(({ key }) => key),
      ])
      const found = new Map(rows.map(({ kind, id, record }) => [`${kind} ${id}`, record as StoredObject]))
      for (const { collection, key, resolve } of batch) resolve(found.get(`${collection} ${key}`) ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async function readAll(): Promise<void> {
    while (waiting.length > 0) await read(waiting.splice(0, RECORDS_PER_QUERY))
    running -= 1
  }

  return (collection: CollectionName, id: string) =>
    new Promise<StoredObject | null>((resolve, reject) => {
      waiting.push({ collection, key: toIndexKey(id), resolve, reject })
      if (running === MAX_CONCURRENT_QUERIES) return
      running += 1
      // Defer the query, so that further reads of the same request join this query.
      queueMicrotask(readAll)
    })
}
