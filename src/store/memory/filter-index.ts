import { getFilterableRecord, type IndexedRecord } from './indexed-record.ts'
import { ShardedMap } from './sharded-map.ts'
import { SortedList } from './sorted-list.ts'

/** The records of one filter value. Most values have a single record, which takes 40 % less memory without a list. */
type FilterGroup = IndexedRecord | SortedList<IndexedRecord>

/**
 * Finds the records of a collection by the value of a filter. The index is built when a list first needs it, because most
 * filters of most sandboxes are never used.
 */
export class FilterIndex {
  /** Returns the filter value of a record, or null. */
  readonly read: (record: never) => string | null
  readonly #createEmptyList: () => SortedList<IndexedRecord>
  readonly #byInsertion: SortedList<IndexedRecord>
  readonly #groups = new ShardedMap<FilterGroup>()
  /** The last indexed record; all records that were inserted before this record are also in the index. */
  #lastIndexed: IndexedRecord | undefined
  isComplete = false

  constructor(
    read: (record: never) => string | null,
    createEmptyList: () => SortedList<IndexedRecord>,
    byInsertion: SortedList<IndexedRecord>,
  ) {
    this.read = read
    this.#createEmptyList = createEmptyList
    this.#byInsertion = byInsertion
  }

  /** Adds the next chunk of records to the index; returns false once the index is complete. */
  extend(): boolean {
    if (this.isComplete) return false
    const entries = this.#byInsertion.nextChunk(this.#lastIndexed)
    for (const entry of entries) this.#index(entry)
    this.isComplete = entries.length === 0
    this.#lastIndexed = entries.at(-1)
    return !this.isComplete
  }

  /** Adds a record that was just inserted. If the index is incomplete, `extend` adds the record later. */
  append(entry: IndexedRecord): void {
    if (this.isComplete) this.#index(entry)
  }

  add(value: string, entry: IndexedRecord): void {
    if (this.#covers(entry)) this.#insert(value, entry)
  }

  remove(value: string, entry: IndexedRecord): void {
    if (!this.#covers(entry)) return
    const groups = this.#groups.shardFor(value)
    const group = groups.get(value)
    if (group instanceof SortedList) group.remove(entry)
    if (group === entry || (group instanceof SortedList && group.size === 0)) groups.delete(value)
  }

  /** Updates the bounds of a list after a numeric key of a record, but not its filter value, has changed. */
  updateBounds(value: string, entry: IndexedRecord): void {
    const group = this.#covers(entry) ? this.#groups.get(value) : undefined
    if (group instanceof SortedList) group.updateBounds(entry)
  }

  /** Returns the records of a filter value in list order, or null without records; completes the index. */
  recordsOf(value: string): SortedList<IndexedRecord> | null {
    while (!this.isComplete) this.extend()
    const group = this.#groups.get(value)
    if (group === undefined) return null
    return group instanceof SortedList ? group : this.#createList([group])
  }

  #covers({ order }: IndexedRecord): boolean {
    return this.isComplete || (this.#lastIndexed !== undefined && order <= this.#lastIndexed.order)
  }

  #index(entry: IndexedRecord): void {
    const value = entry.sortKey === null ? null : this.read(getFilterableRecord(entry) as never)
    if (value !== null) this.#insert(value, entry)
  }

  #insert(value: string, entry: IndexedRecord): void {
    const groups = this.#groups.shardFor(value)
    const group = groups.get(value)
    if (group === undefined) groups.set(value, entry)
    else if (group instanceof SortedList) group.insert(entry)
    else groups.set(value, this.#createList([group, entry]))
  }

  #createList(entries: readonly IndexedRecord[]): SortedList<IndexedRecord> {
    const list = this.#createEmptyList()
    for (const entry of entries) list.insert(entry)
    return list
  }
}
