import type { DomainError } from '../../domain/core/domain-error.ts'
import { COLLECTION_NAMES, type CollectionName } from '../port/collections.ts'
import type {
  Commit,
  CommitResult,
  ListQuery,
  Store,
  StoreReader,
  TransactionWork,
  Write,
} from '../port/store.ts'
import type { MemoryRecords } from './memory-records.ts'
import { parseContents, type UnparsedContents } from './parse-contents.ts'
import type { SliceScheduling } from './slices.ts'

/** A transaction that is applied in memory and not durable yet; `undo` reverts it. */
export interface AppliedTransaction {
  readonly writes: readonly Write[]
  readonly undo: () => void
}

/** Makes the transactions of an in-process store durable. Transactions have consecutive numbers. */
export interface TransactionPersistence {
  /** Returns the number of the next transaction. */
  nextTransaction(): number
  /** Accepts a transaction immediately; resolves when it is durable, and rejects after undoing it. May throw. */
  persist(transaction: AppliedTransaction): Promise<void>
  isDurable(transaction: number): boolean
  /** Resolves with true when a transaction is durable, and with false when it was undone. */
  waitUntilSettled(transaction: number): Promise<boolean>
  /** Returns the error of every write until the next start, or null while writes are possible. */
  failure?(): DomainError | null
  /** Splits long work into slices. */
  readonly scheduling: SliceScheduling
  close(): Promise<void>
}

/**
 * Creates a store over records in memory. The store runs one transaction at a time, and returns results only once they
 * are durable.
 */
export function createRecordStore(records: MemoryRecords, durability: TransactionPersistence): Store {
  const queue = createTransactionQueue(records, durability)
  let closing: Promise<void> | null = null

  // Waits until the data of a read is durable, and reads again if the data was undone.
  async function readDurable<T>(read: (reader: StoreReader) => Promise<T>): Promise<T> {
    for (;;) {
      const tracked = trackReads(records, durability.scheduling, false)
      const result = read(tracked.reader)
      // Do not await before this line, because the data could be undone unnoticed in the meantime.
      const newest = tracked.newestTransaction()
      if (durability.isDurable(newest) || (await durability.waitUntilSettled(newest))) return result
    }
  }

  async function transact<R>(work: TransactionWork<R>): Promise<CommitResult<R>> {
    for (;;) {
      if (closing) throw new Error('The store is closed, so nothing can be stored.')
      const { isKept, finish } = await queue.run(work)
      if (await isKept) return finish()
    }
  }

  // Reads every collection in a transaction: no other transaction changes the records, and the copy waits until all its
  // data is durable.
  async function captureRecords(reader: StoreReader): Promise<Commit<UnparsedContents>> {
    for (const name of COLLECTION_NAMES) await reader.count(name)
    return { result: records.collect(), writes: [], events: [] }
  }

  return {
    // Requests and deliveries read most records by id, so this method avoids the cost of a reader.
    async get<C extends CollectionName>(collection: C, id: string) {
      for (;;) {
        const { record, transaction } = records.getWithTransaction(collection, id)
        if (durability.isDurable(transaction) || (await durability.waitUntilSettled(transaction)))
          return record
      }
    },
    async list(collection, query) {
      const read = () => readDurable((reader) => reader.list(collection, query))
      // Prepare the index before the read, because a read must not pause before it tracks its transactions.
      return records.prepareList(collection, query, durability.scheduling)?.then(read) ?? read()
    },
    listDue: async (queue, until, limit) => records.listDue(queue, until, limit),
    listOldest: (collection, limit, after) =>
      readDurable((reader) => reader.listOldest(collection, limit, after)),
    count: (collection) => readDurable((reader) => reader.count(collection)),
    newestSequence: async () => records.sequence,
    nextDeadline: async () => records.nextDeadline(),
    capture: async () => parseContents((await transact(captureRecords)).result, durability.scheduling),
    usage: () => records.usage,
    failure: () => durability.failure?.() ?? null,
    transact,
    close() {
      closing ??= queue.waitUntilIdle().then(() => durability.close())
      return closing
    },
  }
}

/**
 * Creates a reader that tracks the newest transaction on which its results depend. The reader of a transaction yields
 * to the event loop before each further page of a list.
 */
function trackReads(records: MemoryRecords, scheduling: SliceScheduling, isInTransaction: boolean) {
  let newest = 0

  // A list also depends on absent records, and therefore on every change to the collection.
  function trackAll(collection: CollectionName): void {
    newest = Math.max(newest, records.lastTransaction(collection))
  }

  const reader: StoreReader = {
    async get<C extends CollectionName>(collection: C, id: string) {
      const { record, transaction } = records.getWithTransaction(collection, id)
      newest = Math.max(newest, transaction)
      return record
    },
    async list<C extends CollectionName>(collection: C, query: ListQuery) {
      if (isInTransaction && query.starting_after !== undefined) await scheduling.yieldToEventLoop()
      const preparing = records.prepareList(collection, query, scheduling)
      if (preparing !== null) await preparing
      trackAll(collection)
      return records.list(collection, query)
    },
    listDue: async (queue, until, limit) => records.listDue(queue, until, limit),
    async listOldest<C extends CollectionName>(collection: C, limit: number, after?: string) {
      trackAll(collection)
      return records.listOldest(collection, limit, after)
    },
    async count(collection) {
      trackAll(collection)
      return records.count(collection)
    },
    newestSequence: async () => records.sequence,
  }
  return { reader, newestTransaction: () => newest }
}

interface TransactionOutcome<R> {
  /** Resolves with false when this transaction or one of its dependencies was undone. */
  readonly isKept: Promise<boolean>
  /** Returns the result of the transaction, or throws its error. */
  readonly finish: () => CommitResult<R>
}

// Runs one transaction at a time, and repeats a transaction if data that it may have read was undone.
function createTransactionQueue(records: MemoryRecords, durability: TransactionPersistence) {
  let last: Promise<unknown> = Promise.resolve()
  let undoCount = 0

  function apply<R>(commit: Commit<R>, newestRead: number): TransactionOutcome<R> {
    const { sequenceHead } = records
    const events = records.sequenceEvents(commit.events)
    const writes = [...commit.writes, ...events.map((event) => ({ put: event }))]
    const finish = () => ({ result: commit.result, events })
    // The transaction stores nothing, but its result may depend on data that is not durable yet.
    if (writes.length === 0) return { finish, isKept: durability.waitUntilSettled(newestRead) }
    const undoWrites = records.apply(writes, durability.nextTransaction(), sequenceHead)
    const undo = () => {
      undoCount += 1
      undoWrites()
    }
    try {
      return { finish, isKept: durability.persist({ writes, undo }).then(() => true) }
    } catch (error) {
      undoWrites()
      throw error
    }
  }

  async function attempt<R>(work: TransactionWork<R>): Promise<TransactionOutcome<R>> {
    for (;;) {
      const undoCountBefore = undoCount
      const { reader, newestTransaction } = trackReads(records, durability.scheduling, true)
      try {
        const commit = await work(reader)
        if (undoCountBefore === undoCount) return apply(commit, newestTransaction())
      } catch (error) {
        const finish = () => {
          throw error
        }
        // Wait before throwing, because the error may depend on data that is not durable yet.
        if (undoCountBefore === undoCount)
          return { finish, isKept: durability.waitUntilSettled(newestTransaction()) }
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
