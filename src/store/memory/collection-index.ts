import type { StoredObject } from '../../domain/core/changes.ts'
import { type Deadline, findDeadline } from '../../domain/schedule/deadlines.ts'
import { COLLECTION_NAMES, COLLECTION_RULES, type CollectionName } from '../port/collections.ts'
import type { ListQuery } from '../port/store.ts'
import { FilterIndex } from './filter-index.ts'
import { IdIndex } from './id-index.ts'
import {
  compareByInsertion,
  compareBySortKey,
  findNumberField,
  getIndexedNumber,
  getNumberField,
  type IndexedRecord,
} from './indexed-record.ts'
import { repeatInSlices, type SliceScheduling } from './slices.ts'
import { type NumericKeyReaders, SortedList } from './sorted-list.ts'

/** A state of a record with its keys in the indexes of its collection. */
export interface RecordVersion
  extends Readonly<Omit<IndexedRecord, 'order' | 'insertedBy'>>,
    Pick<StoredObject, 'id'> {
  /** The filter values, in the order of the collection's filters. */
  readonly values: readonly (string | null)[]
  /** The values of the collection's range fields, in their order; NaN without a value. */
  readonly numbers: readonly number[]
  readonly deadline: Deadline | null
}

/** The indexes that a collection has. */
interface IndexLayout {
  /** Position of the collection in COLLECTION_NAMES. */
  readonly collectionPosition: number
  /** The number that sorts the lists; undefined for a collection that is sorted by insertion. */
  readonly growing: string | undefined
  /** The other number fields whose ranges let a list skip records. */
  readonly rangeFields: readonly string[]
  readonly keys: NumericKeyReaders<IndexedRecord>
  readonly filters: readonly (readonly [name: string, read: (record: never) => string | null])[]
}

function createLayout(name: CollectionName, collectionPosition: number): IndexLayout {
  const { filters, ranges = [], growing } = COLLECTION_RULES[name]
  const rangeFields = [...ranges, 'created']
  const readers = rangeFields.map((field) => [
    field,
    (entry: IndexedRecord) => getIndexedNumber(entry, field),
  ])
  const keys = Object.fromEntries(readers)
  return { collectionPosition, rangeFields, growing, keys, filters: Object.entries(filters) }
}

const LAYOUTS = new Map(COLLECTION_NAMES.map((name, at) => [name, createLayout(name, at)]))

/** Holds the records of one collection and their indexes. */
export class CollectionIndex {
  readonly layout: IndexLayout
  readonly entries = new IdIndex()
  readonly byInsertion = new SortedList<IndexedRecord>(compareByInsertion)
  /** The records in the order of the collection's lists; unlisted records are omitted. */
  readonly listed: SortedList<IndexedRecord>
  readonly filters: ReadonlyMap<string, FilterIndex>
  /** The values of the map `filters`, as an array. */
  readonly #filters: readonly FilterIndex[]
  /** Number of the transaction that last changed the collection. */
  changedBy = 0
  /** Number of the transaction that last removed a record. */
  removedBy = 0

  constructor(name: CollectionName) {
    this.layout = LAYOUTS.get(name) as IndexLayout
    const { keys, filters } = this.layout
    const createList = () => new SortedList(compareBySortKey, keys)
    this.listed = createList()
    this.filters = new Map(
      filters.map(([filter, read]) => [filter, new FilterIndex(read, createList, this.byInsertion)]),
    )
    this.#filters = [...this.filters.values()]
  }

  /**
   * Returns the first sort key of a record: its `growing` number, or 0 in a collection that is sorted by insertion.
   * Returns null for a record that is never listed.
   */
  sortKeyOf(record: StoredObject): number | null {
    const { growing } = this.layout
    if (growing !== undefined) return findNumberField(record, growing)
    return findNumberField(record, 'created') === null ? null : 0
  }

  /** Adds an entry whose id is new. Unlike `move`, this method needs no `RecordVersion`. */
  append(entry: IndexedRecord, id: string): void {
    this.entries.add(id, entry)
    this.byInsertion.insert(entry)
    if (entry.sortKey === null) return
    this.listed.insert(entry)
    for (const filter of this.#filters) filter.append(entry)
  }

  /** Completes the filter indexes that a list needs, in slices; returns null when they are complete. */
  prepareList({ where }: ListQuery, scheduling: SliceScheduling): Promise<void> | null {
    if (where === undefined) return null
    const extend = () => incomplete.some((filter) => filter.extend())
    const incomplete = Object.keys(where).flatMap((name) => {
      const filter = this.filters.get(name)
      return filter === undefined || filter.isComplete ? [] : [filter]
    })
    return incomplete.length === 0 ? null : repeatInSlices(extend, scheduling)
  }

  /** Returns the value of a number field of a record, or NaN without a value. */
  numberOf(entry: IndexedRecord, field: string): number {
    return field === this.layout.growing ? (entry.sortKey ?? Number.NaN) : getIndexedNumber(entry, field)
  }

  /** Returns the state of a record with its index keys. */
  stateOf(record: StoredObject, changedBy: number, bytes: number): RecordVersion {
    const created = findNumberField(record, 'created')
    return {
      id: record.id,
      record,
      changedBy,
      bytes,
      created,
      sortKey: this.sortKeyOf(record),
      values: this.#filters.map(({ read }) => read(record as never)),
      numbers: this.layout.rangeFields.map((field) => getNumberField(record, field)),
      deadline: findDeadline(record),
    }
  }

  /**
   * Moves a record from its old state to a new state; null stands for a record that is not stored. An inserted entry
   * must already have its new state. Indexes with equal keys stay unchanged.
   */
  move(entry: IndexedRecord, from: RecordVersion | null, to: RecordVersion | null): void {
    const isInPlace = from !== null && from.sortKey === to?.sortKey
    if (isListed(from)) this.#removeFromLists(entry, from, isInPlace ? to : null)
    if (from !== null && to === null) {
      this.byInsertion.remove(entry)
      this.entries.remove(from.id)
    }
    if (to === null) return
    if (from === null) {
      this.entries.add(to.id, entry)
      this.byInsertion.insert(entry)
    } else {
      const { record, created, sortKey, changedBy, bytes } = to
      Object.assign(entry, { record, created, sortKey, changedBy, bytes })
    }
    if (isListed(to)) this.#insertIntoLists(entry, to, isInPlace ? from : null)
  }

  #removeFromLists(entry: IndexedRecord, from: RecordVersion, to: RecordVersion | null): void {
    if (to === null) this.listed.remove(entry)
    for (const [at, filter] of this.#filters.entries()) {
      const value = from.values[at]
      if (value != null && value !== to?.values[at]) filter.remove(value, entry)
    }
  }

  #insertIntoLists(entry: IndexedRecord, to: RecordVersion, from: RecordVersion | null): void {
    if (from === null) this.listed.insert(entry)
    const hasNewNumbers =
      from !== null && to.numbers.some((number, at) => !Object.is(number, from.numbers[at]))
    if (hasNewNumbers) this.listed.updateBounds(entry)
    for (const [at, filter] of this.#filters.entries()) {
      const value = to.values[at]
      if (value != null && value !== from?.values[at]) filter.add(value, entry)
      else if (value != null && hasNewNumbers) filter.updateBounds(value, entry)
    }
  }
}

function isListed(state: RecordVersion | null): state is RecordVersion {
  return state !== null && state.sortKey !== null
}
