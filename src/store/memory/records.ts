import type { Stored } from '../../domain/changes.ts'
import type { Deadline } from '../../domain/deadlines.ts'
import type { Event, UnsequencedEvent } from '../../domain/events.ts'
import { COLLECTION_NAMES, type Collection, collectionOf } from '../port/collections.ts'
import { type NewestKnown, numberEvents } from '../port/event-sequence.ts'
import type { Page, Query, Write } from '../port/store.ts'
import { type Place, Shelf } from './collection-index.ts'
import { type Entry, type EntryState, recordOf } from './entries.ts'
import { page } from './paging.ts'
import { RawRecord } from './raw-record.ts'
import { Ordered } from './sorted-list.ts'

interface DueEntry extends Deadline {
  readonly entry: Entry
  /** Place of its collection in COLLECTION_NAMES. */
  readonly collection: number
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
  readonly #shelves = new Map<Collection, Shelf>(COLLECTION_NAMES.map((name) => [name, new Shelf(name)]))
  readonly #due = new Map<string, Ordered<DueEntry>>()
  #order = 0
  #newest: NewestKnown = { sequence: 0, told: 0 }

  /** The number of the newest event. */
  get sequence(): number {
    return this.#newest.sequence
  }

  /** When the newest event of real time happened, in Unix seconds; 0 when there is none. */
  get told(): number {
    return this.#newest.told ?? this.#newestTold()
  }

  /** Where the sequence is, to put it back there. */
  get newest(): NewestKnown {
    return this.#newest
  }

  /** Takes up the sequence where a loaded database left it. */
  resumeSequence(sequence: number): void {
    this.#newest = { sequence, told: null }
  }

  /** Gives events their numbers; the caller puts them as records. */
  numberEvents(events: readonly UnsequencedEvent[]): Event[] {
    if (events.length === 0) return []
    const numbered = numberEvents(events, { sequence: this.sequence, told: this.told })
    this.#newest = numbered.newest
    return numbered.events
  }

  get(collection: Collection, id: string): Stored | null {
    return this.look(collection, id).record
  }

  /**
   * A record, or null, and the number of the transaction that changed or removed it last; 0 when it was loaded or never
   * there.
   */
  look(collection: Collection, id: string): { readonly record: Stored | null; readonly stamp: number } {
    const shelf = this.#shelf(collection)
    const entry = shelf.entries.get(id)
    if (entry !== undefined) return { record: recordOf(entry), stamp: entry.stamp }
    return { record: null, stamp: shelf.removals.get(id) ?? shelf.forgotten }
  }

