import type { DomainError } from '../../domain/domain-error.ts'
import type { Collection, Collections } from '../port/collections.ts'
import type {
  Commit,
  CommitResult,
  ListPage,
  ListQuery,
  Store,
  StoreReader,
  TransactionWork,
  Write,
} from '../port/store.ts'
import type { Records } from './records.ts'

/** A transaction that is applied in memory and not durable yet; `undo` reverts it. */
export interface AppliedTransaction {
  readonly writes: readonly Write[]
  readonly undo: () => void
}

/** Makes the transactions of an in-process store durable. Transactions have consecutive numbers. */
export interface Durability {
  /** Returns the number of the next transaction. */
  nextTransaction(): number
  /** Accepts a transaction at once; resolves when it is durable, rejects after undoing it. May throw. */
  persist(transaction: AppliedTransaction): Promise<void>
  isDurable(transaction: number): boolean
  /** Resolves with true when a transaction is durable, and with false when it was undone. */
  waitUntilSettled(transaction: number): Promise<boolean>
  /** Returns the error that every write fails with until the next start, or null. */
  failure?(): DomainError | null
  close(): Promise<void>
}

/** Creates a store over records in memory. It runs one transaction at a time; results wait until they are durable. */
export function createRecordStore(records: Records, durability: Durability): Store {
  const queue = createTransactionQueue(records, durability)
  let closing: Promise<void> | null = null

  // A read of data that is not durable yet waits, and is repeated when that data was undone.
  async function readDurable<T>(read: (reader: TrackedReader) => T): Promise<T> {
    for (;;) {
      const reader = new TrackedReader(records)
      const result = read(reader)
      if (
        durability.isDurable(reader.newestTransaction) ||
        (await durability.waitUntilSettled(reader.newestTransaction))
      )
        return result
    }
  }

  return {
    get: (collection, id) => readDurable((reader) => reader.get(collection, id)),
    list: (collection, query) => readDurable((reader) => reader.list(collection, query)),
    listDue: async (queue, until, limit) => records.listDue(queue, until, limit),
    listOldest: (collection, limit, after) =>
      readDurable((reader) => reader.listOldest(collection, limit, after)),
    count: (collection) => readDurable((reader) => reader.count(collection)),
    newestSequence: async () => records.sequence,
    failure: () => durability.failure?.() ?? null,
    async transact<R>(work: TransactionWork<R>): Promise<CommitResult<R>> {
      for (;;) {
        if (closing) throw new Error('The store is closed, so nothing can be stored.')
        const outcome = await queue.run(work)
        if ('result' in outcome) {
          if (await outcome.isKept) return outcome.result
        } else if (await outcome.isKept) throw outcome.error
      }
    },
    close() {
      closing ??= queue.waitUntilIdle().then(() => durability.close())
      return closing
    },
  }
}

/** Reads records and keeps the number of the newest transaction that the results depend on. */
class TrackedReader {
  newestTransaction = 0
  readonly #records: Records

  constructor(records: Records) {
    this.#records = records
  }

  get<C extends Collection>(collection: C, id: string): Collections[C] | null {
    const { record, transaction } = this.#records.getWithTransaction(collection, id)
    this.newestTransaction = Math.max(this.newestTransaction, transaction)
    return record as Collections[C] | null
  }

  list<C extends Collection>(collection: C, query: ListQuery): ListPage<Collections[C]> {
    this.#track(collection)
    return this.#records.list(collection, query) as ListPage<Collections[C]>
  }

  listOldest<C extends Collection>(collection: C, limit: number, after?: string): Collections[C][] {
    this.#track(collection)
    return this.#records.listOldest(collection, limit, after) as Collections[C][]
  }

  count(collection: Collection): number {
    this.#track(collection)
    return this.#records.count(collection)
  }

  // A list also depends on the records that are missing from it, so on every change to the collection.
  #track(collection: Collection): void {
    this.newestTransaction = Math.max(this.newestTransaction, this.#records.lastTransaction(collection))
  }
}

function createReader(records: Records, reader: TrackedReader): StoreReader {
  return {
    get: async (collection, id) => reader.get(collection, id),
    list: async (collection, query) => reader.list(collection, query),
    listDue: async (queue, until, limit) => records.listDue(queue, until, limit),
    listOldest: async (collection, limit, after) => reader.listOldest(collection, limit, after),
    count: async (collection) => reader.count(collection),
    newestSequence: async () => records.sequence,
  }
}

/** `isKept` resolves with false when the transaction, or one that it depends on, was undone. */
type TransactionOutcome<R> =
  | { readonly result: CommitResult<R>; readonly isKept: Promise<boolean> }
  | { readonly error: unknown; readonly isKept: Promise<boolean> }

// Runs one transaction at a time, and repeats one when data that it may have read was undone.
function createTransactionQueue(records: Records, durability: Durability) {
  let last: Promise<unknown> = Promise.resolve()
  let undoCount = 0

  function apply<R>(commit: Commit<R>, reader: TrackedReader): TransactionOutcome<R> {
    const { sequenceHead } = records
    const events = records.sequenceEvents(commit.events)
    const writes = [...commit.writes, ...events.map((event) => ({ put: event }))]
    const result = { result: commit.result, events }
    // The transaction stores nothing, but its result may depend on data that is not durable yet.
    if (writes.length === 0) return { result, isKept: durability.waitUntilSettled(reader.newestTransaction) }
    const undoWrites = records.apply(writes, durability.nextTransaction(), sequenceHead)
    const undo = () => {
      undoCount += 1
      undoWrites()
    }
    try {
      const persisted = durability.persist({ writes, undo })
      return { result, isKept: persisted.then(() => true) }
    } catch (error) {
      undoWrites()
      throw error
    }
  }

  async function attempt<R>(work: TransactionWork<R>): Promise<TransactionOutcome<R>> {
    for (;;) {
      const undoCountBefore = undoCount
      const reader = new TrackedReader(records)
      try {
        const commit = await work(createReader(records, reader))
        if (undoCountBefore === undoCount) return apply(commit, reader)
      } catch (error) {
        // The error may depend on data that is not durable yet.
        if (undoCountBefore === undoCount)
          return { error, isKept: durability.waitUntilSettled(reader.newestTransaction) }
      }
    }
  }

  return {
    run<R>(work: TransactionWork<R>): Promise<TransactionOutcome<R>> {
      const outcome = last.then(() => attempt(work))
      last = outcome
      return outcome
    },
    async waitUntilIdle(): Promise<void> {
      await last
    },
  }
}
