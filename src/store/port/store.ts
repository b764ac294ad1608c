import type { StoredObject } from '../../domain/core/changes.ts'
import type { DomainError } from '../../domain/core/domain-error.ts'
import type { RangeBounds } from '../../domain/core/range-bounds.ts'
import type { Event, UnsequencedEvent } from '../../domain/events/events.ts'
import type { CollectionName, CollectionRecordTypes } from './collections.ts'

export interface RangeFilter extends RangeBounds {
  readonly field: string
}

/**
 * Selects one page of a list. A filter with several values matches records with any of these values. Cursors are ids of
 * listed records and are not part of the page.
 */
export interface ListQuery {
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  readonly ranges?: readonly RangeFilter[]
  readonly limit: number
  readonly starting_after?: string
  readonly ending_before?: string
}

export interface ListPage<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** Read access to the store. Returned records are the stored objects: never modify them. */
export interface StoreReader {
  /** Returns the record with this id, or null. */
  get<C extends CollectionName>(collection: C, id: string): Promise<CollectionRecordTypes[C] | null>
  /**
   * Returns a page, newest first. Events are sorted by `sequence`, other records by insertion. Records without
   * `created` are never listed.
   */
  list<C extends CollectionName>(collection: C, query: ListQuery): Promise<ListPage<CollectionRecordTypes[C]>>
  /** Returns the due records of a queue up to `until` (Unix seconds), sorted by time, rank, collection, then insertion. */
  listDue(queue: string, until: number, limit: number): Promise<readonly StoredObject[]>
  /** Returns records in insertion order, including unlisted records, starting after the record with the id `after`. */
  listOldest<C extends CollectionName>(
    collection: C,
    limit: number,
    after?: string,
  ): Promise<readonly CollectionRecordTypes[C][]>
  /** Returns the number of records in a collection, including unlisted records. */
  count(collection: CollectionName): Promise<number>
  /** Returns the sequence number of the newest event, or 0 before the first event. */
  newestSequence(): Promise<number>
}

export type Write = { readonly put: StoredObject } | { readonly remove: StoredObject }

/**
 * The changes of one transaction. Events get the next numbers of the one gapless sequence, in the given order. The
 * `created` of an event without a test clock is never earlier than that of the previous event.
 */
export interface Commit<R> {
  readonly result: R
  readonly writes: readonly Write[]
  readonly events: readonly UnsequencedEvent[]
}

/** Reads records and decides the changes of a transaction. Must have no side effects, because it may run repeatedly. */
export type TransactionWork<R> = (reader: StoreReader) => Promise<Commit<R>>

export interface CommitResult<R> {
  readonly result: R
  readonly events: readonly Event[]
}

/**
 * Starts a sample of the store's clock, before the query that reads it. Call the returned function with the clock time,
 * in Unix milliseconds, when the response arrives.
 */
export type StartClockSample = () => (storeMs: number) => void

/** Coordinates the processes that share one store. All durations are in seconds of the store's clock. */
export interface ProcessCoordinator {
  /** Registers this process for `seconds` and returns the number of registered processes, including this process. */
  heartbeat(seconds: number): Promise<number>
  /**
   * Leases up to `limit` of the names to this process for `seconds`. Returns the leased names; another process may hold
   * the other names. A repeated call renews the leases.
   */
  acquireLeases(names: readonly string[], seconds: number, limit?: number): Promise<readonly string[]>
  /** Ends leases of this process before they expire. */
  releaseLeases(names: readonly string[]): Promise<void>
  /** Announces names for `seconds`; 0 withdraws these names. Several processes may announce the same name. */
  announcePresence(names: readonly string[], seconds: number): Promise<void>
  /** Returns the names that another process has announced. */
  findAnnouncedElsewhere(names: readonly string[]): Promise<readonly string[]>
  /** Returns false when the database is a read-only replica; rejects when the database cannot be reached. */
  isWritable(): Promise<boolean>
  /** Returns a warning that requests wait because the database allows too few connections, or null. */
  connectionShortage(): string | null
  /**
   * Calls `listener` after another process changed the store; several changes may cause one call. `mayBeDue` is false
   * when the other process stored no record with a deadline in real time and replaced no contents.
   */
  onChange(listener: (mayBeDue: boolean) => void): void
}

/** The size of the contents of a store. */
export interface StoreUsage {
  /** The number of records in all collections. */
  readonly records: number
  /** Approximate size of the JSON texts of the records, in bytes. */
  readonly bytes: number
}

/** A consistent copy of all records of a store. */
export interface StoreContents {
  /** The records of each collection in insertion order. The records are the stored objects: never modify them. */
  readonly records: { readonly [C in CollectionName]: readonly CollectionRecordTypes[C][] }
  /** Sequence number of the newest event. */
  readonly sequence: number
}

/** The storage interface. Every backend passes the suite in `test/store/port/conformance.ts`. */
export interface Store extends StoreReader {
  /** Coordinates the processes that share the store; undefined when only one process can open it. */
  readonly coordinator?: ProcessCoordinator
  /** Returns a copy of all durable records at one point in time. */
  capture(): Promise<StoreContents>
  /**
   * Returns the size of the contents. A store of one process counts exactly; a shared store returns its last count plus
   * the later writes of this process.
   */
  usage(): StoreUsage
  /** Counts the contents again; only stores that several processes share implement this method. */
  measureUsage?(): Promise<void>
  /**
   * Returns the next deadline of all queues in real time, in Unix seconds, or null; excludes deadlines of test clocks.
   */
  nextDeadline(): Promise<number | null>
  /** Returns the error with which every write fails until the next start, or null. */
  failure?(): DomainError | null
  /**
   * Runs `work` in a serializable transaction and stores the returned changes, or nothing when `work` throws. Resolves
   * when the result is durable.
   */
  transact<R>(work: TransactionWork<R>): Promise<CommitResult<R>>
  /**
   * Finishes running transactions and rejects later transactions. Resolves when everything is durable and another
   * process can open the files.
   */
  close(): Promise<void>
}
