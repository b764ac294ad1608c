import { hasRealTimeDeadline } from '../../domain/deadlines.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { collectionOf } from '../port/collections.ts'
import { type SequenceHead, sequenceEvents } from '../port/event-sequence.ts'
import type { Commit, CommitResult, SampleClock, TransactionWork, Write } from '../port/store.ts'
import { createCachingReader } from './caching-reader.ts'
import type { ChangeHub } from './change-hub.ts'
import type { LayoutGuard } from './layout-guard.ts'
import { BEGIN, type BorrowedConnection, type RunQuery } from './postgres-connection.ts'
import { bindSandbox, createReader } from './postgres-reader.ts'
import { createWriteStatements } from './postgres-writes.ts'

/** A transaction and the callbacks of its promise. */
export interface PendingTransaction {
  readonly work: TransactionWork<unknown>
  readonly resolve: (result: CommitResult<unknown>) => void
  readonly reject: (error: unknown) => void
}

/** This process, as other processes that share the database see it. */
export interface StoreProcess {
  /** Identifies the process in leases and change notifications. */
  readonly name: string
  readonly layout: LayoutGuard
  readonly sampleClock: SampleClock
  readonly hub: ChangeHub
  /** Called after each commit to any sandbox. */
  readonly noteCommit: () => void
}

/** A sandbox, as this process commits changes to it. */
export interface CommittedSandbox {
  readonly id: string
  /** Called after a commit, before its transactions resolve; `mayBeDue` is false when no record is due later. */
  readonly onCommit: (mayBeDue: boolean) => void
}

/** SQL expression for the current time of the database in milliseconds since 1970. */
export const DATABASE_MS = 'extract(epoch FROM clock_timestamp())::float8 * 1000'

/** A database transaction that commits several transactions of the store. */
export type CommitBatch = Awaited<ReturnType<typeof beginCommitBatch>>

/**
 * Begins a batch and locks the row of the sandbox in `head`, so that no other process commits changes there or takes sequence
 * numbers until the batch ends. Commits of other sandboxes run beside it.
 */
export async function beginCommitBatch(
  connection: BorrowedConnection,
  process: StoreProcess,
  { id: sandbox, onCommit }: CommittedSandbox,
) {
  const runInSandbox = bindSandbox(connection.query, sandbox)
  const finishSample = process.sampleClock()
  // The clock is read after the row is locked, so times never decrease from one transaction to the next. Both statements
  // are sent at once; the second one is prepared, because every transaction runs it.
  const [, [row]] = await Promise.all([
    connection.exec(BEGIN),
    runInSandbox(
      `WITH locked AS MATERIALIZED
         (SELECT sequence::float8, told::float8, place::float8, layout, is_deleted FROM head
          WHERE sandbox = $1 FOR UPDATE)
       SELECT *, ${DATABASE_MS} AS now_ms FROM locked`,
      [],
    ),
  ])
  if (row === undefined || row.is_deleted === true)
    throw new DomainError('unavailable', 'The sandbox was deleted, so nothing was stored.')
  finishSample(Number(row.now_ms))
  process.layout.require(row)
  /** The last assigned numbers. */
  const head = { sequence: Number(row.sequence), lastCreated: Number(row.told), place: Number(row.place) }
  const { query, requireNoFailure } = trackFailures(runInSandbox)
  const { reader, invalidate } = createCachingReader(createReader(query, async () => head.sequence))
  const statements: Promise<unknown>[] = []
  const settlers: (() => void)[] = []
  let mayBeDue = false

  function store({ result, writes, events: unsequenced }: Commit<unknown>): CommitResult<unknown> {
    const { events, head: newHead } = sequenceEvents(unsequenced, head)
    const all: Write[] = [...writes, ...events.map((event) => ({ put: event }))]
    const nextPlace = () => {
      head.place += 1
      return head.place
    }
    // The connection runs statements in order, so later reads see these writes.
    for (const { text, values } of createWriteStatements(all, nextPlace)) {
      const sent = query(text, values)
      sent.catch(() => {})
      statements.push(sent)
    }
    Object.assign(head, newHead)
    mayBeDue ||= all.some((write) => 'put' in write && hasRealTimeDeadline(write.put))
    invalidate(all.map((write) => collectionOf('put' in write ? write.put : write.remove)))
    return { result, events }
  }

  return {
    /**
     * Runs a transaction; resolves with false when it threw, so that nothing of it is stored. Rejects when the whole batch
     * failed.
     */
    async add({ work, resolve, reject }: PendingTransaction): Promise<boolean> {
      try {
        const result = store(await work(reader))
        settlers.push(() => resolve(result))
        return true
      } catch (error) {
        requireNoFailure()
        // The error may depend on uncommitted changes of this batch.
        settlers.push(() => reject(error))
        return false
      }
    },
    /** Commits and settles all transactions; rejects when nothing was stored or the outcome is unknown. */
    async commit(): Promise<void> {
      await Promise.all(statements)
      requireNoFailure()
      if (statements.length === 0) await connection.exec('ROLLBACK')
      else {
        await commitHead(connection, sandbox, head)
        onCommit(mayBeDue)
        process.hub.announce(sandbox, mayBeDue)
      }
      for (const settle of settlers) settle()
    },
  }
}

// A rule may catch a database error and continue, so the batch stores it and fails later.
function trackFailures(run: RunQuery) {
  const failures: unknown[] = []
  return {
    query: (text: string, values: readonly unknown[]) =>
      run(text, values).catch((error: unknown) => {
        failures.push(error)
        throw error
      }),
    requireNoFailure() {
      if (failures.length > 0) throw failures[0]
    },
  }
}

async function commitHead(
  connection: BorrowedConnection,
  sandbox: string,
  { sequence, lastCreated, place }: SequenceHead & { readonly place: number },
): Promise<void> {
  try {
    // Sent at once. After a failed update, COMMIT rolls back.
    await Promise.all([
      connection.query('UPDATE head SET sequence = $2, told = $3, place = $4 WHERE sandbox = $1', [
        sandbox,
        sequence,
        lastCreated,
        place,
      ]),
      connection.exec('COMMIT'),
    ])
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'unavailable') throw error
    const unknownOutcome = new DomainError(
      'unavailable',
      'The connection to the database was lost during the commit, so it is unknown whether this request was stored. Send it again with the same Idempotency-Key to find out.',
      { retryAfterSeconds: 1 },
    )
    unknownOutcome.cause = error.cause
    throw unknownOutcome
  }
}
