import { hash } from 'node:crypto'
import type { Stored } from '../domain/changes.ts'
import { COLLECTION_NAMES, type Collection, type Collections } from './collections.ts'
import type { Ask } from './postgres-connection.ts'
import { columnsOf } from './postgres-schema.ts'
import type { Page, Query, Range, Reader } from './store.ts'

/** Longer values would not fit into an index. */
const MAX_KEY_CHARACTERS = 256
const LAST_PLACE = '9223372036854775807'

/** A text as an index keeps it: without the characters that PostgreSQL takes in no text, long ones as their digest. */
export function keyOf(text: string): string {
  const key = JSON.stringify(text).slice(1, -1)
  // No other key has a quotation mark that is not escaped.
  return key.length <= MAX_KEY_CHARACTERS ? key : `"${hash('sha256', key, 'hex')}`
}

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

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** One record more than the page holds, so that it is known whether more follow. */
function listStatement(records: string, collection: Collection, query: Query): Statement {
  const values: unknown[] = [collection]
  const param = (value: unknown) => {
    values.push(value)
    return `$${values.length}`
  }
  const conditions = [
    'collection = $1',
    'created IS NOT NULL',
    ...Object.entries(query.where ?? {}).map(([filter, wanted]) =>
      filterCondition(collection, { filter, wanted }, param),
    ),
    ...(query.ranges ?? []).flatMap((range) => rangeConditions(collection, range, param)),
    ...cursorCondition(records, query, param),
  ]
  const direction = query.ending_before === undefined ? 'DESC' : 'ASC'
  const limit = param(query.limit + 1)
  return {
    text: `SELECT record FROM ${records} WHERE ${conditions.join(' AND ')}
           ORDER BY created ${direction}, place ${direction} LIMIT ${limit}`,
    values,
  }
}

type Param = (value: unknown) => string

function filterCondition(
  collection: Collection,
  { filter, wanted }: { readonly filter: string; readonly wanted: string | readonly string[] },
  param: Param,
): string {
  const at = columnsOf(collection).filters.indexOf(filter)
  if (at === -1) return 'false'
  const column = `key${at + 1}`
  // Of one value the index has the order of the list too.
  if (typeof wanted === 'string') return `${column} = ${param(keyOf(wanted))}`
  return `${column} = ANY(${param(wanted.map(keyOf))}::text[])`
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function rangeConditions(collection: Collection, range: Range, param: Param): string[] {
  const column = columnOf(collection, range.field, param)
  const bounds = Object.entries(COMPARISONS).flatMap(([name, comparison]) => {
    const bound = range[name as keyof typeof COMPARISONS]
    return bound === undefined ? [] : [`${column} ${comparison} ${param(bound)}`]
  })
  return bounds.length === 0 ? [`${column} IS NOT NULL`] : bounds
}

function columnOf(collection: Collection, field: string, param: Param): string {
  if (field === 'created') return 'created'
  const at = columnsOf(collection).numbers.indexOf(field)
  if (at !== -1) return `number${at + 1}`
  const name = `${param(field)}::text`
  return `(CASE json_typeof(record -> ${name}) WHEN 'number' THEN (record ->> ${name})::float8 END)`
}

// A cursor that is not listed bounds nothing.
function cursorCondition(
  records: string,
  { starting_after, ending_before }: Query,
  param: Param,
): readonly string[] {
  const cursor = starting_after ?? ending_before
  if (cursor === undefined) return []
  const id = param(keyOf(cursor))
  const own = (column: string) => `(SELECT ${column} FROM ${records} WHERE collection = $1 AND id = ${id})`
  const [comparison, sign] = starting_after === undefined ? ['>', '-'] : ['<', '']
  const created = `coalesce(${own('created')}, '${sign}Infinity'::float8)`
  return [`(created, place) ${comparison} (${created}, coalesce(${own('place')}, ${sign}${LAST_PLACE}))`]
}
