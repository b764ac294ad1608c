import type { Stored } from '../../domain/changes.ts'
import { type Deadline, deadlineOf } from '../../domain/deadlines.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../port/collections.ts'
import { byAge, byOrder, type Entry, type EntryState, numberIn, numberOf, ORDER } from './entries.ts'
import { AgeIndex, FilterIndex, NumberIndex, type RangeIndex } from './indexes.ts'
import { ShardedMap } from './sharded-map.ts'
import { NO_MEASURES, Ordered } from './sorted-list.ts'

/** All that the indexes need to know of a record. */
export interface Place {
  readonly created: number
  /** In the order of the shelf's filters. */
  readonly values: readonly (string | null)[]
  /** In the order of the shelf's ranges; NaN for none. */
  readonly numbers: readonly number[]
  /** The number that grows from record to record; NaN when there is none. */
  readonly growth: number
  readonly deadline: Deadline | null
}

/** The records of one collection with their indexes. */
export class Shelf {
  /** Place of its collection in COLLECTION_NAMES. */
  readonly place: number
  readonly entries = new ShardedMap<Entry>()
  /** In the order in which they came. */
  readonly inOrder: Ordered<Entry>
  /** Number of the transaction that changed anything in it last. */
  stamp = 0
  /** The transactions that removed records, by id, until the shelf forgets them. */
  readonly removals = new Map<string, number>()
  /** Number of a transaction that is not before those of forgotten removals. */
  forgotten = 0
  /** In list order: by age, or in the order in which they came when a growing number says so. */
  readonly listed: Ordered<Entry>
  /** The order of `listed`. */
  readonly compare: (a: Entry, b: Entry) => number
  readonly filters: ReadonlyMap<string, FilterIndex>
  readonly #ranges: ReadonlyMap<string, NumberIndex>
  readonly #byAge: Ordered<Entry>
  readonly #ages: AgeIndex | undefined
  readonly #growing: string | undefined
  #isGrowing = true
  /** The number that the next record has to exceed. */
  #grown = Number.NEGATIVE_INFINITY

  constructor(name: Collection) {
    const { filters, ranges = [], growing } = COLLECTIONS[name]
    const isByAge = growing === undefined
    const measured = isByAge ? ranges : [...ranges, 'created']
    const read = (field: string) => [field, (entry: Entry) => numberIn(entry, field)] as const
    const measures = measured.length === 0 ? NO_MEASURES : Object.fromEntries(measured.map(read))
    this.place = COLLECTION_NAMES.indexOf(name)
    this.compare = isByAge ? byAge : byOrder
    const order = { compare: this.compare, measures }
    this.inOrder = new Ordered(byOrder, isByAge ? NO_MEASURES : measures)
    this.#byAge = new Ordered(byAge, isByAge ? measures : NO_MEASURES)
    this.#ages = isByAge ? undefined : new AgeIndex(this.#byAge)
    this.listed = isByAge ? this.#byAge : this.inOrder
    this.filters = new Map(
      Object.entries(filters).map(([filter, read]) => [filter, new FilterIndex(read, order)]),
    )
    this.#ranges = new Map(ranges.map((field) => [field, new NumberIndex()]))
    this.#growing = growing
  }

  /** The field by which its lists are sorted; in its place `ORDER` stands for a number that grows with each record. */
  get sortField(): string {
    return this.#growing === undefined ? 'created' : ORDER
  }

  /** The field whose number grew from record to record in the order in which they came, if there is one that did. */
  get growing(): string | undefined {
    return this.#isGrowing ? this.#growing : undefined
  }

  /** Finds the entries with numbers of a field in a range; undefined for what has no index. */
  rangeIndex(field: string): RangeIndex | undefined {
    if (field === 'created') return this.#ages
    return this.#ranges.get(field)
  }

  /** Where a record belongs in the indexes. */
  placeOf(record: Stored): Place {
    const values: (string | null)[] = []
    for (const { read } of this.filters.values()) values.push(read(record as never))
    const numbers: number[] = []
    for (const field of this.#ranges.keys()) numbers.push(numberOf(record, field))
    const created = numberOf(record, 'created')
    const growth = this.#growing === undefined ? Number.NaN : numberOf(record, this.#growing)
    return { created, values, numbers, growth, deadline: deadlineOf(record) }
  }

  /**
   * Takes an entry from one place of the indexes to another, null for out of them; `next` is what it holds from then
   * on. What is the same in both places is left alone: most changes touch few indexes.
   */
  move(entry: Entry, [from, to]: readonly [Place | null, Place | null], next: EntryState | null): void {
    if (this.#growing !== undefined) this.#watchGrowth(entry, from, to)
    const isStaying = from !== null && to !== null && from.created === to.created
    if (isListed(from)) this.#leave(entry, from, isStaying ? to : null)
    if (next !== null) {
      entry.record = next.record
      entry.created = next.created
      entry.stamp = next.stamp
    }
    if (isListed(to)) this.#enter(entry, to, isStaying ? from : null)
    if (from !== null && to !== null && !isStaying && this.#ages !== undefined) this.inOrder.remeasure(entry)
  }

  #leave(entry: Entry, from: Place, to: Place | null): void {
    if (to === null) this.#byAge.remove(entry)
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

  #enter(entry: Entry, to: Place, from: Place | null): void {
    if (from === null) this.#byAge.insert(entry)
    const isRemeasured =
      from !== null && to.numbers.some((number, at) => !Object.is(number, from.numbers[at]))
    if (isRemeasured) this.listed.remeasure(entry)
    let at = 0
    for (const filter of this.filters.values()) {
      const value = to.values[at]
      if (value != null && value !== from?.values[at]) filter.add(value, entry)
      else if (value != null && isRemeasured) filter.remeasure(value, entry)
      at += 1
    }
    at = 0
    for (const range of this.#ranges.values()) {
      const number = to.numbers[at] as number
      if (number !== from?.numbers[at]) range.add(number, entry)
      at += 1
    }
  }

  #watchGrowth(entry: Entry, from: Place | null, to: Place | null): void {
    if (from !== null && to !== null) this.#isGrowing &&= from.growth === to.growth
    // What is left is smaller, and whoever comes next may have the same number again.
    else if (from !== null && from.growth === this.#grown) this.#grown -= 1
    // Any other than the last one only came back to where it had been.
    else if (to !== null && this.inOrder.last === entry) {
      this.#isGrowing &&= to.growth > this.#grown
      this.#grown = to.growth
    }
  }
}

function isListed(place: Place | null): place is Place {
  return place !== null && !Number.isNaN(place.created)
}
