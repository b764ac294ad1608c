import type { Stored } from '../../domain/changes.ts'
import { COLLECTION_NAMES, type Collection, type Collections } from '../port/collections.ts'
import type { Page, Query, Reader } from '../port/store.ts'
import type { Ask } from './postgres-connection.ts'
import { keyOf } from './postgres-keys.ts'
import { listStatement } from './postgres-lists.ts'

/** Reads what is stored in a schema; `newestSequence` is asked of whoever knows. */
export function createReader(
  ask: Ask,
  { schema, newestSequence }: { readonly schema: string; readonly newestSequence: () => Promise<number> },
): Reader {
  const records = `"${schema}".records`
  const recordsIn = async (text: string, values: readonly unknown[]) =>
    (await ask(text, values)).map(({ record }) => record as Stored)

  return {
    async get<C extends Collection>(collection: C, id: string) {
      const found = await recordsIn(`SELECT record FROM ${records} WHERE collection = $1 AND id = $2`, [
        collection,
        keyOf(id),
      ])
      return (found[0] ?? null) as Collections[C] | null
    },
    async list<C extends Collection>(collection: C, query: Query) {
      const { text, values } = listStatement(records, collection, query)
      return pageOf(await recordsIn(text, values), query) as Page<Collections[C]>
    },
    due: (queue, until, limit) =>
      recordsIn(
        `SELECT record FROM ${records} WHERE due_queue = $1 AND due_at <= $2
         ORDER BY due_at, due_rank, array_position($4::text[], collection), place LIMIT $3`,
        [queue, until, limit, COLLECTION_NAMES],
      ),
    async oldest<C extends Collection>(collection: C, limit: number, after?: string) {
      const found = await recordsIn(
        `SELECT record FROM ${records} WHERE collection = $1 AND place >
           coalesce((SELECT place FROM ${records} WHERE collection = $1 AND id = $3), 0)
         ORDER BY place LIMIT $2`,
        [collection, limit, after === undefined ? null : keyOf(after)],
      )
      return found as unknown as Collections[C][]
    },
    async count(collection) {
      const [row] = await ask(`SELECT count(*)::float8 AS number FROM ${records} WHERE collection = $1`, [
        collection,
      ])
      return Number(row?.number)
    },
    newestSequence,
  }
}

function pageOf(found: readonly Stored[], { limit, ending_before }: Query): Page<Stored> {
  const data = found.slice(0, limit)
  return {
    data: ending_before === undefined ? data : data.reverse(),
    has_more: found.length > limit,
  }
}