  /** The records of a collection, oldest first; those that come while it is read are left out, so that it ends. */
  *all(collection: Collection): Generator<Stored> {
    for (const entry of this.#entries(collection)) yield recordOf(entry)
  }

  /**
   * The JSON text of each record of a collection that a transaction up to this number put there, as `all`: one that was
   * removed since, and put anew, has its place among those that came later.
   */
  *texts(collection: Collection, transaction: number): Generator<string> {
    for (const { record, born } of this.#entries(collection)) {
      if (born > transaction) return
      yield record instanceof RawRecord ? record.text : JSON.stringify(record)
    }
  }

  /** Number of the transaction that changed a collection last. */
  lastStamp(collection: Collection): number {
    return this.#shelf(collection).stamp
  }

  count(collection: Collection): number {
    return this.#shelf(collection).inOrder.size
  }

  oldest(collection: Collection, limit: number, after?: string): Stored[] {
    const { entries, inOrder } = this.#shelf(collection)
    const start = after === undefined ? undefined : entries.get(after)
    const records: Stored[] = []
    for (const entry of inOrder.ascending(start)) {
      if (records.length === limit) break
      if (entry === start) continue
      records.push(recordOf(entry))
    }
    return records
  }

  list(collection: Collection, query: Query): Page<Stored> {
    return page(this.#shelf(collection), query)
  }

  due(queue: string, until: number, limit: number): Stored[] {
    const records: Stored[] = []
    const first = this.#due.get(queue)?.first
    // Asked before every request, and mostly in vain.
    if (first === undefined || first.at > until) return records
    for (const due of this.#queue(queue).ascending()) {
      if (due.at > until || records.length === limit) break
      records.push(recordOf(due.entry))
    }
    return records
  }

  /**
   * Applies the writes of transaction number `stamp` in order and returns what puts everything back as it was, the
   * sequence included. When one of them throws, none is applied.
   */
  apply(
    writes: readonly Write[],
    { before, stamp }: { readonly before: NewestKnown; readonly stamp: number },
  ): () => void {
    const undos: (() => void)[] = []
    const undoAll = () => {
      for (const undo of undos.reverse()) undo()
      this.#newest = before
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
    const place = shelf.placeOf(record)
    const old = shelf.entries.get(record.id)
    const next: EntryState = { record, created: place.created, stamp }
    if (old !== undefined) return this.#update(shelf, old, { to: place, next })
    shelf.stamp = stamp
    const entry = this.#add(shelf, { id: record.id, place, next })
    return () => {
      this.#drop(shelf, entry)
      shelf.stamp = stampBefore
    }
  }

  /** Keeps a record that is not kept yet; one of a known shape stays as it lies in a file. */
  load(raw: RawRecord): void {
    const sketch = raw.sketch()
    const record = sketch ?? raw.parse()
    const shelf = this.#shelf(collectionOf(record))
    const place = shelf.placeOf(record)
    const next: EntryState = { record: sketch === null ? record : raw, created: place.created, stamp: 0 }
    this.#add(shelf, { id: record.id, place, next })
  }

  #add(
    shelf: Shelf,
    { id, place, next }: { readonly id: string; readonly place: Place; readonly next: EntryState },
  ): Entry {
    this.#order += 1
    const { record, created, stamp } = next
    const entry: Entry = { record, created, order: this.#order, born: stamp, stamp }
    this.#keep(shelf, entry, { id, place })
    return entry
  }

  #update(
    shelf: Shelf,
    entry: Entry,
    { to, next }: { readonly to: Place; readonly next: EntryState },
  ): () => void {
    const record = recordOf(entry)
    const from = shelf.placeOf(record)
    const before = { record, created: entry.created, stamp: entry.stamp }
    const { stamp: stampBefore } = shelf
    shelf.stamp = next.stamp
    this.#move(shelf, entry, { from, to, next })
    return () => {
      this.#move(shelf, entry, { from: to, to: from, next: before })
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
      if (entry !== undefined)
        this.#keep(shelf, entry, { id: record.id, place: shelf.placeOf(recordOf(entry)) })
    }
  }

  #keep(shelf: Shelf, entry: Entry, { id, place }: { readonly id: string; readonly place: Place }): void {
    shelf.entries.part(id).set(id, entry)
    shelf.inOrder.insert(entry)
    this.#move(shelf, entry, { from: null, to: place })
  }

  #drop(shelf: Shelf, entry: Entry): void {
    const record = recordOf(entry)
    this.#move(shelf, entry, { from: shelf.placeOf(record), to: null })
    shelf.inOrder.remove(entry)
    shelf.entries.part(record.id).delete(record.id)
  }

  /** From one place to another, null for out of all indexes; `next` is what the entry holds from then on. */
  #move(
    shelf: Shelf,
    entry: Entry,
    {
      from,
      to,
      next = null,
    }: { readonly from: Place | null; readonly to: Place | null; readonly next?: EntryState | null },
  ): void {
    shelf.move(entry, [from, to], next)
    const [before, after] = [from?.deadline ?? null, to?.deadline ?? null]
    if (isSameDeadline(before, after)) return
    const { place: collection } = shelf
    if (before) this.#queue(before.queue).remove({ ...before, entry, collection })
    if (after) this.#queue(after.queue).insert({ ...after, entry, collection })
  }

  #newestTold(): number {
    for (const { record } of this.#shelf('events').inOrder.descending()) {
      const event = (record instanceof RawRecord ? (record.sketch() ?? record.parse()) : record) as Event
      if (event.test_clock === null) return event.created
    }
    return 0
  }

  *#entries(collection: Collection): Generator<Entry> {
    const last = this.#order
    const { inOrder } = this.#shelf(collection)
    // A few at a time: records come and go while whoever reads pauses.
    for (let some = inOrder.following(undefined); some.length > 0; some = inOrder.following(some.at(-1))) {
      for (const entry of some) {
        if (entry.order > last) return
        yield entry
      }
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

function isSameDeadline(a: Deadline | null, b: Deadline | null): boolean {
  return a === b || (a !== null && a.queue === b?.queue && a.at === b.at && a.rank === b.rank)
}
