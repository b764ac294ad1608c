import type { StoredObject } from '../../domain/changes.ts'
import { type Deadline, deadlineOf } from '../../domain/deadlines.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../port/collections.ts'
import {
  compareByCreated,
  compareByInsertion,
  type Entry,
  type EntryState,
  getEntryNumber,
  getNumber,
  INSERTION_ORDER,
} from './entries.ts'
import { CreatedIndex, FilterIndex, NumberIndex, type RangeIndex } from './indexes.ts'
import { ShardedMap } from './sharded-map.ts'
import { NO_KEYS, SortedList } from './sorted-list.ts'

/** The keys of a record in the indexes of its collection. */
export interface IndexKeys {
  readonly created: number
  /** In the order of the collection's filters. */
  readonly values: readonly (string | null)[]
  /** In the order of the collection's ranges; NaN for none. */
  readonly numbers: readonly number[]
  /** The number that grows with each record; NaN when the collection has none. */
  readonly growingNumber: number
  readonly deadline: Deadline | null
}

/** Holds the records of one collection and their indexes. */
export class CollectionIndex {
  /** Position of the collection in COLLECTION_NAMES. */
  readonly collectionPosition: number
  readonly entries = new ShardedMap<Entry>()
  readonly byInsertion: SortedList<Entry>
  /** Number of the transaction that last changed the collection. */
  stamp = 0
  /** Numbers of the transactions that removed records, by record id; pruned when the map is too large. */
  readonly removals = new Map<string, number>()
  /** Upper bound of the transaction numbers of pruned removals. */
  prunedRemovalStamp = 0
  /** In list order: by `created`, or by insertion in a collection with a growing number. */
  readonly listed: SortedList<Entry>
  /** The order of `listed`. */
  readonly compare: (a: Entry, b: Entry) => number
  readonly filters: ReadonlyMap<string, FilterIndex>
  readonly #ranges: ReadonlyMap<string, NumberIndex>
  readonly #byCreated: SortedList<Entry>
  readonly #createdIndex: CreatedIndex | undefined
  readonly #growing: string | undefined
  #isGrowing = true
  /** The growing number of the newest record. */
  #lastNumber = Number.NEGATIVE_INFINITY

  constructor(name: Collection) {
    const { filters, ranges = [], growing } = COLLECTIONS[name]
    const isByCreated = growing === undefined
    const keyFields = isByCreated ? ranges : [...ranges, 'created']
    const keyOf = (field: string) => [field, (entry: Entry) => getEntryNumber(entry, field)] as const
    const keys = keyFields.length === 0 ? NO_KEYS : Object.fromEntries(keyFields.map(keyOf))
    this.collectionPosition = COLLECTION_NAMES.indexOf(name)
    this.compare = isByCreated ? compareByCreated : compareByInsertion
    const order = { compare: this.compare, keys }
    this.byInsertion = new SortedList(compareByInsertion, isByCreated ? NO_KEYS : keys)
    this.#byCreated = new SortedList(compareByCreated, isByCreated ? keys : NO_KEYS)
    this.#createdIndex = isByCreated ? undefined : new CreatedIndex(this.#byCreated)
    this.listed = isByCreated ? this.#byCreated : this.byInsertion
    this.filters = new Map(
      Object.entries(filters).map(([filter, read]) => [filter, new FilterIndex(read, order)]),
    )
    this.#ranges = new Map(ranges.map((field) => [field, new NumberIndex()]))
    this.#growing = growing
  }

  /** The field that sorts the lists; `INSERTION_ORDER` in a collection with a growing number. */
  get sortField(): string {
    return this.#growing === undefined ? 'created' : INSERTION_ORDER
  }

  /** The field of the growing number, or undefined when there is none or a record broke the order. */
  get growing(): string | undefined {
    return this.#isGrowing ? this.#growing : undefined
  }

  /** Returns the range index of a field, or undefined when it has none. */
  rangeIndex(field: string): RangeIndex | undefined {
    if (field === 'created') return this.#createdIndex
    return this.#ranges.get(field)
  }

  /** Returns the index keys of a record. */
  keysOf(record: StoredObject): IndexKeys {
    const values: (string | null)[] = []
    for (const { read } of this.filters.values()) values.push(read(record as never))
    const numbers: number[] = []
    for (const field of this.#ranges.keys()) numbers.push(getNumber(record, field))
    const created = getNumber(record, 'created')
    const growingNumber = this.#growing === undefined ? Number.NaN : getNumber(record, this.#growing)
    return { created, values, numbers, growingNumber, deadline: deadlineOf(record) }
  }

  /**
   * Moves an entry from its old index keys to new ones, and sets its state to `next`. Null means not indexed. Indexes
   * with equal keys are not touched, because most changes affect few of them.
   */
  move(entry: Entry, from: IndexKeys | null, to: IndexKeys | null, next: EntryState | null): void {
    if (this.#growing !== undefined) this.#trackGrowth(entry, from, to)
    const isSameCreated = from !== null && to !== null && from.created === to.created
    if (isListed(from)) this.#remove(entry, from, isSameCreated ? to : null)
    if (next !== null) {
      entry.record = next.record
      entry.created = next.created
      entry.stamp = next.stamp
    }
    if (isListed(to)) this.#insert(entry, to, isSameCreated ? from : null)
    if (from !== null && to !== null && !isSameCreated && this.#createdIndex !== undefined)
      this.byInsertion.updateBounds(entry)
  }

  #remove(entry: Entry, from: IndexKeys, to: IndexKeys | null): void {
    if (to === null) this.#byCreated.remove(entry)
    let at = 0
    for (const filter of this.filters.values()) {
      const value = from.values[at]
      if (value != null && value !== to?.values[at]) filter.remove(value, entry)
      at += 1
    }
    at = 0
    for (const range of this.#ranges.values()) {
      const number = from.numbers[at] as number
      if (number !== to?.numbers[at]) range.remove(number, entry)
      at += 1
    }
  }

  #insert(entry: Entry, to: IndexKeys, from: IndexKeys | null): void {
    if (from === null) this.#byCreated.insert(entry)
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
    for (const range of this.#ranges.values()) {
      const number = to.numbers[at] as number
      if (number !== from?.numbers[at]) range.add(number, entry)
      at += 1
    }
  }

  #trackGrowth(entry: Entry, from: IndexKeys | null, to: IndexKeys | null): void {
    if (from !== null && to !== null) this.#isGrowing &&= from.growingNumber === to.growingNumber
    // The next record may have this number again; all others are smaller.
    else if (from !== null && from.growingNumber === this.#lastNumber) this.#lastNumber -= 1
    // An entry that is not the last one returns to its former position by an undo.
    else if (to !== null && this.byInsertion.last === entry) {
      this.#isGrowing &&= to.growingNumber > this.#lastNumber
      this.#lastNumber = to.growingNumber
    }
  }
}

function isListed(keys: IndexKeys | null): keys is IndexKeys {
  return keys !== null && !Number.isNaN(keys.created)
}
