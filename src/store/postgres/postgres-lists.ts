import { COLLECTION_RULES, type CollectionName } from '../port/collections.ts'
import type { ListQuery, RangeFilter } from '../port/store.ts'
import { createBlockExpression, getIndexedFields, RECORDS_PER_BLOCK, toIndexKey } from './postgres-schema.ts'
import type { SqlStatement } from './postgres-writes.ts'

const LAST_PLACE = '9223372036854775807'

type AddParam = (value: unknown) => string

type ListSource = ReturnType<typeof createSource>

/**
 * Returns the statement that reads a page and one more record, which shows whether another page follows. Parameter $1
 * is the sandbox; the parameters of the statement follow $1.
 */
export function createListStatement(collection: CollectionName, query: ListQuery): SqlStatement {
  const values: unknown[] = []
  const param = (value: unknown) => {
    values.push(value)
    // Parameter $1 is the sandbox, so the parameters of the list start at $2.
    return `$${values.length + 1}`
  }
  const { where: filters = {}, ranges = [] } = query
  const source = createSource(collection, query, param)
  const isByCreated = ({ field }: RangeFilter) => field === 'created'
  const conditionsOf = (some: readonly RangeFilter[]) =>
    some.flatMap((range) => rangeConditions(collection, range, param))
  const created = conditionsOf(ranges.filter(isByCreated))
  const where = [
    ...listConditions(source),
    ...Object.entries(filters).map(([filter, wanted]) => filterCondition(collection, filter, wanted, param)),
    ...created,
    ...conditionsOf(ranges.filter((range) => !isByCreated(range))),
    ...cursorConditions(source),
  ]
  const limit = param(query.limit + 1)
  const text =
    created.length > 0 ? blockwisePageText(source, where, created, limit) : pageText(source, where, limit)
  return { text, values }
}

/**
 * Returns the collection of a list, its sort column and the SQL of its cursor position. The SQL is undefined without a
 * cursor, and yields null for an unknown cursor.
 */
function createSource(
  collection: CollectionName,
  { starting_after, ending_before }: ListQuery,
  param: AddParam,
) {
  const order = orderOf(collection)
  const id = starting_after ?? ending_before
  const positionOf = (cursor: string) =>
    `(SELECT ${order} FROM records WHERE sandbox = $1 AND kind = '${collection}' AND id = ${param(toIndexKey(cursor))})`
  return {
    ...{ collection, order, isBackwards: ending_before !== undefined },
    cursor: id === undefined ? undefined : positionOf(id),
  }
}

function pageText({ order, isBackwards }: ListSource, where: readonly string[], limit: string): string {
  const direction = isBackwards ? 'ASC' : 'DESC'
  return `SELECT record FROM records WHERE ${where.join(' AND ')} ORDER BY ${order} ${direction} LIMIT ${limit}`
}

/**
 * Returns the statement that reads a list with bounds of `created` block by block. An index shows whether a block has a
 * match, so a range far in the past does not require reading all newer records.
 */
function blockwisePageText(
  source: ListSource,
  where: readonly string[],
  created: readonly string[],
  limit: string,
): string {
  const { order, isBackwards, cursor } = source
  const here = listConditions(source).join(' AND ')
  const edge = (which: 'min' | 'max') =>
    `(SELECT ${createBlockExpression(order, `${which}(${order})`)}::bigint FROM records WHERE ${here})`
  const from = edge(isBackwards ? 'min' : 'max')
  const start =
    cursor === undefined ? from : `coalesce(${createBlockExpression(order, cursor)}::bigint, ${from})`
  const series = isBackwards ? [start, edge('max'), 1] : [start, edge('min'), -1]
  const isHit = `(SELECT true FROM records WHERE ${here} AND ${createBlockExpression(order)} = block AND ${created.join(' AND ')} LIMIT 1)`
  const inBlock = [
    `${order} >= block * ${RECORDS_PER_BLOCK}`,
    `${order} < (block + 1) * ${RECORDS_PER_BLOCK}`,
  ]
  // OFFSET 0 prevents the planner from changing the join order.
  return `SELECT found.record FROM (SELECT block FROM generate_series(${series.join(', ')}) AS block
            WHERE ${isHit} OFFSET 0) AS blocks
          CROSS JOIN LATERAL (${pageText(source, [...where, ...inBlock], limit)}) AS found LIMIT ${limit}`
}

function listConditions({ collection, order }: Pick<ListSource, 'collection' | 'order'>): readonly string[] {
  // Use a literal instead of a parameter, so that the planner can use the partial indexes of events.
  const listed = order === 'place' ? 'created' : order
  return ['sandbox = $1', `kind = '${collection}'`, `${listed} IS NOT NULL`]
}

function orderOf(collection: CollectionName): string {
  const { growing } = COLLECTION_RULES[collection]
  return growing === undefined
    ? 'place'
    : `number${getIndexedFields(collection).numbers.indexOf(growing) + 1}`
}

function filterCondition(
  collection: CollectionName,
  filter: string,
  wanted: string | readonly string[],
  param: AddParam,
): string {
  const at = getIndexedFields(collection).filters.indexOf(filter)
  if (at === -1) return 'false'
  const column = `key${at + 1}`
  // For a single value the index also provides the sort order.
  if (typeof wanted === 'string') return `${column} = ${param(toIndexKey(wanted))}`
  return `${column} = ANY(${param(wanted.map(toIndexKey))}::text[])`
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function rangeConditions(collection: CollectionName, range: RangeFilter, param: AddParam): readonly string[] {
  const column = columnOf(collection, range.field, param)
  const bounds = Object.entries(COMPARISONS).flatMap(([name, comparison]) => {
    const bound = range[name as keyof typeof COMPARISONS]
    return bound === undefined ? [] : [`${column} ${comparison} ${param(bound)}::float8`]
  })
  return [`${column} IS NOT NULL`, ...bounds]
}

function columnOf(collection: CollectionName, field: string, param: AddParam): string {
  if (field === 'created') return 'created'
  const at = getIndexedFields(collection).numbers.indexOf(field)
  if (at !== -1) return `number${at + 1}`
  const name = `${param(field)}::text`
  return `(CASE json_typeof(record -> ${name}) WHEN 'number' THEN (record ->> ${name})::float8 END)`
}

// A cursor without a record has no effect.
function cursorConditions({ order, isBackwards, cursor }: ListSource): readonly string[] {
  if (cursor === undefined) return []
  const [comparison, sign] = isBackwards ? ['>', '-'] : ['<', '']
  const last = order === 'place' ? `${sign}${LAST_PLACE}` : `'${sign}Infinity'::float8`
  return [`${order} ${comparison} coalesce(${cursor}, ${last})`]
}
