import type { Stored } from '../../domain/changes.ts'
import type { Page, Query, Range } from '../port/store.ts'
import type { Window } from './chunk-bounds.ts'
import type { Shelf } from './collection-index.ts'
import { type Entry, numberIn, ORDER, recordOf } from './entries.ts'
import type { Ordered } from './sorted-list.ts'

const NEWEST = Number.POSITIVE_INFINITY

/** One page, newest first, from the shortest index that can answer the query. */
export function page(shelf: Shelf, query: Query): Page<Stored> {
  if (shelf.listed.size === 0) return { data: [], has_more: false }
  const isBackwards = query.ending_before !== undefined
  const data: Stored[] = []
  let hasMore = false
  for (const entry of matches(shelf, query, isBackwards)) {
    if (data.length === query.limit) {
      hasMore = true
      break
    }
    data.push(recordOf(entry))
  }
  return { data: isBackwards ? data.reverse() : data, has_more: hasMore }
}

/** What a query asks for, from its cursor on; no more is promised than a page and one. */
function matches(shelf: Shelf, query: Query, isBackwards: boolean): Iterable<Entry> {
  const { limit } = query
  const ranges = (query.ranges ?? []).map((range) => inOrderOf(shelf, range))
  const cursorId = query.starting_after ?? query.ending_before
  const cursor = cursorId === undefined ? undefined : shelf.entries.get(cursorId)
  const bounds = ranges.filter(({ field }) => field === shelf.sortField)
  const start = startOf(shelf, { cursor, bounds, isBackwards })
  if (start === null) return []
  const { lists, fewest, checks } = candidates(shelf, query)
  const isMatch = (entry: Entry) =>
    entry !== cursor &&
    checks.every((isPassed) => isPassed(entry)) &&
    ranges.every((range) => isBelow(entry, range) && isAbove(entry, range))
  const few = fewInRange(shelf, { ranges, limit }, fewest)
  const comesFirst = (a: Entry, b: Entry) => (isBackwards ? shelf.compare(a, b) < 0 : shelf.compare(a, b) > 0)
  if (few !== null) return nearest(few, { comesFirst, start, isMatch, count: limit + 1 })
  const windows = ranges.filter(({ field }) => shelf.rangeIndex(field) !== undefined).map(windowOf)
  return walk(merged(lists, { isBackwards, comesFirst, start, windows }), { isBackwards, bounds, isMatch })
}

/** A range of the number that grows from record to record is one of the order in which they came. */
function inOrderOf({ growing, inOrder }: Shelf, range: Range): Range {
  if (range.field !== growing) return range
  const last = inOrder.lastWhere((entry) => isBelow(entry, range))
  const before = inOrder.lastWhere((entry) => !isAbove(entry, range))
  return { field: ORDER, gt: before?.order ?? 0, lte: last?.order ?? 0 }
}

function* walk(
  entries: Iterable<Entry>,
  { isBackwards, bounds, isMatch }: Pick<Start, 'isBackwards' | 'bounds'> & { readonly isMatch: Check },
): Generator<Entry> {
  for (const entry of entries) {
    if (isMatch(entry)) yield entry
    else if (bounds.some((range) => isPast(entry, range, isBackwards))) return
  }
}

/** Of entries in any order the first matches from `start` on. */
function nearest(
  entries: readonly Entry[],
  {
    comesFirst,
    start,
    isMatch,
    count,
  }: Pick<Walk, 'comesFirst' | 'start'> & { readonly isMatch: Check; readonly count: number },
): readonly Entry[] {
  const found: Entry[] = []
  for (const entry of entries) {
    if (start !== undefined && comesFirst(entry, start)) continue
    const last = found[count - 1]
    if (last !== undefined && comesFirst(last, entry)) continue
    if (!isMatch(entry)) continue
    const place = found.findIndex((one) => comesFirst(entry, one))
    found.splice(place === -1 ? found.length : place, 0, entry)
    found.length = Math.min(found.length, count)
  }
  return found
}

interface Start {
  readonly cursor: Entry | undefined
  readonly bounds: readonly Range[]
  readonly isBackwards: boolean
}

