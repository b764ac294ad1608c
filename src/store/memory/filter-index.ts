import type { IndexedRecord } from './indexed-record.ts'
import { ShardedMap } from './sharded-map.ts'
import { SortedList } from './sorted-list.ts'

/** The records of one filter value. Most values have a single record, and storing it without a list takes 40 % less memory. */
type FilterGroup = IndexedRecord | SortedList<IndexedRecord>

/** Finds the records of a collection by the value of a filter. */
export class FilterIndex {
  /** Returns the filter value of a record, or null when it has none. */
  readonly read: (record: never) => string | null
  readonly #createEmptyList: () => SortedList<IndexedRecord>
  readonly #groups = new ShardedMap<FilterGroup>()

  constructor(read: (record: never) => string | null, createEmptyList: () => SortedList<IndexedRecord>) {
    this.read = read
    this.#createEmptyList = createEmptyList
  }

  add(value: string, entry: IndexedRecord): void {
    const groups = this.#groups.shardFor(value)
    const group = groups.get(value)
    if (group === undefined) groups.set(value, entry)
    else if (group instanceof SortedList) group.insert(entry)
    else groups.set(value, this.#createList([group, entry]))
  }

  remove(value: string, entry: IndexedRecord): void {
    const groups = this.#groups.shardFor(value)
    const group = groups.get(value)
    if (group instanceof SortedList) group.remove(entry)
    if (group === entry || (group instanceof SortedList && group.size === 0)) groups.delete(value)
  }

  /** Call it when a numeric key of a record changes but its filter value does not. */
  updateBounds(value: string, entry: IndexedRecord): void {
    const group = this.#groups.get(value)
    if (group instanceof SortedList) group.updateBounds(entry)
  }

  /** Returns the records of a filter value in list order, or null when there are none. */
  recordsOf(value: string): SortedList<IndexedRecord> | null {
    const group = this.#groups.get(value)
    if (group === undefined) return null
    return group instanceof SortedList ? group : this.#createList([group])
  }

  #createList(entries: readonly IndexedRecord[]): SortedList<IndexedRecord> {
    const list = this.#createEmptyList()
    for (const entry of entries) list.insert(entry)
    return list
  }
}
