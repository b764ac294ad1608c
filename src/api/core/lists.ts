import { DomainError, type Unvalidated, type ValidationError } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import type { RangeBounds } from '../../domain/core/range-bounds.ts'
import type { Schema } from '../../domain/core/schema.ts'
import {
  arrayOf,
  boolean,
  constant,
  type ObjectSchema,
  text,
  titledObject,
} from '../../domain/core/schema.ts'
import { combineWithDefaultPattern, isPattern, matchesPattern } from '../../domain/text/globs.ts'
import { estimateJsonBytes } from '../../domain/text/json-bytes.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { CollectionName, CollectionRecordTypes } from '../../store/port/collections.ts'
import type { ListPage, ListQuery, RangeFilter, StoreReader } from '../../store/port/store.ts'
import { getResource, type ResourceName } from '../resources/catalog.ts'
import { defineReadOperation, type Operation } from './operation.ts'

/** One page of a list, newest first. */
export interface List<T> {
  readonly object: 'list'
  readonly url: string
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** Returns the schema of a page of objects. */
export function createListSchema<T>(item: ObjectSchema<T>): Schema<List<T>> {
  return titledObject(`${item.title}_list`, 'One page of a list, newest first.', {
    object: constant('list', 'The type of the object.'),
    url: text('The path of the list.'),
    data: arrayOf(item, 'The objects of this page.'),
    has_more: boolean('Whether there are more objects in the direction of the request.'),
  })
}

export interface PageParams {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
}

/** Parameters of every list. */
export const pageParams = {
  limit: p.integer(
    { min: 1, max: 100 },
    'Number of objects, 1 to 100 (default: 10). A page ends early at 512 KiB; `has_more` is then true.',
  ),
  starting_after: p.id(
    'Only objects older than the object with this id: the last object on the previous page.',
  ),
  ending_before: p.id('Only objects newer than the object with this id: the first object on the next page.'),
}

const DEFAULT_LIMIT = 10
/** Serializing larger pages would delay the requests of other sandboxes. */
const MAX_PAGE_BYTES = 512 * 1024
/** Number of records per query when patterns filter the records. */
const SCAN_LIMIT = 100

/** The options of a list operation, with its equality filters and numeric range filters. */
export interface ListOperationOptions<T, F extends ListFilters, R extends string> {
  /** The summary of the operation (default: for example `Lists customers, newest first.`). */
  readonly summary?: string
  readonly description: string
  readonly filters: F
  readonly ranges?: readonly R[]
  /** The filters whose value may be a pattern, each with its default pattern. */
  readonly patterns?: { readonly [K in keyof F]?: string }
  /** Replaces filters without an index in the store with filters that have an index. */
  readonly resolve?: (where: Where, reader: StoreReader) => Promise<Where>
  /** Transforms each record before it is returned. */
  readonly present?: (record: T, reader: StoreReader, runtime: Runtime) => Promise<T>
  /** The cost of a request, as in `Operation` (default: `cheap`). */
  readonly cost?: 'expensive'
  /** Throws for a caller that may not read the list. */
  readonly requireAccess?: (runtime: Runtime) => void
}

type Where = NonNullable<ListQuery['where']>
type ListFilters = Readonly<Record<string, Schema<string> | Schema<readonly string[]>>>
type ListParams<F, R extends string> = PageParams & {
  readonly [K in keyof F]?: F[K] extends Schema<infer T> ? T : never
} & { readonly [K in R]?: RangeBounds }

/** Defines the list operation of a resource. */
export function defineListOperation<T, F extends ListFilters, R extends string = 'created'>(
  name: ResourceName,
  schema: ObjectSchema<T>,
  options: ListOperationOptions<T, F, R>,
): Operation<ListParams<F, R>, List<T>> {
  const { description, filters, ranges = ['created' as R], patterns = {}, cost = 'cheap' } = options
  const { present, requireAccess, resolve = async (where: Where) => where } = options
  const path = `/v1/${getResource(name).listPath}`
  const rangeParams = Object.fromEntries(ranges.map((field) => [field, p.range(`Bounds of \`${field}\`.`)]))
  return defineReadOperation<ListParams<F, R>, List<T>>({
    path,
    summary: options.summary ?? `Lists ${name.replaceAll('_', ' ')}, newest first.`,
    description,
    cost,
    params: p.shape({}, { ...pageParams, ...filters, ...rangeParams }) as ObjectSchema<ListParams<F, R>>,
    response: createListSchema(schema),
    validate: (params) => listCursorErrors(params as Unvalidated<PageParams>),
    async load(reader, params, runtime) {
      requireAccess?.(runtime)
      const given: ParamValues = { ...params }
      const found = toPatterns(patterns, given)
      const names = Object.keys(filters).filter((name) => !found.has(name))
      const where = await resolve(toWhere(names, given), reader)
      const query = { where, ranges: toRanges(ranges, given) }
      const page = limitBytes(
        found.size === 0
          ? await loadListPage(reader, name, params, query)
          : await scanPage(runtime, name, params, { ...query, patterns: found }),
        params,
      )
      const records = page.data as readonly T[]
      const data = present
        ? await Promise.all(records.map((record) => present(record, reader, runtime)))
        : records
      return { object: 'list', url: path, data, has_more: page.has_more }
    },
  })
}

/**
 * Returns the filters on fields of an object, each with its description. The values of a field with fixed values are
 * choices, and the values of any other field are ids.
 */
export function createFieldFilters<T, D extends { readonly [K in keyof T]?: string }>(
  { properties }: ObjectSchema<T>,
  descriptions: D,
): { readonly [K in keyof D & keyof T]: Schema<Extract<T[K], string>> } {
  const filters = Object.entries<string>(descriptions as Record<string, string>).map(
    ([name, description]) => {
      const values = properties[name]?.enum as readonly string[] | undefined
      return [name, values === undefined ? p.id(description) : p.choice(values, description)]
    },
  )
  return Object.fromEntries(filters)
}

/** Returns an error when both cursors are given. */
export function listCursorErrors({
  starting_after,
  ending_before,
}: Unvalidated<PageParams>): ValidationError[] {
  if (starting_after === undefined || ending_before === undefined) return []
  const message = 'Give starting_after or ending_before, not both.'
  return [{ code: 'parameters_exclusive', param: 'ending_before', message }]
}

/** Returns a page of a collection; throws `resource_missing` if the cursor is not a listed object of the collection. */
export async function loadListPage<C extends CollectionName>(
  reader: StoreReader,
  collection: C,
  params: PageParams,
  filters: Pick<ListQuery, 'where' | 'ranges'>,
): Promise<ListPage<CollectionRecordTypes[C]>> {
  const { limit = DEFAULT_LIMIT, starting_after, ending_before } = params
  await requireCursor(reader, collection, params)
  return reader.list(collection, {
    ...filters,
    limit,
    ...(starting_after === undefined ? {} : { starting_after }),
    ...(ending_before === undefined ? {} : { ending_before }),
  })
}

/** Returns a page of the records whose fields match the patterns. */
async function scanPage<C extends CollectionName>(
  { store, yieldToEventLoop }: Pick<Runtime, 'store' | 'yieldToEventLoop'>,
  collection: C,
  params: PageParams,
  { patterns, ...filters }: Pick<ListQuery, 'where' | 'ranges'> & { readonly patterns: Patterns },
): Promise<ListPage<CollectionRecordTypes[C]>> {
  const { limit = DEFAULT_LIMIT, ending_before } = params
  const isMatch = (record: CollectionRecordTypes[C]) =>
    [...patterns].every(([name, all]) =>
      all.every((pattern) => matchesPattern(pattern, String(Reflect.get(record, name)))),
    )
  const isBackwards = ending_before !== undefined
  const data: CollectionRecordTypes[C][] = []
  let position: PageParams = params
  for (let hasMore = true; hasMore && data.length <= limit; ) {
    const page = await loadListPage(store, collection, { ...position, limit: SCAN_LIMIT }, filters)
    await yieldToEventLoop()
    const matching = page.data.filter(isMatch)
    if (isBackwards) data.unshift(...matching)
    else data.push(...matching)
    const next = page.data.at(isBackwards ? 0 : -1)?.id
    if (next === undefined) break
    position = isBackwards ? { ending_before: next } : { starting_after: next }
    hasMore = page.has_more
  }
  return { data: isBackwards ? data.slice(-limit) : data.slice(0, limit), has_more: data.length > limit }
}

/** Returns the part of a page that fits into `MAX_PAGE_BYTES`, with at least one object. */
function limitBytes<T>(page: ListPage<T>, { limit = DEFAULT_LIMIT, ending_before }: PageParams): ListPage<T> {
  // Pages of up to 10 objects are always small, so their size is not checked.
  if (limit <= DEFAULT_LIMIT) return page
  const isBackwards = ending_before !== undefined
  let bytes = 0
  for (let count = 0; count < page.data.length; count += 1) {
    bytes += estimateJsonBytes(page.data.at(isBackwards ? -1 - count : count))
    if (bytes <= MAX_PAGE_BYTES || count === 0) continue
    return { data: isBackwards ? page.data.slice(-count) : page.data.slice(0, count), has_more: true }
  }
  return page
}

type ParamValues = Readonly<Record<string, unknown>>
type Patterns = ReadonlyMap<string, readonly string[]>

function toPatterns(defaults: Readonly<Record<string, string | undefined>>, params: ParamValues): Patterns {
  const found = new Map<string, readonly string[]>()
  for (const [name, fallback = '*'] of Object.entries(defaults)) {
    const value = String(params[name] ?? fallback)
    if (isPattern(value)) found.set(name, combineWithDefaultPattern(value, fallback))
  }
  return found
}

function toWhere(names: readonly string[], params: ParamValues): Where {
  const where: Record<string, string | readonly string[]> = {}
  for (const name of names) {
    const value = params[name]
    if (typeof value === 'string' || Array.isArray(value)) where[filterName(name)] = value
  }
  return where
}

// Returns the filter of a parameter: the parameter `types` is a list of values of the filter `type`.
function filterName(param: string): string {
  return param === 'types' ? 'type' : param
}

function toRanges(names: readonly string[], params: ParamValues): RangeFilter[] {
  return names.flatMap((field) => {
    const bounds = params[field]
    return typeof bounds === 'object' ? [{ field, ...bounds }] : []
  })
}

async function requireCursor(
  reader: StoreReader,
  collection: CollectionName,
  params: PageParams,
): Promise<void> {
  const { starting_after, ending_before } = params
  const param = starting_after === undefined ? 'ending_before' : 'starting_after'
  const cursor = starting_after ?? ending_before
  if (cursor === undefined) return
  const record = await reader.get(collection, cursor)
  if (record !== null && 'created' in record) return
  throw new DomainError(
    'resource_missing',
    `No such object in this list: '${cursor}'. Use the id of an object from an earlier page.`,
    { param },
  )
}
