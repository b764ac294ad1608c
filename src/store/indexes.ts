import { byAge, type Entry } from './entries.ts'
import { type Measures, Ordered } from './ordered.ts'
import { ShardedMap } from './sharded-map.ts'

/** The records of one value of a filter. Most values have a single one, which needs no list: 40 % less memory. */
type Group = Entry | Ordered<Entry>

/** The records of a collection by the value that a filter reads from them. */
export class FilterIndex {
  /** The value of a record; null for none. */
  readonly read: (record: never) => string | null
  readonly #measures: Measures<Entry>
  readonly #groups = new ShardedMap<Group>()

  constructor(read: (record: never) => string | null, measures: Measures<Entry>) {
    this.read = read
    this.#measures = measures
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

  /** The entries of a value by age, or null when there are none. */
  listOf(value: string): Ordered<Entry> | null {
    const group = this.#groups.get(value)
    if (group === undefined) return null
    return group instanceof Ordered ? group : this.#startList([group])
  }

  #startList(entries: readonly Entry[]): Ordered<Entry> {
    const list = new Ordered(byAge, this.#measures)
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

const BEFORE_ALL: Entry = { record: { id: '', object: '' }, created: Number.NaN, order: 0, stamp: 0 }

/** The records of a collection by a number in them. */
export class NumberIndex {
  readonly #sorted = new Ordered(byNumber)

  add(number: number, entry: Entry): void {
    if (!Number.isNaN(number)) this.#sorted.insert({ number, entry })
  }

  remove(number: number, entry: Entry): void {
    if (!Number.isNaN(number)) this.#sorted.remove({ number, entry })
  }

  /** The entries with numbers from `low` to `high`, or null when there are more than `most`. */
  between(low: number, high: number, most: number): readonly Entry[] | null {
    const first = { number: low, entry: BEFORE_ALL }
    const tooMany = this.#sorted.ahead(first, most)
    if (tooMany !== undefined && tooMany.number <= high) return null
    const found: Entry[] = []
    for (const { number, entry } of this.#sorted.ascending(first)) {
      if (number > high) break
      found.push(entry)
    }
    return found
  }
}
