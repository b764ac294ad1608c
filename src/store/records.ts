import type { Stored } from '../domain/changes.ts'
import { type Deadline, deadlineOf } from '../domain/deadlines.ts'
import type { Event, UnsequencedEvent } from '../domain/events.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection, collectionOf } from './collections.ts'
import { Ordered } from './ordered.ts'
import { type Entry, page } from './paging.ts'
import type { Page, Query, Write } from './store.ts'

interface Shelf {
  readonly entries: Map<string, Entry>
  readonly listed: Ordered<Entry>
  /** By filter name, then value. */
  readonly filters: Map<string, Map<string, Ordered<Entry>>>
}

interface DueEntry extends Deadline {
  readonly entry: Entry
  /** Place of its collection in COLLECTION_NAMES. */
  readonly collection: number
}

/** All that the indexes need to know of a record. */
interface Place {
  readonly created: number
  readonly values: readonly (readonly [filter: string, value: string])[]
  readonly deadline: Omit<DueEntry, 'entry'> | null
}

const byAge = (a: Entry, b: Entry) => a.created - b.created || a.order - b.order
// A loaded snapshot has forgotten the order between collections, so that order may not decide.
const byDeadline = (a: DueEntry, b: DueEntry) =>
  a.at - b.at || a.rank - b.rank || a.collection - b.collection || a.entry.order - b.entry.order

/**
 * All records in memory with their indexes: what every in-process store answers from. Changes are synchronous and each
 * gives back how to undo it.
 */
export class Records {
  readonly #shelves = new Map<Collection, Shelf>(COLLECTION_NAMES.map((name) => [name, createShelf(name)]))
  readonly #due = new Map<string, Ordered<DueEntry>>()
  #order = 0
  #sequence = 0

  /** The number of the newest event. */
  get sequence(): number {
    return this.#sequence
  }

  /** Takes up the sequence where a loaded database left it. */
  resumeSequence(sequence: number): void {
    this.#sequence = sequence
  }

  /** Gives events their numbers; the caller puts them as records. */
  numberEvents(events: readonly UnsequencedEvent[]): Event[] {
    return events.map((event) => {
      this.#sequence += 1
      const { test_clock, ...rest } = event
      return { ...rest, sequence: this.#sequence, test_clock }
    })
  }

  get(collection: Collection, id: string): Stored | null {
    return this.#shelf(collection).entries.get(id)?.record ?? null
  }

  *all(collection: Collection): Generator<Stored> {
    for (const entry of this.#shelf(collection).entries.values()) yield entry.record
  }

  list(collection: Collection, query: Query): Page<Stored> {
    const shelf = this.#shelf(collection)
    return page({ listed: shelf.listed, filters: shelf.filters, find: (id) => shelf.entries.get(id) }, query)
  }

  due(queue: string, until: number, limit: number): Stored[] {
    const records: Stored[] = []
    for (const due of this.#due.get(queue)?.ascending() ?? []) {
      if (due.at > until || records.length === limit) break
      records.push(due.entry.record)
    }
    return records
  }

  /**
   * Applies writes in order and returns what puts everything back as it was, the sequence included. When one of them
   * throws, none is applied.
   */
  apply(writes: readonly Write[], sequenceBefore: number): () => void {
    const undos: (() => void)[] = []
    const undoAll = () => {
      for (const undo of undos.reverse()) undo()
      this.#sequence = sequenceBefore
    }
    try {
      for (const write of writes)
        undos.push('put' in write ? this.put(write.put) : this.#remove(write.remove))
    } catch (error) {
      undoAll()
      throw error
    }
    return undoAll
  }

  /** Keeps a record in place of the one of its id; returns how to undo it. */
  put(record: Stored): () => void {
    const shelf = this.#shelf(collectionOf(record))
    const old = shelf.entries.get(record.id)
    if (old === undefined) {
      const place = placeOf(record)
      this.#order += 1
      const entry: Entry = { record, created: place.created, order: this.#order }
      shelf.entries.set(record.id, entry)
      this.#index(shelf, entry, place)
      return () => this.#drop(shelf, entry)
    }
    const before = old.record
    this.#replace(shelf, old, record)
    return () => this.#replace(shelf, old, before)
  }

  #remove(record: Stored): () => void {
    const shelf = this.#shelf(collectionOf(record))
    const entry = shelf.entries.get(record.id)
    if (entry === undefined) return () => {}
    this.#drop(shelf, entry)
    return () => {
      restore(shelf.entries, entry)
      this.#index(shelf, entry, placeOf(entry.record))
    }
  }

  #drop(shelf: Shelf, entry: Entry): void {
    this.#unindex(shelf, entry)
    shelf.entries.delete(entry.record.id)
  }

  #replace(shelf: Shelf, entry: Entry, record: Stored): void {
    const place = placeOf(record)
    this.#unindex(shelf, entry)
    entry.record = record
    entry.created = place.created
    this.#index(shelf, entry, place)
  }

  #index(shelf: Shelf, entry: Entry, { created, values: filterValues, deadline }: Place): void {
    if (Number.isNaN(created)) return
    shelf.listed.insert(entry)
    for (const [filter, value] of filterValues) {
      const values = shelf.filters.get(filter)
      const found = values?.get(value)
      if (found) found.insert(entry)
      else values?.set(value, startList(entry))
    }
    if (deadline) this.#queue(deadline.queue).insert({ ...deadline, entry })
  }

  #unindex(shelf: Shelf, entry: Entry): void {
    if (Number.isNaN(entry.created)) return
    shelf.listed.remove(entry)
    const { values: filterValues, deadline } = placeOf(entry.record)
    for (const [filter, value] of filterValues) {
      const values = shelf.filters.get(filter)
      const found = values?.get(value)
      found?.remove(entry)
      if (found?.size === 0) values?.delete(value)
    }
    if (deadline) this.#queue(deadline.queue).remove({ ...deadline, entry })
  }

  #queue(name: string): Ordered<DueEntry> {
    const queue = this.#due.get(name) ?? new Ordered(byDeadline)
    this.#due.set(name, queue)
    return queue
  }

  #shelf(collection: Collection): Shelf {
    const shelf = this.#shelves.get(collection)
    if (shelf === undefined) throw new Error(`no collection '${collection}'`)
    return shelf
  }
}

function createShelf(name: Collection): Shelf {
  const filters = new Map<string, Map<string, Ordered<Entry>>>()
  for (const filter of Object.keys(COLLECTIONS[name].filters)) filters.set(filter, new Map())
  return { entries: new Map(), listed: new Ordered(byAge), filters }
}

function startList(entry: Entry): Ordered<Entry> {
  const list = new Ordered(byAge)
  list.insert(entry)
  return list
}

// A snapshot keeps the order of the map, so a record that comes back goes to its old place.
function restore(entries: Map<string, Entry>, entry: Entry): void {
  const later = [...entries.values()].filter(({ order }) => order > entry.order)
  entries.set(entry.record.id, entry)
  for (const each of later) {
    entries.delete(each.record.id)
    entries.set(each.record.id, each)
  }
}

function placeOf(record: Stored): Place {
  const collection = collectionOf(record)
  const created = 'created' in record && typeof record.created === 'number' ? record.created : Number.NaN
  const values = Object.entries(COLLECTIONS[collection].filters).flatMap(([filter, read]) => {
    const value = read(record as never)
    return value === null ? [] : [[filter, value] as const]
  })
  const deadline = deadlineOf(record)
  const place = deadline && { ...deadline, collection: COLLECTION_NAMES.indexOf(collection) }
  return { created, values, deadline: place }
}
