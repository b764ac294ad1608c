import type { StoredObject } from '../../domain/changes.ts'
import type { ListPage, ListQuery, RangeFilter } from '../port/store.ts'
import type { KeyRange } from './chunk-bounds.ts'
import type { CollectionIndex } from './collection-index.ts'
import { compareBySortKey, getRecord, type IndexedRecord } from './indexed-record.ts'
import type { SortedList } from './sorted-list.ts'

const { POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number

/** Reads one page, newest first, from the smallest index that supports the query. */
export function readPage(index: CollectionIndex, query: ListQuery): ListPage<StoredObject> {
  if (index.listed.size === 0) return { data: [], has_more: false }
  const isBackwards = query.ending_before !== undefined
  const data: StoredObject[] = []
  let hasMore = false
  for (const entry of findMatches(index, query, isBackwards)) {
    if (data.length === query.limit) {
      hasMore = true
      break
    }
    data.push(getRecord(entry))
  }
  return { data: isBackwards ? data.reverse() : data, has_more: hasMore }
}

/** Finds the matches of a query from its cursor on; may stop after one more than fits on the page. */
function findMatches(
  index: CollectionIndex,
  query: ListQuery,
  isBackwards: boolean,
): Iterable<IndexedRecord> {
  const { limit } = query
  const { ranges = [] } = query
  const cursorId = query.starting_after ?? query.ending_before
  const cursor = cursorId === undefined ? undefined : index.entries.get(cursorId)
  const bounds = ranges.filter(({ field }) => field === index.sortField)
  const start = isBackwards ? cursor : findStart(index, cursor, bounds)
  if (start === null) return []
  const { lists, fewest, checks } = selectCandidates(index, query)
  const isMatch = (entry: IndexedRecord) =>
    entry !== cursor &&
    checks.every((check) => check(entry)) &&
    ranges.every((range) => isBelow(index, entry, range) && isAbove(index, entry, range))
  const few = findFewInRange(index, ranges, limit, fewest)
  const comesFirst = (a: IndexedRecord, b: IndexedRecord) =>
    isBackwards ? compareBySortKey(a, b) < 0 : compareBySortKey(a, b) > 0
  if (few !== null) {
    const isFromStart = (entry: IndexedRecord) => start === undefined || !comesFirst(entry, start)
    return selectFirst(few, limit + 1, comesFirst, (entry) => isFromStart(entry) && isMatch(entry))
  }
  const keyRanges = ranges.filter(({ field }) => index.hasRangeIndex(field)).map(toKeyRange)
  const walks = lists.map((list) =>
    isBackwards ? list.ascending(start, keyRanges) : list.descending(start, keyRanges),
  )
  const isPast = (entry: IndexedRecord) =>
    bounds.some((range) => (isBackwards ? !isBelow(index, entry, range) : !isAbove(index, entry, range)))
  return filterWalk(mergeWalks(walks, comesFirst), isMatch, isPast)
}

function* filterWalk(
  entries: Iterable<IndexedRecord>,
  isMatch: RecordPredicate,
  isPast: RecordPredicate,
): Generator<IndexedRecord> {
  for (const entry of entries) {
    if (isMatch(entry)) yield entry
    else if (isPast(entry)) return
  }
}

/** Returns the first `count` matches among unsorted entries. */
function selectFirst(
  entries: readonly IndexedRecord[],
  count: number,
  comesFirst: RecordOrder,
  isMatch: RecordPredicate,
): readonly IndexedRecord[] {
  const found: IndexedRecord[] = []
  for (const entry of entries) {
    const last = found[count - 1]
    // isMatch may parse the record, so the cheap comparison goes first.
    if ((last !== undefined && comesFirst(last, entry)) || !isMatch(entry)) continue
    const position = found.findIndex((one) => comesFirst(entry, one))
    found.splice(position === -1 ? found.length : position, 0, entry)
    found.length = Math.min(found.length, count)
  }
  return found
}

/** Returns the entry at which a forward walk starts: the cursor or the end of a range; null when no entry is in range. */
function findStart(
  index: CollectionIndex,
  cursor: IndexedRecord | undefined,
  bounds: readonly RangeFilter[],
): IndexedRecord | undefined | null {
  let start = cursor
  for (const range of bounds) {
    if (range.lt === undefined && range.lte === undefined) continue
    const newest = index.listed.findLastWhere((entry) => isBelow(index, entry, range))
    if (newest === undefined) return null
    if (start === undefined || compareBySortKey(newest, start) < 0) start = newest
  }
  return start
}

type RecordPredicate = (entry: IndexedRecord) => boolean

/** Returns whether a walk visits the first entry before the second. */
type RecordOrder = (a: IndexedRecord, b: IndexedRecord) => boolean

interface CandidateLists {
  /** Every match is in one of these lists. */
  readonly lists: readonly SortedList<IndexedRecord>[]
  /** Number of entries in the lists. */
  readonly fewest: number
  readonly checks: readonly RecordPredicate[]
}

/** Selects the lists of the filter with the fewest records, or the whole collection. */
function selectCandidates(index: CollectionIndex, { where = {} }: ListQuery): CandidateLists {
  let lists: readonly SortedList<IndexedRecord>[] = [index.listed]
  let fewest = index.listed.size
  const checks: RecordPredicate[] = []
  for (const [filter, wanted] of Object.entries(where)) {
    const values = new Set(typeof wanted === 'string' ? [wanted] : wanted)
    checks.push(createFilterCheck(index, filter, values))
    const groups = [...values].flatMap((value) => index.filters.get(filter)?.recordsOf(value) ?? [])
    const size = groups.reduce((sum, list) => sum + list.size, 0)
    if (size > fewest) continue
    lists = groups
    fewest = size
  }
  return { lists, fewest, checks }
}

/** Returns the entries in one of the ranges when reading them costs less than a walk through `fewest` entries, or null. */
function findFewInRange(
  index: CollectionIndex,
  ranges: readonly RangeFilter[],
  limit: number,
  fewest: number,
): readonly IndexedRecord[] | null {
  let few: readonly IndexedRecord[] | null = null
  for (const range of ranges) {
    const { low, high } = toKeyRange(range)
    // With more than sqrt(size * limit) evenly spread matches, a walk fills the page after at most as many entries.
    const max = Math.min(few?.length ?? fewest, Math.ceil(Math.sqrt(index.listed.size * limit)))
    few = index.findBetween(range.field, low, high, max) ?? few
  }
  return few
}

function createFilterCheck(
  index: CollectionIndex,
  filter: string,
  values: ReadonlySet<string>,
): RecordPredicate {
  const read = index.filters.get(filter)?.read
  return (entry) => {
    const value = read?.(getRecord(entry) as never) ?? null
    return value !== null && values.has(value)
  }
}

function mergeWalks(
  walks: readonly Generator<IndexedRecord>[],
  comesFirst: RecordOrder,
): Iterable<IndexedRecord> {
  const [only] = walks
  return walks.length === 1 && only !== undefined ? only : mergeSorted(walks, comesFirst)
}

function* mergeSorted(
  walks: readonly Generator<IndexedRecord>[],
  comesFirst: RecordOrder,
): Generator<IndexedRecord> {
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

/** Converts a filter to a key range whose bounds are inclusive, so it may include entries at an exclusive bound. */
function toKeyRange({ field, gt, gte, lt, lte }: RangeFilter): KeyRange {
  const low = Math.max(gt ?? NEGATIVE_INFINITY, gte ?? NEGATIVE_INFINITY)
  const high = Math.min(lt ?? POSITIVE_INFINITY, lte ?? POSITIVE_INFINITY)
  return { key: field, low, high }
}

function isBelow(index: CollectionIndex, entry: IndexedRecord, { field, lt, lte }: RangeFilter): boolean {
  const value = index.numberOf(entry, field)
  return value < (lt ?? POSITIVE_INFINITY) && value <= (lte ?? POSITIVE_INFINITY)
}

function isAbove(index: CollectionIndex, entry: IndexedRecord, { field, gt, gte }: RangeFilter): boolean {
  const value = index.numberOf(entry, field)
  return value > (gt ?? NEGATIVE_INFINITY) && value >= (gte ?? NEGATIVE_INFINITY)
}