// Where a walk begins: at its cursor, or further back where a range ends before it; null when nothing is in range.
function startOf(
  { listed, compare }: Shelf,
  { cursor, bounds, isBackwards }: Start,
): Entry | undefined | null {
  if (isBackwards) return cursor
  let start = cursor
  for (const range of bounds) {
    if (range.lt === undefined && range.lte === undefined) continue
    const newest = listed.lastWhere((entry) => isBelow(entry, range))
    if (newest === undefined) return null
    if (start === undefined || compare(newest, start) < 0) start = newest
  }
  return start
}

type Check = (entry: Entry) => boolean

interface Candidates {
  /** Their union holds every match. */
  readonly lists: readonly Ordered<Entry>[]
  /** How many they hold. */
  readonly fewest: number
  readonly checks: readonly Check[]
}

/** The lists of the filter with the fewest records, or the whole collection. */
function candidates(shelf: Shelf, { where = {} }: Query): Candidates {
  let lists: readonly Ordered<Entry>[] = [shelf.listed]
  let fewest = shelf.listed.size
  const checks: Check[] = []
  for (const [filter, wanted] of Object.entries(where)) {
    const values = new Set(typeof wanted === 'string' ? [wanted] : wanted)
    checks.push(checkOf(shelf, filter, values))
    const groups = [...values].flatMap((value) => shelf.filters.get(filter)?.listOf(value) ?? [])
    const size = groups.reduce((sum, list) => sum + list.size, 0)
    if (size > fewest) continue
    lists = groups
    fewest = size
  }
  return { lists, fewest, checks }
}

/** Those in one of the ranges, when they are fewer than a walk through `fewest` would have to look at. */
function fewInRange(
  shelf: Shelf,
  { ranges, limit }: { readonly ranges: readonly Range[]; readonly limit: number },
  fewest: number,
): readonly Entry[] | null {
  let few: readonly Entry[] | null = null
  for (const range of ranges) {
    const { low, high } = windowOf(range)
    // Of many in range, spread evenly, a page is full after as many others as there are here at the most.
    const most = Math.min(few?.length ?? fewest, Math.ceil(Math.sqrt(shelf.listed.size * limit)))
    few = shelf.rangeIndex(range.field)?.between(low, high, most) ?? few
  }
  return few
}

function checkOf(shelf: Shelf, filter: string, values: ReadonlySet<string>): Check {
  const read = shelf.filters.get(filter)?.read
  return (entry) => {
    const value = read?.(recordOf(entry) as never) ?? null
    return value !== null && values.has(value)
  }
}

interface Walk {
  readonly isBackwards: boolean
  /** Whether one entry comes before another one on the walk. */
  readonly comesFirst: (a: Entry, b: Entry) => boolean
  readonly start: Entry | undefined
  readonly windows: readonly Window[]
}

function merged(
  lists: readonly Ordered<Entry>[],
  { isBackwards, comesFirst, start, windows }: Walk,
): Iterable<Entry> {
  const walks = lists.map((list) =>
    isBackwards ? list.ascending(start, windows) : list.descending(start, windows),
  )
  const [only] = walks
  return walks.length === 1 && only !== undefined ? only : mergedWalks(walks, comesFirst)
}

function* mergedWalks(walks: readonly Generator<Entry>[], comesFirst: Walk['comesFirst']): Generator<Entry> {
  const heads = walks.map((each) => each.next())
  for (;;) {
    let best = -1
    for (const [at, head] of heads.entries()) {
      if (head.done) continue
      const leader = heads[best]
      if (leader === undefined || leader.done || comesFirst(head.value, leader.value)) best = at
    }
    const head = heads[best]
    if (head === undefined || head.done) return
    yield head.value
    const next = walks[best]?.next()
    if (next) heads[best] = next
  }
}

/** A range without the difference between `gt` and `gte`. */
function windowOf({ field, gt = -NEWEST, gte = -NEWEST, lt = NEWEST, lte = NEWEST }: Range): Window {
  return { measure: field, low: Math.max(gt, gte), high: Math.min(lt, lte) }
}

function isPast(entry: Entry, range: Range, isBackwards: boolean): boolean {
  return isBackwards ? !isBelow(entry, range) : !isAbove(entry, range)
}

function isBelow(entry: Entry, { field, lt, lte }: Range): boolean {
  const value = numberIn(entry, field)
  return value < (lt ?? NEWEST) && value <= (lte ?? NEWEST)
}

function isAbove(entry: Entry, { field, gt, gte }: Range): boolean {
  const value = numberIn(entry, field)
  return value > (gt ?? -NEWEST) && value >= (gte ?? -NEWEST)
}
