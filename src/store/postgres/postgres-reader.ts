import type { StoredObject } from '../../domain/core/changes.ts'
import { CLOCK_QUEUE_PREFIX } from '../../domain/schedule/deadlines.ts'
import { toPage } from '../memory/paging.ts'
import { COLLECTION_NAMES, type CollectionName, type CollectionRecordTypes } from '../port/collections.ts'
import type { ListPage, ListQuery, StoreReader } from '../port/store.ts'
import type { RunQuery } from './postgres-connection.ts'
import { createListStatement } from './postgres-lists.ts'
import { toIndexKey } from './postgres-schema.ts'

/** Returns a function that runs statements with the sandbox as parameter $1, before the given values. */
export function createSandboxQuery(query: RunQuery, sandbox: string): RunQuery {
  return (text, values) => query(text, [sandbox, ...values])
}

/** Creates a reader of a sandbox; `query` is bound to the sandbox, so $1 of each statement is the sandbox. */
export function createReader(query: RunQuery, newestSequence: () => Promise<number>): StoreReader {
  const queryRecords = async (text: string, values: readonly unknown[]) =>
    (await query(text, values)).map(({ record }) => record as StoredObject)

  return {
    async get<C extends CollectionName>(collection: C, id: string) {
      const found = await queryRecords(
        `SELECT record FROM records WHERE sandbox = $1 AND kind = $2 AND id = $3`,
        [collection, toIndexKey(id)],
      )
      return (found[0] ?? null) as CollectionRecordTypes[C] | null
    },
    async list<C extends CollectionName>(collection: C, listQuery: ListQuery) {
      const { text, values } = createListStatement(collection, listQuery)
      return toPage(await queryRecords(text, values), listQuery) as ListPage<CollectionRecordTypes[C]>
    },
    listDue: (queue, until, limit) =>
      queryRecords(
        `SELECT record FROM records WHERE sandbox = $1 AND due_queue = $2 AND due_at <= $3
         ORDER BY due_at, due_rank, array_position($5::text[], kind), place LIMIT $4`,
        [queue, until, limit, COLLECTION_NAMES],
      ),
    async listOldest<C extends CollectionName>(collection: C, limit: number, after?: string) {
      const found = await queryRecords(
        `SELECT record FROM records WHERE sandbox = $1 AND kind = $2 AND place >
           coalesce((SELECT place FROM records WHERE sandbox = $1 AND kind = $2 AND id = $4), 0)
         ORDER BY place LIMIT $3`,
        [collection, limit, after === undefined ? null : toIndexKey(after)],
      )
      return found as unknown as CollectionRecordTypes[C][]
    },
    async count(collection) {
      const [row] = await query(
        'SELECT count(*)::float8 AS number FROM records WHERE sandbox = $1 AND kind = $2',
        [collection],
      )
      return Number(row?.number)
    },
    newestSequence,
  }
}

/**
 * Reads the earliest deadline in real time queue by queue, so that each step is one lookup in an index. Excludes the
 * queues of test clocks, whose jobs run only in an advance.
 */
const NEXT_DEADLINE = `WITH RECURSIVE queues AS (
   (SELECT due_queue, due_at FROM records WHERE sandbox = $1 AND due_queue IS NOT NULL
    ORDER BY due_queue, due_at LIMIT 1)
   UNION ALL
   SELECT later.* FROM queues CROSS JOIN LATERAL
     (SELECT due_queue, due_at FROM records WHERE sandbox = $1 AND due_queue > queues.due_queue
      ORDER BY due_queue, due_at LIMIT 1) AS later
 ) SELECT min(due_at) AS next FROM queues WHERE due_queue NOT LIKE '${CLOCK_QUEUE_PREFIX}%'`

/** Returns the next deadline of a sandbox in real time, in Unix seconds, or null. */
export async function readNextDeadline(query: RunQuery): Promise<number | null> {
  const [row] = await query(NEXT_DEADLINE, [])
  return row?.['next'] == null ? null : Number(row['next'])
}
