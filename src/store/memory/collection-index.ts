import type { StoredObject } from '../../domain/changes.ts'
import { type Deadline, deadlineOf } from '../../domain/deadlines.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../port/collections.ts'
import { FilterIndex } from './filter-index.ts'
import {
  compareByInsertion,
  compareBySortKey,
  createProbe,
  getIndexedNumber,
  getNumber,
  type IndexedRecord,
  type IndexedRecordState,
} from './indexed-record.ts'
import { ShardedMap } from './sharded-map.ts'
import { NO_KEYS, SortedList } from './sorted-list.ts'

/** The keys of a record in the indexes of its collection. */
export interface IndexKeys {
  readonly created: number
  readonly sortKey: number
  /** In the order of the collection's filters. */
  readonly values: readonly (string | null)[]
  /** In the order of the collection's range indexes; NaN for none. */
  readonly numbers: readonly number[]
  readonly deadline: Deadline | null
}

/** Holds the records of one collection and their indexes. */
export class CollectionIndex {
  /** Position of the collection in COLLECTION_NAMES. */
  readonly collectionPosition: number
  readonly entries = new ShardedMap<IndexedRecord>()
  readonly byInsertion = new SortedList<IndexedRecord>(compareByInsertion)
  /** In the order of the collection's lists. */
  readonly listed: SortedList<IndexedRecord>
  /** The field that sorts the lists. */
  readonly sortField: string
  readonly filters: ReadonlyMap<string, FilterIndex>
  /** Number of the transaction that last changed the collection. */
  changedBy = 0
  /** Numbers of the transactions that removed records, by record id; pruned when the map is too large. */
  readonly removals = new Map<string, number>()
  /** Upper bound of the transaction numbers of pruned removals. */
  newestPrunedRemoval = 0
  /** The records with a number in a field, sorted by it. */
  readonly #ranges: ReadonlyMap<string, SortedList<IndexedRecord>>

  constructor(name: Collection) {
    const { filters, ranges = [], growing } = COLLECTIONS[name]
    const rangeFields = growing === undefined ? ranges : [...ranges, 'created']
    const readers = rangeFields.map(
      (field) => [field, (entry: IndexedRecord) => getIndexedNumber(entry, field)] as const,
    )
    const keys = readers.length === 0 ? NO_KEYS : Object.fromEntries(readers)
    const createList = () => new SortedList(compareBySortKey, keys)
    this.collectionPosition = COLLECTION_NAMES.indexOf(name)
    this.sortField = growing ?? 'created'
    this.listed = createList()
    this.filters = new Map(
      Object.entries(filters).map(([filter, read]) => [filter, new FilterIndex(read, createList)]),
    )
    this.#ranges = new Map(
      readers.map(([field, read]) => [
        field,
        new SortedList<IndexedRecord>((a, b) => read(a) - read(b) || a.order - b.order),
      ]),
    )
  }

  /** Returns the number of a record in the field of a range. */
  numberOf(entry: IndexedRecord, field: string): number {
    return field === this.sortField ? entry.sortKey : getIndexedNumber(entry, field)
  }

  hasRangeIndex(field: string): boolean {
    return this.#ranges.has(field)
  }

  /** Returns the records from `low` to `high`, or null without an index or when there are more than `max`. */
  findBetween(field: string, low: number, high: number, max: number): readonly IndexedRecord[] | null {
    const sorted = this.#ranges.get(field)
    if (sorted === undefined) return null
    const first = createProbe(field, low)
    const excess = sorted.peekAhead(first, max)
    if (excess !== undefined && getIndexedNumber(excess, field) <= high) return null
    const found: IndexedRecord[] = []
    for (const entry of sorted.ascending(first)) {
      if (getIndexedNumber(entry, field) > high) break
      found.push(entry)
    }
    return found
  }

  /** Returns the index keys of a record. */
  keysOf(record: StoredObject): IndexKeys {
    const values: (string | null)[] = []
    for (const { read } of this.filters.values()) values.push(read(record as never))
    const numbers: number[] = []
    for (const field of this.#ranges.keys()) numbers.push(getNumber(record, field))
    const created = getNumber(record, 'created')
    const sortKey = this.sortField === 'created' ? created : getNumber(record, this.sortField)
    return { created, sortKey, values, numbers, deadline: deadlineOf(record) }
  }

  /**
   * Moves a record from its old index keys to new ones, and sets its state to `next`. Null means not indexed. Indexes with
   * equal keys are not touched, because most changes affect few of them.
   */
  move(
    entry: IndexedRecord,
    from: IndexKeys | null,
    to: IndexKeys | null,
    next: IndexedRecordState | null,
  ): void {
    const isInPlace = from !== null && from.sortKey === to?.sortKey
    if (isListed(from)) this.#remove(entry, from, isInPlace ? to : null)
    if (next !== null) Object.assign(entry, next)
    if (isListed(to)) this.#insert(entry, to, isInPlace ? from : null)
  }

  #remove(entry: IndexedRecord, from: IndexKeys, to: IndexKeys | null): void {
    if (to === null) this.listed.remove(entry)
    let at = 0
    for (const filter of this.filters.values()) {
      const value = from.values[at]
      if (value != null && value !== to?.values[at]) filter.remove(value, entry)
      at += 1
    }
    at = 0
    for (const sorted of this.#ranges.values()) {
      const number = from.numbers[at] as number
      if (!Number.isNaN(number) && number !== to?.numbers[at]) sorted.remove(entry)
      at += 1
    }
  }

  #insert(entry: IndexedRecord, to: IndexKeys, from: IndexKeys | null): void {
    if (from === null) this.listed.insert(entry)
    const hasNewNumbers =
      from !== null && to.numbers.some((number, at) => !Object.is(number, from.numbers[at]))
    if (hasNewNumbers) this.listed.updateBounds(entry)
    let at = 0
    for (const filter of this.filters.values()) {
      const value = to.values[at]
      if (value != null && value !== from?.values[at]) filter.add(value, entry)
      else if (value != null && hasNewNumbers) filter.updateBounds(value, entry)
      at += 1
    }
    at = 0
    for (const sorted of this.#ranges.values()) {
      const number = to.numbers[at] as number
      if (!Number.isNaN(number) && number !== from?.numbers[at]) sorted.insert(entry)
      at += 1
    }
  }
}

function isListed(keys: IndexKeys | null): keys is IndexKeys {
  return keys !== null && !Number.isNaN(keys.sortKey)
}
