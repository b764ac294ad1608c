import type { Stored } from '../../domain/changes.ts'
import type { DomainError } from '../../domain/domain-error.ts'
import type { Event, UnsequencedEvent } from '../../domain/events.ts'
import type { Collection, Collections } from './collections.ts'

export interface Range {
  readonly field: string
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
}

/** One page of a list, newest first. Cursors are ids of listed records and exclusive; several values mean any of them. */
export interface Query {
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  readonly ranges?: readonly Range[]
  readonly limit: number
  readonly starting_after?: string
  readonly ending_before?: string
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** What rules may read. Records are handed out as they are kept and must not be changed. */
export interface Reader {
  /** The record of that id, or null. */
  get<C extends Collection>(collection: C, id: string): Promise<Collections[C] | null>
  /**
   * A page in list order, newest first: by `sequence` for events, for others by `created`, then insertion. Records
   * without `created` are never listed.
   */
  list<C extends Collection>(collection: C, query: Query): Promise<Page<Collections[C]>>
  /** Records of a queue due at or before `until` (Unix seconds), by time, rank, collection, then insertion. */
  due(queue: string, until: number, limit: number): Promise<readonly Stored[]>
  /** The records that were put first, in that order, whether listed or not; those put behind the one of an id, if given. */
  oldest<C extends Collection>(
    collection: C,
    limit: number,
    after?: string,
  ): Promise<readonly Collections[C][]>
  /** How many records a collection holds, whether listed or not. */
  count(collection: Collection): Promise<number>
  /** The number of the newest event, 0 before the first. */
  newestSequence(): Promise<number>
}

export type Write = { readonly put: Stored } | { readonly remove: Stored }

/** All that one trigger changes. Events get the next numbers of the one gapless sequence, in the given order; those of real time are `created` no earlier than the one before. */
export interface Commit<R> {
  readonly result: R
  readonly writes: readonly Write[]
  readonly events: readonly UnsequencedEvent[]
}

export interface Committed<R> {
  readonly result: R
  readonly events: readonly Event[]
}

/**
 * Begins a measurement of the store's clock before it is asked; call the result with what that clock showed, in
 * milliseconds since 1970, as soon as the response arrives.
 */
export type MeasureTime = () => (storeMs: number) => void

/** What several processes at one store need of each other; all times in seconds of the store's own clock. */
export interface Sharing {
  /** Says for so long that this process is there, and resolves with how many are, itself included. */
  attend(seconds: number): Promise<number>
  /**
   * Takes names for itself for so long, and resolves with those it has now, `most` of them at the most; of the rest
   * others may have some. Asking again in time keeps them.
   */
  take(names: readonly string[], seconds: number, most?: number): Promise<readonly string[]>
  /** Gives names back before their time. */
  release(names: readonly string[]): Promise<void>
  /** Says for so long that this process does something that others may do too; 0 takes it back. */
  announce(names: readonly string[], seconds: number): Promise<void>
  /** Which of the names another process has announced. */
  announcedElsewhere(names: readonly string[]): Promise<readonly string[]>
  /** Whether changes can be stored now: the server may have become a copy that only reads. Rejects when it is away. */
  isWritable(): Promise<boolean>
  /** Says that requests wait because the server gives too few connections; null while it gives enough. */
  shortage(): string | null
  /** Hears of changes that another process has made; some may come as one. */
  onChange(hear: () => void): void
}

/**
 * Where everything is kept. Every backend passes the suite in `test/store/port/conformance.ts`.
 */
export interface Store extends Reader {
  /** What other processes do at the same store; a store without it has no other. */
  readonly sharing?: Sharing
  /** Returns why nothing can be stored until the next start, or null. */
  failure?(): DomainError | null
  /**
   * Runs `work` as if it were alone and stores all it returns, or, when it throws, nothing. Resolves when the outcome
   * would survive a crash. `work` only reads, and may run more than once.
   */
  transact<R>(work: (reader: Reader) => Promise<Commit<R>>): Promise<Committed<R>>
  /**
   * Resolves when everything is on disk and the files are free for another process. Transactions that are under way are
   * finished first, later ones are refused.
   */
  close(): Promise<void>
}
