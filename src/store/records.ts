import type { Stored } from '../domain/changes.ts'
import { type Deadline, deadlineOf } from '../domain/deadlines.ts'
import type { Event, UnsequencedEvent } from '../domain/events.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection, collectionOf } from './collections.ts'
import { addToGroup, byAge, type Entry, type Group, removeFromGroup } from './entries.ts'
import { Ordered } from './ordered.ts'
import { page } from './paging.ts'
import type { Page, Query, Write } from './store.ts'

interface Shelf {
  /** Place of its collection in COLLECTION_NAMES. */
  readonly place: number
  readonly entries: Map<string, Entry>
  /** Whether the entries are in the order in which they came. */
  isInOrder: boolean
  /** Number of the transaction that changed anything in it last. */
  stamp: number
  /** The transactions that removed records, by id, until the shelf forgets them. */
  readonly removals: Map<string, number>
  /** Number of a transaction that is not before those of forgotten removals. */
  forgotten: number
  readonly listed: Ordered<Entry>
  /** Whether `created` never went backwards, so that the list is in the order in which records came. */
  isChronological: boolean
  /** By filter name, then value. */
  readonly filters: ReadonlyMap<string, Map<string, Group>>
  /** The same groups, each with how to read its value from a record. */
  readonly indexes: readonly Index[]
}

interface Index {
  readonly read: (record: never) => string | null
  readonly groups: Map<string, Group>
}

interface DueEntry extends Deadline {
  readonly entry: Entry
  /** Place of its collection in COLLECTION_NAMES. */
  readonly collection: number
}

/** All that the indexes need to know of a record. */
interface Place {
  readonly created: number
  /** In the order of the shelf's indexes. */
  readonly values: readonly (string | null)[]
  readonly deadline: Omit<DueEntry, 'entry'> | null
}

// A loaded snapshot has forgotten the order between collections, so that order may not decide.
const byDeadline = (a: DueEntry, b: DueEntry) =>
  a.at - b.at || a.rank - b.rank || a.collection - b.collection || a.entry.order - b.entry.order

const MAX_REMEMBERED_REMOVALS = 100_000

/**
 * All records in memory with their indexes: what every in-process store answers from. Changes are synchronous and each
 * gives back how to undo it.
 */
export class Records {
  readonly #shelves = new Map<Collection, Shelf>(COLLECTION_NAMES.map((name) => [name, createShelf(name)]))
  readonly #due = new Map<string, Ordered<DueEntry>>()
  #order = 0
  #sequence = 0
  #lastReturn = 0

  /** The number of the newest event. */
  get sequence(): number {
    return this.#sequence
  }

