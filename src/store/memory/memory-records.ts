import type { StoredObject } from '../../domain/core/changes.ts'
import type { Event, UnsequencedEvent } from '../../domain/events/events.ts'
import { findDeadline, hasDeadlines } from '../../domain/schedule/deadlines.ts'
import { estimateJsonBytes } from '../../domain/text/json-bytes.ts'
import {
  COLLECTION_NAMES,
  type CollectionName,
  type CollectionRecordTypes,
  getCollectionName,
} from '../port/collections.ts'
import { assignSequenceNumbers, type SequenceHead } from '../port/event-sequence.ts'
import type { ListPage, ListQuery, StoreContents, StoreUsage, Write } from '../port/store.ts'
import { CollectionIndex, type RecordVersion } from './collection-index.ts'
import { DueQueues } from './due-queues.ts'
import { findNumberField, getRecord, type IndexedRecord } from './indexed-record.ts'
import { readIndexPage } from './paging.ts'
import type { UnparsedContents } from './parse-contents.ts'
import { RawRecord } from './raw-record.ts'
import type { SliceScheduling } from './slices.ts'

const EMPTY: ReadonlyMap<CollectionName, CollectionIndex> = new Map(
  COLLECTION_NAMES.map((name) => [name, new CollectionIndex(name)]),
)

/** Holds all records and indexes of an in-process store. Changes are synchronous and return a function that undoes them. */
export class MemoryRecords {
  // A collection gets its index with the first record, because most collections of most sandboxes stay empty.
  readonly #collections = new Map<CollectionName, CollectionIndex>()
  readonly #due = new DueQueues()
  #order = 0
  #count = 0
  #bytes = 0
  #sequenceHead: Readonly<SequenceHead> = { sequence: 0, lastCreated: 0 }

  /** The number of records in all collections, and the approximate size of their JSON texts in bytes. */
  get usage(): StoreUsage {
    return { records: this.#count, bytes: this.#bytes }
  }

  /** Sequence number of the newest stored event. */
  get sequence(): number {
    return this.#sequenceHead.sequence
  }

  get sequenceHead(): Readonly<SequenceHead> {
    return this.#sequenceHead
  }

  /** Continues the sequence of a loaded database. */
  resumeSequence(sequence: number): void {
    this.#sequenceHead = { ...this.#sequenceHead, sequence }
  }

  /** Assigns sequence numbers to events; the caller stores them as records. */
  sequenceEvents(events: readonly UnsequencedEvent[]): Event[] {
    if (events.length === 0) return []
    const sequenced = assignSequenceNumbers(events, this.#sequenceHead)
    this.#sequenceHead = sequenced.head
    return sequenced.events
  }

  get<C extends CollectionName>(collection: C, id: string): CollectionRecordTypes[C] | null {
    return this.getWithTransaction(collection, id).record
  }

  /**
   * Returns a record or null, and the number of the transaction that last changed the record (0 for a loaded record).
   * For a missing record, the number is that of the last removal in the collection, which may have removed the record.
   */
  getWithTransaction<C extends CollectionName>(collection: C, id: string) {
    const index = this.#index(collection)
    const entry = index.entries.get(id)
    if (entry !== undefined)
      return { record: getRecord(entry) as CollectionRecordTypes[C], transaction: entry.changedBy }
    // Only removals matter. If insertions counted, each lookup of a new idempotency key would wait for earlier keys.
    return { record: null, transaction: index.removedBy }
  }

  /** Yields the records of a collection, oldest first, without records inserted during the iteration. */
  *all<C extends CollectionName>(collection: C): Generator<CollectionRecordTypes[C]> {
    for (const entry of this.#entries(collection)) yield getRecord(entry) as CollectionRecordTypes[C]
  }

  /**
   * Yields the JSON text of each record that was inserted by `transaction` or before, oldest first. A record that was
   * removed and inserted again counts as inserted by the later transaction.
   */
  *jsonTexts(collection: CollectionName, transaction: number): Generator<string> {
    for (const { record, insertedBy } of this.#entries(collection)) {
      if (insertedBy > transaction) return
      yield record instanceof RawRecord ? record.text : JSON.stringify(record)
    }
  }

  /** Returns the number of the transaction that last changed a collection. */
  lastTransaction(collection: CollectionName): number {
    return this.#index(collection).changedBy
  }

  count(collection: CollectionName): number {
    return this.#index(collection).byInsertion.size
  }

  listOldest<C extends CollectionName>(collection: C, limit: number, after?: string) {
    const { entries, byInsertion } = this.#index(collection)
    const start = after === undefined ? undefined : entries.get(after)
    const records: CollectionRecordTypes[C][] = []
    for (const entry of byInsertion.ascending(start)) {
      if (records.length === limit) break
      if (entry === start) continue
      records.push(getRecord(entry) as CollectionRecordTypes[C])
    }
    return records
  }

  /** Completes the indexes that a list needs, in slices; returns null when they are complete. */
  prepareList(
    collection: CollectionName,
    query: ListQuery,
    scheduling: SliceScheduling,
  ): Promise<void> | null {
    return this.#index(collection).prepareList(query, scheduling)
  }

  list<C extends CollectionName>(collection: C, query: ListQuery) {
    return readIndexPage(this.#index(collection), query) as ListPage<CollectionRecordTypes[C]>
  }

  /** Returns the next deadline of all queues in real time, in Unix seconds, or null. */
  nextDeadline(): number | null {
    return this.#due.nextDeadline()
  }

  /** Returns all records, in insertion order. */
  capture(): StoreContents {
    const records = COLLECTION_NAMES.map((name) => [name, [...this.all(name)]])
    return { records: Object.fromEntries(records) as StoreContents['records'], sequence: this.sequence }
  }

  /** Returns all records like `capture`, but does not parse records that were never read. */
  collect(): UnparsedContents {
    const records = COLLECTION_NAMES.map((name) => {
      const { byInsertion } = this.#index(name)
      // Allocate the whole array, because growing it would copy it repeatedly while other transactions wait.
      const all: UnparsedContents['records'][CollectionName] = new Array(byInsertion.size)
      let at = 0
      byInsertion.forEach(({ record }) => {
        all[at] = record
        at += 1
      })
      return [name, all]
    })
    return { records: Object.fromEntries(records), sequence: this.sequence }
  }

  listDue(queue: string, until: number, limit: number): StoredObject[] {
    return this.#due.listDue(queue, until, limit)
  }

  /**
   * Applies the writes of a transaction in order, or none of the writes if one throws. Returns a function that undoes
   * the writes and restores `sequenceHead`, which the caller reads before it calls `assignSequenceNumbers`.
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

  /** Stores a record and replaces the record with the same id; returns a function that undoes the change. */
  put(record: StoredObject, transaction = 0): () => void {
    const index = this.#writableIndex(getCollectionName(record))
    const state = index.stateOf(record, transaction, estimateJsonBytes(record))
    this.#advanceHead(record)
    return this.#change(index, record.id, state, transaction)
  }

  /** Adds a record whose id is new. The record stays unparsed if it has the usual field order and never a deadline. */
  load(raw: RawRecord): void {
    const keys = raw.parseKeys()
    const isRaw = keys !== null && !hasDeadlines(keys)
    const record = isRaw ? keys : raw.parse()
    this.append(getCollectionName(record), record, isRaw ? raw : record)
  }

  /** Adds a record whose id is new; `stored` may be the same record in another form. */
  append(collection: CollectionName, record: StoredObject, stored: StoredObject | RawRecord = record): void {
    const index = this.#writableIndex(collection)
    this.#advanceHead(record)
    const created = findNumberField(record, 'created')
    const entry = this.#createEntry({
      record: stored,
      created,
      sortKey: index.sortKeyOf(record),
      changedBy: 0,
      bytes: stored instanceof RawRecord ? stored.bytes : estimateJsonBytes(stored),
    })
    this.#count += 1
    this.#bytes += entry.bytes
    index.append(entry, record.id)
    this.#due.move({ entry, collection: index.layout.collectionPosition }, null, findDeadline(record))
  }

  // Advances the head to the numbers of a stored event, and ignores invalid numbers of a damaged database.
  #advanceHead(record: StoredObject): void {
    if (record.object !== 'event') return
    const { sequence, created, test_clock } = record as Event
    const head = this.#sequenceHead
    const isInRealTime = test_clock === null && Number.isSafeInteger(created)
    this.#sequenceHead = {
      sequence: Number.isSafeInteger(sequence) ? Math.max(head.sequence, sequence) : head.sequence,
      lastCreated: isInRealTime ? Math.max(head.lastCreated, created) : head.lastCreated,
    }
  }

