import { type Entry, PROBE_ENTRY } from './entries.ts'
import { ShardedMap } from './sharded-map.ts'
import { type NumericKeys, SortedList } from './sorted-list.ts'

/** The records of one filter value. Most values have a single record, and storing it without a list takes 40 % less memory. */
type EntryGroup = Entry | SortedList<Entry>

/** The sort order of a collection's lists, and the numeric keys that range queries can use. */
export interface ListOrder {
  readonly compare: (a: Entry, b: Entry) => number
  readonly keys: NumericKeys<Entry>
}

/** Finds the records of a collection by the value of a filter. */
export class FilterIndex {
  /** Returns the filter value of a record, or null when it has none. */
  readonly read: (record: never) => string | null
  readonly #order: ListOrder
  readonly #groups = new ShardedMap<EntryGroup>()

  constructor(read: (record: never) => string | null, order: ListOrder) {
    this.read = read
    this.#order = order
  }

  add(value: string, entry: Entry): void {
    const groups = this.#groups.shardFor(value)
    const group = groups.get(value)
    if (group === undefined) groups.set(value, entry)
    else if (group instanceof SortedList) group.insert(entry)
    else groups.set(value, this.#createList([group, entry]))
  }

  remove(value: string, entry: Entry): void {
    const groups = this.#groups.shardFor(value)
    const group = groups.get(value)
    if (group instanceof SortedList) group.remove(entry)
    if (group === entry || (group instanceof SortedList && group.size === 0)) groups.delete(value)
  }

  /** Call it when a numeric key of an entry changes but its filter value does not. */
  updateBounds(value: string, entry: Entry): void {
    const group = this.#groups.get(value)
    if (group instanceof SortedList) group.updateBounds(entry)
  }

  /** Returns the entries of a filter value in list order, or null when there are none. */
  entriesOf(value: string): SortedList<Entry> | null {
    const group = this.#groups.get(value)
    if (group === undefined) return null
    return group instanceof SortedList ? group : this.#createList([group])
  }

  #createList(entries: readonly Entry[]): SortedList<Entry> {
    const list = new SortedList(this.#order.compare, this.#order.keys)
    for (const entry of entries) list.insert(entry)
    return list
  }
}

interface NumberedEntry {
  readonly number: number
  readonly entry: Entry
}

const byNumber = (a: NumberedEntry, b: NumberedEntry) => a.number - b.number || a.entry.order - b.entry.order

/** Finds entries by a range of a number without reading the others. */
export interface RangeIndex {
  /** Returns the entries from `low` to `high`, or null when there are more than `max`. */
  between(low: number, high: number, max: number): readonly Entry[] | null
}

/** Finds the records of a collection by a number field. */
export class NumberIndex implements RangeIndex {
  readonly #sorted = new SortedList(byNumber)

  add(number: number, entry: Entry): void {
    if (!Number.isNaN(number)) this.#sorted.insert({ number, entry })
  }

  remove(number: number, entry: Entry): void {
    if (!Number.isNaN(number)) this.#sorted.remove({ number, entry })
  }

  between(low: number, high: number, max: number): readonly Entry[] | null {
    const first = { number: low, entry: PROBE_ENTRY }
    const found = collectWhile(this.#sorted, first, max, ({ number }) => number <= high)
    return found?.map(({ entry }) => entry) ?? null
  }
}

/** Finds records by `created` in a collection whose lists are sorted by another field. */
export class CreatedIndex implements RangeIndex {
  readonly #byCreated: SortedList<Entry>

  constructor(byCreated: SortedList<Entry>) {
    this.#byCreated = byCreated
  }

  between(low: number, high: number, max: number): readonly Entry[] | null {
    const first = { ...PROBE_ENTRY, created: low }
    return collectWhile(this.#byCreated, first, max, ({ created }) => created <= high)
  }
}

/** Returns the items from `first` on for which `isWithin` holds, or null when there are more than `max`. */
function collectWhile<T>(
  sorted: SortedList<T>,
  first: T,
  max: number,
  isWithin: (item: T) => boolean,
): readonly T[] | null {
  const excess = sorted.peekAhead(first, max)
  if (excess !== undefined && isWithin(excess)) return null
  const found: T[] = []
  for (const item of sorted.ascending(first)) {
    if (!isWithin(item)) break
    found.push(item)
  }
  return found
}
