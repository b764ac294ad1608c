import type { StoredObject } from '../../domain/core/changes.ts'
import { isAboveLowerBounds, isBelowUpperBounds, isWithinBounds } from '../../domain/core/range-bounds.ts'
import type { ListPage, ListQuery, RangeFilter } from '../port/store.ts'
import type { KeyRange } from './chunk-bounds.ts'
import type { CollectionIndex } from './collection-index.ts'
import { compareBySortKey, getRecord, type IndexedRecord } from './indexed-record.ts'
import type { SortedList } from './sorted-list.ts'

const { POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number

const EMPTY_PAGE: ListPage<never> = { data: [], has_more: false }

/** Reads one page, newest first, from the smallest index that supports the query. */
export function readIndexPage(index: CollectionIndex, query: ListQuery): ListPage<StoredObject> {
  // Return early: each transaction with events lists the webhook endpoints, and most sandboxes have no endpoint.
  if (index.listed.size === 0) return EMPTY_PAGE
  const found = findMatches(index, query).take(query.limit + 1)
  return toPage(Array.from(found, getRecord), query)
}

/** Returns the page of the first matches; one match beyond the limit shows that another page follows. */
export function toPage<T>(found: readonly T[], { limit, ending_before }: ListQuery): ListPage<T> {
  const data = found.slice(0, limit)
  return { data: ending_before === undefined ? data : data.reverse(), has_more: found.length > limit }
}

/** Yields the matches of a query, starting next to its cursor. */
function findMatches(index: CollectionIndex, query: ListQuery): Generator<IndexedRecord> {
  const { ranges = [] } = query
  const isBackwards = query.ending_before !== undefined
  const cursorId = query.starting_after ?? query.ending_before
  const cursor = cursorId === undefined ? undefined : index.entries.get(cursorId)
  const bounds = ranges.filter(({ field }) => field === index.layout.growing)
  const start = isBackwards ? cursor : findStart(cursor, bounds)
  const { lists, checks } = selectCandidates(index, query)
  const isMatch = (entry: IndexedRecord) =>
    entry !== cursor &&
    checks.every((check) => check(entry)) &&
    ranges.every((range) => isWithinBounds(index.numberOf(entry, range.field), range))
  const comesFirst = (a: IndexedRecord, b: IndexedRecord) =>
    isBackwards ? compareBySortKey(a, b) < 0 : compareBySortKey(a, b) > 0
  const keyRanges = ranges.filter(({ field }) => index.layout.rangeFields.includes(field)).map(toKeyRange)
  const walks = lists.map((list) =>
    isBackwards ? list.ascending(start, keyRanges) : list.descending(start, keyRanges),
  )
  const isPast = (entry: IndexedRecord) =>
    bounds.some(
      (range) =>
        !(isBackwards ? isBelowUpperBounds : isAboveLowerBounds)(index.numberOf(entry, range.field), range),
    )
  const [only] = walks
  const walk = walks.length === 1 && only !== undefined ? only : mergeSorted(walks, comesFirst)
  return filterWalk(walk, isMatch, isPast)
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

/** Returns the start of a forward walk: the cursor, or the upper bound of a range if this bound comes later. */
function findStart(
  cursor: IndexedRecord | undefined,
  bounds: readonly RangeFilter[],
): IndexedRecord | undefined {
  let start = cursor
  for (const { lt, lte } of bounds) {
    const sortKey = Math.min(lt ?? POSITIVE_INFINITY, lte ?? POSITIVE_INFINITY)
    const end = { ...NO_RECORD, sortKey }
    if (start === undefined || compareBySortKey(end, start) < 0) start = end
  }
  return start
}

/** A search item for lists, which in descending order comes before every record with the same sort key. */
const NO_RECORD: IndexedRecord = {
  record: { id: '', object: '' },
  created: null,
  sortKey: null,
  // V8 stores numbers above the 31-bit range on the heap, and would then do this for the field of every record.
  order: 2 ** 31 - 1,
  insertedBy: 0,
  changedBy: 0,
  bytes: 0,
}

type RecordPredicate = (entry: IndexedRecord) => boolean

/** Selects the lists of the filter with the fewest records, or the whole collection. These lists contain every match. */
function selectCandidates(index: CollectionIndex, { where = {} }: ListQuery) {
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
  return { lists, checks }
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

function* mergeSorted(
  walks: readonly Generator<IndexedRecord>[],
  comesFirst: (a: IndexedRecord, b: IndexedRecord) => boolean,
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
