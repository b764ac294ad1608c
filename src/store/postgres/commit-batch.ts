import { hasRealTimeDeadline } from '../../domain/schedule/deadlines.ts'
import { type CollectionName, type CollectionRecordTypes, getCollectionName } from '../port/collections.ts'
import { assignSequenceNumbers } from '../port/event-sequence.ts'
import type { Commit, CommitResult, StoreReader, TransactionWork, Write } from '../port/store.ts'
import { createCachingReader, type ReadCache, trimReadCache } from './caching-reader.ts'
import {
  createHeadTransaction,
  HeadConflictError,
  type HeadTransaction,
  lockHead,
} from './head-transaction.ts'
import type { BorrowedConnection } from './postgres-connection.ts'
import { createReader } from './postgres-reader.ts'
import type { HeadNumbers } from './postgres-writes.ts'
import type { StoreProcessContext } from './store-process.ts'

/** A queued transaction and the callbacks of its promise. */
export interface QueuedTransaction {
  readonly work: TransactionWork<unknown>
  readonly resolve: (result: CommitResult<unknown>) => void
  readonly reject: (error: unknown) => void
  /** Number of failed attempts. */
  attempts: number
}

/** The sandbox of a commit queue, with the callback after its commits. */
export interface SandboxWithCommitCallback {
  readonly id: string
  /** Called after each commit, even if its outcome is unknown, before its transactions resolve or reject. */
  readonly onCommit: (changes: CommittedChanges) => void
}

/** The changes of a batch. */
export interface CommittedChanges {
  readonly writes: readonly Write[]
  /** Whether a stored record may have a deadline in real time. */
  readonly mayBeDue: boolean
  /** Whether the changes may be stored later or never, because a commit failed. */
  readonly isOutcomeUnknown: boolean
}

/** The head of a sandbox after the last commit of this process. */
export interface KnownHead extends HeadNumbers {
  /** Number of consecutive batches of this process without a commit of another process between them. */
  readonly undisturbed: number
  /** Results of reads, which are valid as long as this head is the newest. */
  readonly cache: ReadCache
}

/**
 * After this number of undisturbed batches, the head is probably still the newest. The number is high, because a wrong
 * guess costs a second run of the batch. While several processes commit, some commits of one process follow one another
 * by chance.
 */
const LEAST_UNDISTURBED = 8

/** Several transactions of the store that are committed together. */
export type CommitBatch = Awaited<ReturnType<typeof beginCommitBatch>>

/**
 * Begins a batch. Without contention, the batch starts from the head that this process wrote, locks nothing and commits
 * with one statement. The statement has no effect if another process has committed since. With contention, the batch
 * begins a database transaction that locks the head.
 */
export async function beginCommitBatch(
  connection: BorrowedConnection,
  process: StoreProcessContext,
  { id: sandbox, onCommit }: SandboxWithCommitCallback,
  known: KnownHead | null,
) {
  const isProbablyNewest = known !== null && known.undisturbed >= LEAST_UNDISTURBED
  const start = isProbablyNewest ? known : await lockHead(connection, process, sandbox)
  const isUndisturbed = start.version === known?.version
  const cache: ReadCache = isUndisturbed ? known.cache : new Map()
  const head: HeadNumbers = { ...start }
  const transaction = createHeadTransaction(connection, process, {
    sandbox,
    head,
    isLocked: start !== known,
  })
  const reader = createCachingReader(createBatchReader(transaction, head), cache)
  const settlers: (() => void)[] = []
  const committed: Write[] = []

  function announce(isOutcomeUnknown: boolean): void {
    const mayBeDue = committed.some((write) => 'put' in write && hasRealTimeDeadline(write.put))
    onCommit({ writes: committed, mayBeDue, isOutcomeUnknown })
    process.hub.announce(sandbox, mayBeDue)
  }

  function store({ result, writes, events: unsequenced }: Commit<unknown>): CommitResult<unknown> {
    const { events, head: newHead } = assignSequenceNumbers(unsequenced, head)
    const all: Write[] = [...writes, ...events.map((event) => ({ put: event }))]
    transaction.pending.add(all)
    committed.push(...all)
    Object.assign(head, newHead)
    for (const write of all) cache.delete(getCollectionName('put' in write ? write.put : write.remove))
    return { result, events }
  }

  return {
    /**
     * Runs a transaction. Resolves with false if the transaction threw, in which case none of its changes is stored.
     * Rejects when the whole batch failed.
     */
    async add({ work, resolve, reject }: QueuedTransaction): Promise<boolean> {
      try {
        const result = store(await work(reader))
        settlers.push(() => resolve(result))
        return true
      } catch (error) {
        transaction.requireNoFailure()
        // Reject only after the commit, because the error may depend on uncommitted changes of this batch.
        settlers.push(() => reject(error))
        return false
      }
    },
    /**
     * Commits and settles all transactions, and resolves with the new head. Rejects if nothing was stored or the
     * outcome is unknown. The error is a `HeadConflictError` if the batch must run again.
     */
    async commit(): Promise<KnownHead> {
      transaction.requireNoFailure()
      const isChanged = committed.length > 0
      const version = await transaction.end(isChanged).catch((error) => {
        // Announce the changes, because they may be stored although their commit failed.
        if (isChanged && !(error instanceof HeadConflictError)) announce(true)
        throw error
      })
      if (isChanged) announce(false)
      for (const settle of settlers) settle()
      trimReadCache(cache)
      return { ...head, version, undisturbed: isUndisturbed ? known.undisturbed + 1 : 0, cache }
    },
  }
}

/** Creates a reader whose results include the pending writes of a batch. */
function createBatchReader({ query, pending, flush }: HeadTransaction, head: HeadNumbers): StoreReader {
  const reader = createReader(query, async () => head.sequence)
  /** Returns the reader once the database has the pending writes of a collection, or of all collections. */
  const flushed = async (collection?: CollectionName) => {
    if (pending.has(collection)) await flush()
    return reader
  }
  return {
    ...reader,
    async get<C extends CollectionName>(collection: C, id: string) {
      const written = pending.find(collection, id)
      return written === undefined ? reader.get(collection, id) : (written as CollectionRecordTypes[C] | null)
    },
    list: async (collection, listQuery) => (await flushed(collection)).list(collection, listQuery),
    listDue: async (queue, until, limit) => (await flushed()).listDue(queue, until, limit),
    listOldest: async (collection, limit, after) =>
      (await flushed(collection)).listOldest(collection, limit, after),
    count: async (collection) => (await flushed(collection)).count(collection),
  }
}