  /** Number of the last transaction that put a listed record that had been removed before; 0 for none. */
  get lastReturn(): number {
    return this.#lastReturn
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

  /** The records of a collection, oldest first; those that come while it is read are left out, so that it ends. */
  *all(collection: Collection): Generator<Stored> {
    const last = this.#order
    for (const { record, order } of inOrder(this.#shelf(collection))) {
      if (order > last) return
      yield record
    }
  }

  /** Number of the transaction that changed or removed a record last; 0 when it was loaded or never there. */
  stampOf(collection: Collection, id: string): number {
    const shelf = this.#shelf(collection)
    return shelf.entries.get(id)?.stamp ?? shelf.removals.get(id) ?? shelf.forgotten
  }

  /** Number of the transaction that changed a collection last. */
  lastStamp(collection: Collection): number {
    return this.#shelf(collection).stamp
  }

  oldest(collection: Collection, limit: number): Stored[] {
    const records: Stored[] = []
    for (const { record } of inOrder(this.#shelf(collection))) {
      if (records.length === limit) break
      records.push(record)
    }
    return records
  }

  list(collection: Collection, query: Query): Page<Stored> {
    const shelf = this.#shelf(collection)
    const { listed, filters, isChronological } = shelf
    const growing = isChronological ? COLLECTIONS[collection].growing : undefined
    return page({ listed, filters, growing, find: (id) => shelf.entries.get(id) }, query)
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
   * Applies the writes of transaction number `stamp` in order and returns what puts everything back as it was, the
   * sequence included. When one of them throws, none is applied.
   */
  apply(
    writes: readonly Write[],
    { sequenceBefore, stamp }: { readonly sequenceBefore: number; readonly stamp: number },
  ): () => void {
    const undos: (() => void)[] = []
    const undoAll = () => {
      for (const undo of undos.reverse()) undo()
      this.#sequence = sequenceBefore
    }
    try {
      for (const write of writes)
        undos.push('put' in write ? this.put(write.put, stamp) : this.#remove(write.remove, stamp))
    } catch (error) {
      undoAll()
      throw error
    }
    return undoAll
  }

  /** Keeps a record in place of the one of its id; returns how to undo it. */
  put(record: Stored, stamp = 0): () => void {
    const shelf = this.#shelf(collectionOf(record))
    const { stamp: stampBefore } = shelf
    const place = placeOf(shelf, record)
    const old = shelf.entries.get(record.id)
    shelf.stamp = stamp
    if (old === undefined) {
      this.#order += 1
      const entry: Entry = { record, created: place.created, order: this.#order, stamp }
      shelf.entries.set(record.id, entry)
      this.#index(shelf, entry, place)
      if (!Number.isNaN(place.created) && shelf.removals.has(record.id)) this.#lastReturn = stamp
      return () => {
        this.#drop(shelf, entry)
        shelf.stamp = stampBefore
      }
    }
    const before = { record: old.record, stamp: old.stamp }
    this.#replace(shelf, old, { record, stamp })
    return () => {
      this.#replace(shelf, old, before)
      shelf.stamp = stampBefore
    }
  }

  #remove(record: Stored, stamp: number): () => void {
    const shelf = this.#shelf(collectionOf(record))
    const { stamp: stampBefore } = shelf
    const entry = shelf.entries.get(record.id)
    if (entry) this.#drop(shelf, entry)
    shelf.stamp = stamp
    if (shelf.removals.size >= MAX_REMEMBERED_REMOVALS) {
      shelf.removals.clear()
      shelf.forgotten = stamp
    }
    shelf.removals.set(record.id, stamp)
    return () => {
      shelf.removals.delete(record.id)
      shelf.stamp = stampBefore
      if (entry === undefined) return
      shelf.entries.set(record.id, entry)
      shelf.isInOrder = false
      this.#index(shelf, entry, placeOf(shelf, entry.record))
    }
  }

  #drop(shelf: Shelf, entry: Entry): void {
    this.#unindex(shelf, entry)
    shelf.entries.delete(entry.record.id)
  }

  #replace(shelf: Shelf, entry: Entry, next: { readonly record: Stored; readonly stamp: number }): void {
    const place = placeOf(shelf, next.record)
    this.#unindex(shelf, entry)
    entry.record = next.record
    entry.stamp = next.stamp
    entry.created = place.created
    this.#index(shelf, entry, place)
  }

  #index(shelf: Shelf, entry: Entry, { created, values, deadline }: Place): void {
    if (deadline) this.#queue(deadline.queue).insert({ ...deadline, entry })
    // Private records are in no list.
    if (Number.isNaN(created)) return
    const { last } = shelf.listed
    if (last !== undefined && byAge(last, entry) > 0) shelf.isChronological = false
    shelf.listed.insert(entry)
    for (const [at, { groups }] of shelf.indexes.entries()) {
      const value = values[at] ?? null
      if (value !== null) addToGroup(groups, value, entry)
    }
  }

  #unindex(shelf: Shelf, entry: Entry): void {
    const { values, deadline } = placeOf(shelf, entry.record)
    if (deadline) this.#queue(deadline.queue).remove({ ...deadline, entry })
    if (Number.isNaN(entry.created)) return
    shelf.listed.remove(entry)
    for (const [at, { groups }] of shelf.indexes.entries()) {
      const value = values[at] ?? null
      if (value !== null) removeFromGroup(groups, value, entry)
    }
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
  const filters = new Map<string, Map<string, Group>>()
  const indexes = Object.entries(COLLECTIONS[name].filters).map(([filter, read]) => {
    const groups = new Map<string, Group>()
    filters.set(filter, groups)
    return { read, groups }
  })
  return {
    place: COLLECTION_NAMES.indexOf(name),
    entries: new Map(),
    isInOrder: true,
    stamp: 0,
    removals: new Map(),
    forgotten: 0,
    listed: new Ordered(byAge),
    isChronological: true,
    filters,
    indexes,
  }
}

// A record whose removal was undone came back at the end, and a snapshot keeps the order in which they came.
function inOrder(shelf: Shelf): Iterable<Entry> {
  if (shelf.isInOrder) return shelf.entries.values()
  const entries = [...shelf.entries.values()].sort((a, b) => a.order - b.order)
  shelf.entries.clear()
  for (const entry of entries) shelf.entries.set(entry.record.id, entry)
  shelf.isInOrder = true
  return shelf.entries.values()
}

function placeOf({ indexes, place }: Shelf, record: Stored): Place {
  const created = 'created' in record && typeof record.created === 'number' ? record.created : Number.NaN
  const values = indexes.map(({ read }) => read(record as never))
  const deadline = deadlineOf(record)
  return { created, values, deadline: deadline && { ...deadline, collection: place } }
}
