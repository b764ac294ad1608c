import { COLLECTIONS, type Collection } from '../port/collections.ts'
import type { Query, Range } from '../port/store.ts'
import { keyOf } from './postgres-keys.ts'
import { columnsOf, EVENTS_PER_BLOCK } from './postgres-schema.ts'

const LAST_PLACE = '9223372036854775807'

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

type Param = (value: unknown) => string

/** What a statement selects from, and in which order. */
interface Listed {
  readonly records: string
  readonly collection: Collection
  /** The columns that sort the list. */
  readonly order: readonly [string, ...string[]]
  readonly isBackwards: boolean
}

/** A comparison with a column that sorts or bounds a list. */
interface Bound {
  readonly comparison: string
  readonly value: string
}

/** Returns the statement that reads a page and one record more, which tells whether more follow. */
export function listStatement(records: string, collection: Collection, query: Query): Statement {
  const values: unknown[] = []
  const param = (value: unknown) => {
    values.push(value)
    return `$${values.length}`
  }
  const order = orderOf(collection)
  const listed: Listed = { records, collection, order, isBackwards: query.ending_before !== undefined }
  const ranges = (query.ranges ?? []).map((range) => rangeOf(collection, range, param))
  const cursor = cursorOf(listed, query, param)
  const where = [
    ...whereListed(listed),
    ...Object.entries(query.where ?? {}).map(([filter, wanted]) =>
      filterCondition(collection, { filter, wanted }, param),
    ),
    ...ranges.flatMap(({ conditions }) => conditions),
    ...cursor.conditions,
  ]
  const limit = param(query.limit + 1)
  const created = ranges.filter(({ field }) => field === 'created')
  const { growing } = COLLECTIONS[collection]
  if (growing === undefined || created.length === 0) return { text: pageText(listed, where, limit), values }
  const near = [...ranges.filter(({ field }) => field === growing), cursor].flatMap(({ bounds }) => bounds)
  const within = created.flatMap(({ conditions }) => conditions)
  return { text: textByBlocks(listed, { where, within, near, limit }), values }
}

function pageText({ records, order, isBackwards }: Listed, where: readonly string[], limit: string): string {
  const columns = order.map((column) => `${column} ${isBackwards ? 'ASC' : 'DESC'}`)
  return `SELECT record FROM ${records} WHERE ${where.join(' AND ')} ORDER BY ${columns.join(', ')} LIMIT ${limit}`
}

/**
 * A list that is sorted by a growing number and bounded by `created` is read block by block: an index says whether any
 * record of a block lies within the bounds, so that a bound far in the past costs no walk through everything newer.
 */
function textByBlocks(
  listed: Listed,
  {
    where,
    within,
    near,
    limit,
  }: {
    readonly where: readonly string[]
    /** The bounds of `created`. */
    readonly within: readonly string[]
    /** The bounds of the growing number. */
    readonly near: readonly Bound[]
    readonly limit: string
  },
): string {
  const { records, order, isBackwards } = listed
  const [number] = order
  const here = whereListed(listed).join(' AND ')
  const edge = (which: 'min' | 'max') =>
    `(SELECT floor(${which}(${number}) / ${EVENTS_PER_BLOCK})::bigint FROM ${records} WHERE ${here})`
  const series = isBackwards ? [edge('min'), edge('max'), 1] : [edge('max'), edge('min'), -1]
  const blocks = near.map(
    ({ comparison, value }) => `block ${comparison[0]}= floor(${value} / ${EVENTS_PER_BLOCK})`,
  )
  const isHit = `(SELECT true FROM ${records} WHERE ${here} AND floor(${number} / ${EVENTS_PER_BLOCK}) = block AND ${within.join(' AND ')} LIMIT 1)`
  const inBlock = [
    `${number} >= block * ${EVENTS_PER_BLOCK}`,
    `${number} < (block + 1) * ${EVENTS_PER_BLOCK}`,
  ]
  // OFFSET 0 keeps the planner from joining in another order.
  return `SELECT found.record FROM (SELECT block FROM generate_series(${series.join(', ')}) AS block
            WHERE ${[...blocks, isHit].join(' AND ')} OFFSET 0) AS blocks
          CROSS JOIN LATERAL (${pageText(listed, [...where, ...inBlock], limit)}) AS found LIMIT ${limit}`
}

function whereListed({ collection, order }: Pick<Listed, 'collection' | 'order'>): readonly string[] {
  // Not a parameter: the planner must see that the indexes of events apply.
  return [`collection = '${collection}'`, `${order[0]} IS NOT NULL`]
}

function orderOf(collection: Collection): Listed['order'] {
  const { growing } = COLLECTIONS[collection]
  if (growing === undefined) return ['created', 'place']
  return [`number${columnsOf(collection).numbers.indexOf(growing) + 1}`]
}

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

interface Bounds {
  readonly conditions: readonly string[]
  readonly bounds: readonly Bound[]
}

function rangeOf(collection: Collection, range: Range, param: Param): Bounds & { readonly field: string } {
  const column = columnOf(collection, range.field, param)
  const bounds = Object.entries(COMPARISONS).flatMap(([name, comparison]) => {
    const bound = range[name as keyof typeof COMPARISONS]
    return bound === undefined ? [] : [{ comparison, value: `${param(bound)}::float8` }]
  })
  const conditions = bounds.map(({ comparison, value }) => `${column} ${comparison} ${value}`)
  return {
    field: range.field,
    bounds,
    conditions: conditions.length === 0 ? [`${column} IS NOT NULL`] : conditions,
  }
}

function columnOf(collection: Collection, field: string, param: Param): string {
  if (field === 'created') return 'created'
  const at = columnsOf(collection).numbers.indexOf(field)
  if (at !== -1) return `number${at + 1}`
  const name = `${param(field)}::text`
  return `(CASE json_typeof(record -> ${name}) WHEN 'number' THEN (record ->> ${name})::float8 END)`
}

// A cursor that is not listed bounds nothing.
function cursorOf({ records, collection, order }: Listed, query: Query, param: Param): Bounds {
  const { starting_after, ending_before } = query
  const cursor = starting_after ?? ending_before
  if (cursor === undefined) return { conditions: [], bounds: [] }
  const id = param(keyOf(cursor))
  const [comparison, sign] = starting_after === undefined ? ['>', '-'] : ['<', '']
  const bounds = order.map((column) => {
    const last = column === 'place' ? `${sign}${LAST_PLACE}` : `'${sign}Infinity'::float8`
    const own = `(SELECT ${column} FROM ${records} WHERE collection = '${collection}' AND id = ${id})`
    return { comparison, value: `coalesce(${own}, ${last})` }
  })
  const edge = bounds.map(({ value }) => value).join(', ')
  return { conditions: [`(${order.join(', ')}) ${comparison} (${edge})`], bounds }
}
