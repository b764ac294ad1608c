import type { StoredObject } from '../../domain/changes.ts'
import type { Deadline } from '../../domain/deadlines.ts'
import type { Event, UnsequencedEvent } from '../../domain/events.ts'
import { COLLECTION_NAMES, type Collection, collectionOf } from '../port/collections.ts'
import { type LazySequenceHead, sequenceEvents } from '../port/event-sequence.ts'
import type { ListPage, ListQuery, Write } from '../port/store.ts'
import { CollectionIndex, type IndexKeys } from './collection-index.ts'
import { getRecord, type IndexedRecord, type IndexedRecordState } from './indexed-record.ts'
import { readPage } from './paging.ts'
import { RawRecord } from './raw-record.ts'
import { SortedList } from './sorted-list.ts'

interface DueEntry extends Deadline {
  readonly entry: IndexedRecord
  /** Position of the collection in COLLECTION_NAMES. */
  readonly collection: number
}

// A snapshot does not store the insertion order between collections, so their fixed order decides first.
const byDeadline = (a: DueEntry, b: DueEntry) =>
  a.at - b.at || a.rank - b.rank || a.collection - b.collection || a.entry.order - b.entry.order

const MAX_TRACKED_REMOVALS = 100_000

/** Holds all records and indexes of an in-process store. Changes are synchronous and return a function that undoes them. */
export class Records {
  readonly #collections = new Map<Collection, CollectionIndex>(
    COLLECTION_NAMES.map((name) => [name, new CollectionIndex(name)]),
  )
  readonly #queues = new Map<string, SortedList<DueEntry>>()
  #order = 0
  #sequenceHead: LazySequenceHead = { sequence: 0, lastCreated: 0 }

  /** Sequence number of the newest event. */
  get sequence(): number {
    return this.#sequenceHead.sequence
  }

  /** `created` of the newest event without a test clock, in Unix seconds; 0 when there is none. */
  get lastCreated(): number {
    return this.#sequenceHead.lastCreated ?? this.#findLastCreated()
  }

  get sequenceHead(): LazySequenceHead {
    return this.#sequenceHead
  }

  /** Continues the sequence of a loaded database. */
  resumeSequence(sequence: number): void {
    this.#sequenceHead = { sequence, lastCreated: null }
  }

  /** Assigns sequence numbers to events; the caller stores them as records. */
  sequenceEvents(events: readonly UnsequencedEvent[]): Event[] {
    if (events.length === 0) return []
    const sequenced = sequenceEvents(events, { sequence: this.sequence, lastCreated: this.lastCreated })
    this.#sequenceHead = sequenced.head
    return sequenced.events
  }

  get(collection: Collection, id: string): StoredObject | null {
    return this.getWithTransaction(collection, id).record
  }

  /**
   * Returns a record, or null, with the number of the transaction that last changed or removed it; 0 when it was loaded
   * or never existed.
   */
  getWithTransaction(
    collection: Collection,
    id: string,
  ): { readonly record: StoredObject | null; readonly transaction: number } {
    const index = this.#index(collection)
    const entry = index.entries.get(id)
    if (entry !== undefined) return { record: getRecord(entry), transaction: entry.changedBy }
    return { record: null, transaction: index.removals.get(id) ?? index.newestPrunedRemoval }
  }

  /** Yields the records of a collection, oldest first, without those inserted during the iteration. */
  *all(collection: Collection): Generator<StoredObject> {
    for (const entry of this.#entries(collection)) yield getRecord(entry)
  }

  /**
   * Yields the JSON text of each record that was inserted by `transaction` or an earlier one, oldest first. A record that
   * was removed and inserted again counts as inserted by the later transaction.
   */
  *jsonTexts(collection: Collection, transaction: number): Generator<string> {
    for (const { record, insertedBy } of this.#entries(collection)) {
      if (insertedBy > transaction) return
      yield record instanceof RawRecord ? record.text : JSON.stringify(record)
    }
  }

  /** Returns the number of the transaction that last changed a collection. */
  lastTransaction(collection: Collection): number {
    return this.#index(collection).changedBy
  }

  count(collection: Collection): number {
    return this.#index(collection).byInsertion.size
  }

  listOldest(collection: Collection, limit: number, after?: string): StoredObject[] {
    const { entries, byInsertion } = this.#index(collection)
    const start = after === undefined ? undefined : entries.get(after)
    const records: StoredObject[] = []
    for (const entry of byInsertion.ascending(start)) {
      if (records.length === limit) break
      if (entry === start) continue
      records.push(getRecord(entry))
    }
    return records
  }

  list(collection: Collection, query: ListQuery): ListPage<StoredObject> {
    return readPage(this.#index(collection), query)
  }

  listDue(queue: string, until: number, limit: number): StoredObject[] {
    const records: StoredObject[] = []
    const first = this.#queues.get(queue)?.first
    // Shortcut for the common case: this runs before every request, and seldom a record is due.
    if (first === undefined || first.at > until) return records
    for (const due of this.#queue(queue).ascending()) {
      if (due.at > until || records.length === limit) break
      records.push(getRecord(due.entry))
    }
    return records
  }

  /**
   * Applies the writes of a transaction in order, or none when one of them throws. Returns a function that undoes
   * them and restores `sequenceHead`, which the caller reads before it calls `sequenceEvents`.
   */
  apply(writes: readonly Write[], transaction: number, sequenceHead = this.#sequenceHead): () => void {
    const undos: (() => void)[] = []
    const undoAll = () => {
      for (const undo of undos.reverse()) undo()
      this.#sequenceHead = sequenceHead
    }
    try {
      for (const write of writes)
        undos.push(
          'put' in write ? this.put(write.put, transaction) : this.#remove(write.remove, transaction),
        )
    } catch (error) {
      undoAll()
      throw error
    }
    return undoAll
  }

  /** Stores a record, replacing the one with its id; returns a function that undoes it. */
  put(record: StoredObject, transaction = 0): () => void {
    const index = this.#index(collectionOf(record))
    const { changedBy: changedByBefore } = index
    const keys = index.keysOf(record)
    const old = index.entries.get(record.id)
    const { created, sortKey } = keys
    const next: IndexedRecordState = { record, created, sortKey, changedBy: transaction }
    if (old !== undefined) return this.#update(index, old, keys, next)
    index.changedBy = transaction
    const entry = this.#add(index, record.id, keys, next)
    return () => {
      this.#delete(index, entry)
      index.changedBy = changedByBefore
    }
  }

  /** Adds a record whose id is new; an event in the usual field order stays unparsed. */
  load(raw: RawRecord): void {
    const indexedFields = raw.parseIndexedFields()
    const record = indexedFields ?? raw.parse()
    const index = this.#index(collectionOf(record))
    const keys = index.keysOf(record)
    const stored = indexedFields === null ? record : raw
    const { created, sortKey } = keys
    this.#add(index, record.id, keys, { record: stored, created, sortKey, changedBy: 0 })
  }

  #add(index: CollectionIndex, id: string, keys: IndexKeys, state: IndexedRecordState): IndexedRecord {
    this.#order += 1
    const { record, created, sortKey, changedBy } = state
    const entry = { record, created, sortKey, order: this.#order, insertedBy: changedBy, changedBy }
    this.#insert(index, entry, id, keys)
    return entry
  }

  #update(index: CollectionIndex, entry: IndexedRecord, to: IndexKeys, next: IndexedRecordState): () => void {
    const record = getRecord(entry)
    const from = index.keysOf(record)
    const { created, sortKey, changedBy } = entry
    const before = { record, created, sortKey, changedBy }
    const { changedBy: changedByBefore } = index
    index.changedBy = next.changedBy
    this.#move(index, entry, { from, to, next })
    return () => {
      this.#move(index, entry, { from: to, to: from, next: before })
      index.changedBy = changedByBefore
    }
  }

  #remove(record: StoredObject, transaction: number): () => void {
    const index = this.#index(collectionOf(record))
    const { changedBy: changedByBefore } = index
    const entry = index.entries.get(record.id)
    if (entry) this.#delete(index, entry)
    index.changedBy = transaction
    if (index.removals.size >= MAX_TRACKED_REMOVALS) {
      index.removals.clear()
      index.newestPrunedRemoval = transaction
    }
    index.removals.set(record.id, transaction)
    return () => {
      index.removals.delete(record.id)
      index.changedBy = changedByBefore
      if (entry !== undefined) this.#insert(index, entry, record.id, index.keysOf(getRecord(entry)))
    }
  }

  #insert(index: CollectionIndex, entry: IndexedRecord, id: string, keys: IndexKeys): void {
    index.entries.shardFor(id).set(id, entry)
    index.byInsertion.insert(entry)
    this.#move(index, entry, { from: null, to: keys })
  }

  #delete(index: CollectionIndex, entry: IndexedRecord): void {
    const record = getRecord(entry)
    this.#move(index, entry, { from: index.keysOf(record), to: null })
    index.byInsertion.remove(entry)
    index.entries.shardFor(record.id).delete(record.id)
  }

  /** Moves an entry in all indexes and due queues, as `CollectionIndex.move`. */
  #move(
    index: CollectionIndex,
    entry: IndexedRecord,
    {
      from,
      to,
      next = null,
    }: {
      readonly from: IndexKeys | null
      readonly to: IndexKeys | null
      readonly next?: IndexedRecordState | null
    },
  ): void {
    index.move(entry, from, to, next)
    const [before, after] = [from?.deadline ?? null, to?.deadline ?? null]
    if (isSameDeadline(before, after)) return
    const { collectionPosition: collection } = index
    if (before) this.#queue(before.queue).remove({ ...before, entry, collection })
    if (after) this.#queue(after.queue).insert({ ...after, entry, collection })
  }

  #findLastCreated(): number {
    for (const { record } of this.#index('events').byInsertion.descending()) {
      const event = (
        record instanceof RawRecord ? (record.parseIndexedFields() ?? record.parse()) : record
      ) as Event
      if (event.test_clock === null) return event.created
    }
    return 0
  }

  *#entries(collection: Collection): Generator<IndexedRecord> {
    const last = this.#order
    const { byInsertion } = this.#index(collection)
    // Copies one chunk at a time, because the list changes while the consumer of this generator pauses.
    let chunk = byInsertion.nextChunk(undefined)
    for (; chunk.length > 0; chunk = byInsertion.nextChunk(chunk.at(-1))) {
      for (const entry of chunk) {
        if (entry.order > last) return
        yield entry
      }
    }
  }

  #queue(name: string): SortedList<DueEntry> {
    const queue = this.#queues.get(name) ?? new SortedList(byDeadline)
    this.#queues.set(name, queue)
    return queue
  }

  #index(collection: Collection): CollectionIndex {
    const index = this.#collections.get(collection)
    if (index === undefined) throw new Error(`Unknown collection '${collection}'`)
    return index
  }
}

function isSameDeadline(a: Deadline | null, b: Deadline | null): boolean {
  return a === b || (a !== null && a.queue === b?.queue && a.at === b.at && a.rank === b.rank)
}
