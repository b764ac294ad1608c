import type { Stored } from '../domain/changes.ts'
import { type Entry, type Group, isInGroup, listOfGroup } from './entries.ts'
import type { Ordered } from './ordered.ts'
import type { Page, Query, Range } from './store.ts'

/** The indexes of one collection. */
export interface Indexes {
  readonly listed: Ordered<Entry>
  readonly filters: ReadonlyMap<string, ReadonlyMap<string, Group>>
  readonly find: (id: string) => Entry | undefined
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
  const created = query.ranges?.find((range) => range.field === 'created')
  const start = cursor ?? newestWithin(created)
  for (const entry of merged(candidates(indexes, query), { isBackwards, start })) {
    if (entry === cursor) continue
    if (created !== undefined && isPast(entry, created, isBackwards)) return
    yield entry
  }
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

// Where a walk without cursor, which is never backwards, can start: a made-up entry at the bound of `created`.
function newestWithin(range: Range | undefined): Entry | undefined {
  const created = Math.min(range?.lte ?? NEWEST, range?.lt ?? NEWEST)
  return created === NEWEST ? undefined : { record: { id: '', object: '' }, created, order: NEWEST, stamp: 0 }
}

function isPast(entry: Entry, range: Range, isBackwards: boolean): boolean {
  if (isBackwards) return entry.created > (range.lte ?? NEWEST) || entry.created >= (range.lt ?? NEWEST)
  return entry.created < (range.gte ?? -NEWEST) || entry.created <= (range.gt ?? -NEWEST)
}

function matches(indexes: Indexes, entry: Entry, query: Query): boolean {
  return (
    Object.entries(query.where ?? {}).every(([filter, wanted]) => isIn(indexes, entry, { filter, wanted })) &&
    (query.ranges ?? []).every((range) => isWithin(entry.record, range))
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

function isWithin(record: Stored, { field, gt, gte, lt, lte }: Range): boolean {
  const value = new Map<string, unknown>(Object.entries(record)).get(field)
  if (typeof value !== 'number') return false
  return (
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  )
}
