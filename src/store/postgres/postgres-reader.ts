import type { StoredObject } from '../../domain/changes.ts'
import { toPage } from '../memory/paging.ts'
import { COLLECTION_NAMES, type Collection, type Collections } from '../port/collections.ts'
import type { ListPage, ListQuery, StoreReader } from '../port/store.ts'
import type { RunQuery } from './postgres-connection.ts'
import { createListStatement } from './postgres-lists.ts'
import { toIndexKey } from './postgres-schema.ts'

/** Creates a reader that runs its statements with `query`. */
export function createReader(query: RunQuery, newestSequence: () => Promise<number>): StoreReader {
  const queryRecords = async (text: string, values: readonly unknown[]) =>
    (await query(text, values)).map(({ record }) => record as StoredObject)

  return {
    async get<C extends Collection>(collection: C, id: string) {
      const found = await queryRecords(`SELECT record FROM records WHERE collection = $1 AND id = $2`, [
        collection,
        toIndexKey(id),
      ])
      return (found[0] ?? null) as Collections[C] | null
    },
    async list<C extends Collection>(collection: C, listQuery: ListQuery) {
      const { text, values } = createListStatement(collection, listQuery)
      return toPage(await queryRecords(text, values), listQuery) as ListPage<Collections[C]>
    },
    listDue: (queue, until, limit) =>
      queryRecords(
        `SELECT record FROM records WHERE due_queue = $1 AND due_at <= $2
         ORDER BY due_at, due_rank, array_position($4::text[], collection), place LIMIT $3`,
        [queue, until, limit, COLLECTION_NAMES],
      ),
    async listOldest<C extends Collection>(collection: C, limit: number, after?: string) {
      const found = await queryRecords(
        `SELECT record FROM records WHERE collection = $1 AND place >
           coalesce((SELECT place FROM records WHERE collection = $1 AND id = $3), 0)
         ORDER BY place LIMIT $2`,
        [collection, limit, after === undefined ? null : toIndexKey(after)],
      )
      return found as unknown as Collections[C][]
    },
    async count(collection) {
      const [row] = await query(`SELECT count(*)::float8 AS number FROM records WHERE collection = $1`, [
        collection,
      ])
      return Number(row?.number)
    },
    newestSequence,
  }
}
