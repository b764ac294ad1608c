import { BEFORE_ALL, type Entry } from './entries.ts'
import { ShardedMap } from './sharded-map.ts'
import { type Measures, Ordered } from './sorted-list.ts'

/** The records of one value of a filter. Most values have a single one, which needs no list: 40 % less memory. */
type Group = Entry | Ordered<Entry>

/** How the lists of a collection are sorted, and by which measures walks through them can be windowed. */
export interface ListOrder {
  readonly compare: (a: Entry, b: Entry) => number
  readonly measures: Measures<Entry>
}

/** The records of a collection by the value that a filter reads from them. */
export class FilterIndex {
  /** The value of a record; null for none. */
  readonly read: (record: never) => string | null
  readonly #order: ListOrder
  readonly #groups = new ShardedMap<Group>()

  constructor(read: (record: never) => string | null, order: ListOrder) {
    this.read = read
    this.#order = order
  }

  add(value: string, entry: Entry): void {
    const groups = this.#groups.part(value)
    const group = groups.get(value)
    if (group === undefined) groups.set(value, entry)
    else if (group instanceof Ordered) group.insert(entry)
    else groups.set(value, this.#startList([group, entry]))
  }

  /** Takes an entry out of the group of a value, and the group away when nothing is left of it. */
  remove(value: string, entry: Entry): void {
    const groups = this.#groups.part(value)
    const group = groups.get(value)
    if (group instanceof Ordered) group.remove(entry)
    if (group === entry || (group instanceof Ordered && group.size === 0)) groups.delete(value)
  }

  /** Must hear of an entry that stays in its group and has another number in a field that bounds can be given of. */
  remeasure(value: string, entry: Entry): void {
    const group = this.#groups.get(value)
    if (group instanceof Ordered) group.remeasure(entry)
  }

  /** The entries of a value in list order, or null when there are none. */
  listOf(value: string): Ordered<Entry> | null {
    const group = this.#groups.get(value)
    if (group === undefined) return null
    return group instanceof Ordered ? group : this.#startList([group])
  }

  #startList(entries: readonly Entry[]): Ordered<Entry> {
    const list = new Ordered(this.#order.compare, this.#order.measures)
    for (const entry of entries) list.insert(entry)
    return list
  }
}

/** An entry with its number; a probe for the sorted list has none. */
interface Numbered {
  readonly number: number
  readonly entry: Entry
}

const byNumber = (a: Numbered, b: Numbered) => a.number - b.number || a.entry.order - b.entry.order

/** Finds the entries with numbers from `low` to `high`, however many others there are. */
export interface RangeIndex {
  /** Null when there are more than `most`. */
  between(low: number, high: number, most: number): readonly Entry[] | null
}

/** The records of a collection by a number in them. */
export class NumberIndex implements RangeIndex {
  readonly #sorted = new Ordered(byNumber)

  add(number: number, entry: Entry): void {
    if (!Number.isNaN(number)) this.#sorted.insert({ number, entry })
  }

  remove(number: number, entry: Entry): void {
    if (!Number.isNaN(number)) this.#sorted.remove({ number, entry })
  }

  between(low: number, high: number, most: number): readonly Entry[] | null {
    const first = { number: low, entry: BEFORE_ALL }
    return (
      upTo(this.#sorted, { first, most, isWithin: ({ number }) => number <= high })?.map(
        ({ entry }) => entry,
      ) ?? null
    )
  }
}

/** The records of a collection by `created`, for a collection whose lists are sorted otherwise. */
export class AgeIndex implements RangeIndex {
  readonly #byAge: Ordered<Entry>

  /** `byAge` is sorted by `created`. */
  constructor(byAge: Ordered<Entry>) {
    this.#byAge = byAge
  }

  between(low: number, high: number, most: number): readonly Entry[] | null {
    const first = { ...BEFORE_ALL, created: low }
    return upTo(this.#byAge, { first, most, isWithin: ({ created }) => created <= high })
  }
}

/** The items from the first one on for which `isWithin` holds, or null when there are more than `most`. */
function upTo<T>(
  sorted: Ordered<T>,
  {
    first,
    most,
    isWithin,
  }: { readonly first: T; readonly most: number; readonly isWithin: (item: T) => boolean },
): readonly T[] | null {
  const tooMany = sorted.ahead(first, most)
  if (tooMany !== undefined && isWithin(tooMany)) return null
  const found: T[] = []
  for (const item of sorted.ascending(first)) {
    if (!isWithin(item)) break
    found.push(item)
  }
  return found
}
