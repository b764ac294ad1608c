import { DomainError } from '../../domain/core/domain-error.ts'
import type { CommitResult, TransactionWork } from '../port/store.ts'
import {
  beginCommitBatch,
  type CommitBatch,
  type KnownHead,
  type QueuedTransaction,
  type SandboxWithCommitCallback,
} from './commit-batch.ts'
import { HeadConflictError } from './head-transaction.ts'
import type { BorrowedConnection, PostgresClient } from './postgres-connection.ts'
import { isTransactionConflictError } from './postgres-errors.ts'
import type { StoreProcessContext } from './store-process.ts'

/** Maximum number of transactions in one commit; the limit lets other processes and sandboxes commit in turn. */
const TRANSACTIONS_PER_COMMIT = 64
const MAX_ATTEMPTS = 5

/**
 * Creates the queue of a sandbox, which runs transactions in order. Commits up to 64 waiting transactions together, so
 * that they share one disk write. Processes commit to a sandbox one at a time, so its sequence numbers have no gaps.
 * Each commit borrows a connection, for which the queues of all sandboxes take turns. Deadlocks and serialization
 * failures are retried.
 */
export function createCommitQueue(
  postgres: Pick<PostgresClient, 'borrow'>,
  process: StoreProcessContext,
  sandbox: SandboxWithCommitCallback,
) {
  const waiting: QueuedTransaction[] = []
  let running: Promise<void> | null = null
  /** The head after the last commit; null before the first commit and after a failed commit. */
  let known: KnownHead | null = null

  async function runAll(): Promise<void> {
    while (waiting.length > 0) await runBatch()
    running = null
  }

  async function runBatch(): Promise<void> {
    const started: QueuedTransaction[] = []
    let connection: BorrowedConnection | null = null
    try {
      connection = await postgres.borrow()
      const batch = await beginCommitBatch(connection, process, sandbox, known)
      known = await fillBatch(batch, started)
      connection.release()
    } catch (error) {
      known = null
      await connection?.rollBack()
      if (error instanceof HeadConflictError) waiting.unshift(...started)
      // An error before the first transaction affects the whole queue.
      else retryOrReject(started.length > 0 ? started : waiting.splice(0), error)
    }
  }

  async function fillBatch(batch: CommitBatch, started: QueuedTransaction[]): Promise<KnownHead> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      started.push(next)
      const isAdded = await batch.add(next)
      // A failed transaction ends the batch, so that its caller gets the error without waiting for further transactions.
      if (!isAdded || started.length === TRANSACTIONS_PER_COMMIT) break
      // A retried transaction gets a separate commit, so that its failure does not affect other transactions.
      if (next.attempts > 0 || (waiting[0]?.attempts ?? 0) > 0) break
    }
    return batch.commit()
  }

  function retryOrReject(transactions: readonly QueuedTransaction[], error: unknown): void {
    const isRetryable =
      isTransactionConflictError(error) || (transactions.length > 1 && !(error instanceof DomainError))
    const retried = transactions.filter((transaction) => {
      transaction.attempts += 1
      return isRetryable && transaction.attempts < MAX_ATTEMPTS
    })
    for (const transaction of transactions) if (!retried.includes(transaction)) transaction.reject(error)
    waiting.unshift(...retried)
  }

  return {
    /** Queues a transaction; resolves when it is committed. */
    transact<R>(work: TransactionWork<R>) {
      return new Promise<CommitResult<R>>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as QueuedTransaction['resolve'], reject, attempts: 0 })
        running ??= runAll()
      })
    },
    /** Waits until the queue is empty. */
    async end(): Promise<void> {
      await running
    },
  }
}