  #remove({ id, object }: StoredObject, transaction: number): () => void {
    return this.#change(this.#writableIndex(getCollectionName({ object })), id, null, transaction)
  }

  #createEntry(state: Omit<IndexedRecord, 'order' | 'insertedBy'>): IndexedRecord {
    const { record, created, sortKey, changedBy, bytes } = state
    this.#order += 1
    return { record, created, sortKey, order: this.#order, insertedBy: changedBy, changedBy, bytes }
  }

  /** Stores a state of a record, or removes the record for null; returns a function that undoes the change. */
  #change(index: CollectionIndex, id: string, to: RecordVersion | null, transaction: number): () => void {
    const old = index.entries.get(id)
    const entry = old ?? (to === null ? null : this.#createEntry(to))
    if (entry === null) return () => {}
    const from = old === undefined ? null : index.stateOf(getRecord(old), old.changedBy, old.bytes)
    const { changedBy, removedBy } = index
    index.changedBy = transaction
    if (to === null) index.removedBy = transaction
    this.#move(index, entry, from, to)
    return () => {
      Object.assign(index, { changedBy, removedBy })
      this.#move(index, entry, to, from)
    }
  }

  /** Moves an entry in the indexes of its collection and in the due queues; see `CollectionIndex.move`. */
  #move(
    index: CollectionIndex,
    entry: IndexedRecord,
    from: RecordVersion | null,
    to: RecordVersion | null,
  ): void {
    this.#count += Number(to !== null) - Number(from !== null)
    this.#bytes += (to?.bytes ?? 0) - (from?.bytes ?? 0)
    index.move(entry, from, to)
    const queued = { entry, collection: index.layout.collectionPosition }
    this.#due.move(queued, from?.deadline ?? null, to?.deadline ?? null)
  }

  *#entries(collection: CollectionName): Generator<IndexedRecord> {
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

  /** Returns the index of a collection for reading; collections that never had a record share an empty index. */
  #index(collection: CollectionName): CollectionIndex {
    const index = this.#collections.get(collection) ?? EMPTY.get(collection)
    if (index === undefined) throw new Error(`Unknown collection '${collection}'`)
    return index
  }

  #writableIndex(collection: CollectionName): CollectionIndex {
    const index = this.#collections.get(collection) ?? new CollectionIndex(collection)
    this.#collections.set(collection, index)
    return index
  }
}
