import type { Stored } from '../domain/changes.ts'
import { byAge, type Entry, type Group, isInGroup, listOfGroup } from './entries.ts'
import type { Ordered } from './ordered.ts'
import type { Page, Query, Range } from './store.ts'

/** The indexes of one collection. */
export interface Indexes {
  readonly listed: Ordered<Entry>
  readonly filters: ReadonlyMap<string, ReadonlyMap<string, Group>>
  readonly find: (id: string) => Entry | undefined
  /** A field by which the list is sorted as well, if there is one. */
  readonly growing: string | undefined
}

const NEWEST = Number.POSITIVE_INFINITY

/** One page, newest first, from the shortest index that can answer the query. */
export function page(indexes: Indexes, query: Query): Page<Stored> {
  const isBackwards = query.ending_before !== undefined
  const data: Stored[] = []
  let hasMore = false
  for (const entry of walk(indexes, query, isBackwards)) {
    if (!matches(indexes, entry, query)) continue
    if (data.length === query.limit) {
      hasMore = true
      break
    }
    data.push(entry.record)
  }
  return { data: isBackwards ? data.reverse() : data, has_more: hasMore }
}

function* walk(indexes: Indexes, query: Query, isBackwards: boolean): Generator<Entry> {
  const cursorId = query.starting_after ?? query.ending_before
  const cursor = cursorId === undefined ? undefined : indexes.find(cursorId)
  const bounds = (query.ranges ?? []).filter(({ field }) => field === 'created' || field === indexes.growing)
  const start = startOf(indexes, { cursor, bounds, isBackwards })
  if (start === null) return
  for (const entry of merged(candidates(indexes, query), { isBackwards, start })) {
    if (entry === cursor) continue
    if (bounds.some((range) => isPast(entry, range, isBackwards))) return
    yield entry
  }
}

interface Start {
  readonly cursor: Entry | undefined
  readonly bounds: readonly Range[]
  readonly isBackwards: boolean
}

// Where a walk begins: at its cursor, or further back where a range ends before it; null when nothing is in range.
function startOf({ listed }: Indexes, { cursor, bounds, isBackwards }: Start): Entry | undefined | null {
  if (isBackwards) return cursor
  let start = cursor
  for (const range of bounds) {
    if (range.lt === undefined && range.lte === undefined) continue
    const newest = listed.lastWhere((entry) => isBelow(entry, range))
    if (newest === undefined) return null
    if (start === undefined || byAge(newest, start) < 0) start = newest
  }
  return start
}

/** The lists whose union holds every match: those of the filter with the fewest records, or the whole collection. */
function candidates(indexes: Indexes, query: Query): Ordered<Entry>[] {
  let best: Ordered<Entry>[] = [indexes.listed]
  let fewest = indexes.listed.size
  for (const [filter, wanted] of Object.entries(query.where ?? {})) {
    const values = new Set(typeof wanted === 'string' ? [wanted] : wanted)
    const groups = [...values].flatMap((value) => indexes.filters.get(filter)?.get(value) ?? [])
    const lists = groups.map(listOfGroup)
    const size = lists.reduce((sum, list) => sum + list.size, 0)
    if (size <= fewest) {
      best = lists
      fewest = size
    }
  }
  return best
}

interface Walk {
  readonly isBackwards: boolean
  readonly start: Entry | undefined
}

function* merged(lists: readonly Ordered<Entry>[], { isBackwards, start }: Walk): Generator<Entry> {
  const walks = lists.map((list) => (isBackwards ? list.ascending(start) : list.descending(start)))
  const heads = walks.map((each) => each.next())
  for (;;) {
    let best = -1
    for (const [at, head] of heads.entries()) {
      if (head.done) continue
      const leader = heads[best]
      if (leader === undefined || leader.done || comesFirst(head.value, leader.value, isBackwards)) best = at
    }
    const head = heads[best]
    if (head === undefined || head.done) return
    yield head.value
    const next = walks[best]?.next()
    if (next) heads[best] = next
  }
}

function comesFirst(a: Entry, b: Entry, isBackwards: boolean): boolean {
  const difference = a.created - b.created || a.order - b.order
  return isBackwards ? difference < 0 : difference > 0
}

function isPast(entry: Entry, range: Range, isBackwards: boolean): boolean {
  return isBackwards ? !isBelow(entry, range) : !isAbove(entry, range)
}

function isBelow({ record }: Entry, { field, lt, lte }: Range): boolean {
  const value = numberIn(record, field)
  return value < (lt ?? NEWEST) && value <= (lte ?? NEWEST)
}

function isAbove({ record }: Entry, { field, gt, gte }: Range): boolean {
  const value = numberIn(record, field)
  return value > (gt ?? -NEWEST) && value >= (gte ?? -NEWEST)
}

function numberIn(record: Stored, field: string): number {
  const value = (record as Stored & Readonly<Record<string, unknown>>)[field]
  return typeof value === 'number' ? value : Number.NaN
}

function matches(indexes: Indexes, entry: Entry, query: Query): boolean {
  return (
    Object.entries(query.where ?? {}).every(([filter, wanted]) => isIn(indexes, entry, { filter, wanted })) &&
    (query.ranges ?? []).every((range) => isBelow(entry, range) && isAbove(entry, range))
  )
}

function isIn(
  indexes: Indexes,
  entry: Entry,
  { filter, wanted }: { readonly filter: string; readonly wanted: string | readonly string[] },
): boolean {
  const values = typeof wanted === 'string' ? [wanted] : wanted
  return values.some((value) => isInGroup(indexes.filters.get(filter)?.get(value), entry))
}
