import type { StoredObject } from '../../src/domain/core/changes.ts'
import { findDeadline, isRealTimeQueue } from '../../src/domain/schedule/deadlines.ts'
import { COLLECTION_NAMES, type CollectionName, getCollectionName } from '../../src/store/port/collections.ts'
import type { ListPage, ListQuery, RangeFilter } from '../../src/store/port/store.ts'

/** A record with untyped access to its fields. */
export type Fields = StoredObject & Readonly<Record<string, unknown>>

function passes(record: Fields, filter: string, wanted: string | readonly string[]): boolean {
  const status = String(record['status'])
  if (filter.startsWith('live_') && status === 'canceled') return false
  if (filter.startsWith('unsettled_') && !['draft', 'open'].includes(status)) return false
  if (filter.startsWith('inquired_') && !/^warning_.*(?:response|review)$/.test(status)) return false
  if (filter.startsWith('pending_') && (record['deleted'] === true || record['invoice'] !== null))
    return false
  if (filter === 'active_code')
    return record['active'] === true && [wanted].flat().includes(String(record['code']).toUpperCase())
  const data = record['data'] as { readonly object: StoredObject } | undefined
  const value =
    filter === 'object_id'
      ? data?.object.id
      : record[filter.replace(/^(live|unsettled|pending|inquired)_/, '')]
  return typeof value === 'string' && [wanted].flat().includes(value)
}

function isWithin(record: Fields, { field, gt, gte, lt, lte }: RangeFilter): boolean {
  const value = record[field]
  if (typeof value !== 'number') return false
  const { NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number
  return value > (gt ?? least) && value >= (gte ?? least) && value < (lt ?? most) && value <= (lte ?? most)
}

/** A model of the store: records in the order of their insertion, which are sorted and filtered for every query. */
export class NaiveStore {
  readonly #kept = new Map<string, Fields>()
  #sequence = 0
  #lastCreated = 0

  put(record: Fields): void {
    this.#kept.set(`${record.object} ${record.id}`, record)
  }

  remove({ object, id }: StoredObject): void {
    this.#kept.delete(`${object} ${id}`)
  }

  newestSequence(): number {
    return this.#sequence
  }

  /** Assigns a sequence number to an event and stores the event; without a test clock, `created` never decreases. */
  announce(event: Fields): Fields {
    this.#sequence += 1
    const { test_clock, ...rest } = event
    if (test_clock === null) this.#lastCreated = Math.max(this.#lastCreated, Number(rest['created']))
    const created = test_clock === null ? this.#lastCreated : rest['created']
    const sequenced = { ...rest, created, sequence: this.#sequence, test_clock } as Fields
    this.put(sequenced)
    return sequenced
  }

  get(collection: CollectionName, id: string): StoredObject | null {
    return this.all(collection).find((record) => record.id === id) ?? null
  }

  /** Returns all records of a collection, oldest first. */
  all(collection: CollectionName): Fields[] {
    return [...this.#kept.values()].filter((record) => getCollectionName(record) === collection)
  }

  /** Returns all listed records of a collection, newest first. */
  listed(collection: CollectionName): Fields[] {
    const sortKey = (record: Fields) => (collection === 'events' ? Number(record['sequence']) : 0)
    return this.all(collection)
      .filter((record) => 'created' in record)
      .reverse()
      .sort((a, b) => sortKey(b) - sortKey(a))
  }

  list(collection: CollectionName, query: ListQuery): ListPage<StoredObject> {
    const { where = {}, ranges = [], limit, starting_after, ending_before } = query
    const all = this.listed(collection)
    const cursor = all.findIndex(({ id }) => id === (starting_after ?? ending_before))
    const isBackwards = ending_before !== undefined
    const matching = (
      isBackwards ? all.slice(0, cursor === -1 ? undefined : cursor).reverse() : all.slice(cursor + 1)
    ).filter(
      (record) =>
        Object.entries(where).every(([filter, wanted]) => passes(record, filter, wanted)) &&
        ranges.every((range) => isWithin(record, range)),
    )
    const data = matching.slice(0, limit)
    return { data: isBackwards ? data.reverse() : data, has_more: matching.length > limit }
  }

  listOldest(collection: CollectionName, limit: number, after?: string): StoredObject[] {
    const all = this.all(collection)
    const first = all.findIndex(({ id }) => id === after) + 1
    return all.slice(first, first + limit)
  }

  listDue(queue: string, until: number, limit: number): StoredObject[] {
    return this.#deadlines()
      .filter((deadline) => deadline.queue === queue && deadline.at <= until)
      .sort((a, b) => a.at - b.at || a.rank - b.rank)
      .slice(0, limit)
      .map(({ record }) => record)
  }

  count(collection: CollectionName): number {
    return this.all(collection).length
  }

  /** Returns the earliest deadline in real time in Unix seconds, or null. */
  nextDeadline(): number | null {
    const times = this.#deadlines().flatMap(({ queue, at }) => (isRealTimeQueue(queue) ? [at] : []))
    return times.length === 0 ? null : Math.min(...times)
  }

  // Returns the deadlines, sorted like records that are due at the same time: by collection, then by insertion.
  #deadlines() {
    return COLLECTION_NAMES.flatMap((collection) => this.all(collection)).flatMap((record) => {
      const deadline = findDeadline(record)
      return deadline === null ? [] : [{ ...deadline, record }]
    })
  }
}
