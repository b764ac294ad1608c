import { DomainError } from '../../domain/core/domain-error.ts'
import { createPendingWrites } from './pending-writes.ts'
import {
  BEGIN_READ_COMMITTED,
  type BorrowedConnection,
  type QueryRow,
  type RunQuery,
} from './postgres-connection.ts'
import { isRejectedWriteError } from './postgres-errors.ts'
import { createSandboxQuery } from './postgres-reader.ts'
import {
  createCommitStatement,
  createDeleteStatement,
  createWriteStatements,
  type HeadNumbers,
  takeInsertionPlace,
} from './postgres-writes.ts'
import { DATABASE_NOW_MS_SQL, type StoreProcessContext } from './store-process.ts'

/** Thrown when another process has committed to the sandbox since this process read its head. */
export class HeadConflictError extends Error {}

const LOCK_HEAD = `WITH locked AS MATERIALIZED
    (SELECT sequence::float8, told::float8, place::float8, is_deleted, xmin::text AS version FROM head
     WHERE sandbox = $1 FOR UPDATE)
  SELECT *, ${DATABASE_NOW_MS_SQL} AS now_ms FROM locked`

/**
 * Begins a transaction and locks the row of the sandbox in `head`. Until the transaction ends, no other process commits
 * changes to the sandbox or takes sequence numbers. Commits to other sandboxes run concurrently.
 */
export async function lockHead(
  connection: BorrowedConnection,
  process: StoreProcessContext,
  sandbox: string,
): Promise<HeadNumbers> {
  const finishSample = process.sampleClock()
  // The clock is read after the row is locked, so times never decrease from one transaction to the next. Sends both
  // statements together; the second statement is prepared, because many transactions run it.
  const [, [row]] = await Promise.all([
    connection.exec(BEGIN_READ_COMMITTED),
    connection.query(LOCK_HEAD, [sandbox]),
  ])
  if (row === undefined || row['is_deleted'] === true)
    throw new DomainError('unavailable', 'The sandbox was deleted, so nothing was stored.')
  finishSample(Number(row['now_ms']))
  return {
    sequence: Number(row['sequence']),
    lastCreated: Number(row['told']),
    place: Number(row['place']),
    version: String(row['version']),
  }
}

interface HeadTransactionOptions {
  readonly sandbox: string
  /** The last assigned numbers; the transaction assigns the next numbers. */
  readonly head: HeadNumbers
  /** Whether the connection is in a transaction that has locked the head. */
  readonly isLocked: boolean
}

/** The database side of a batch. */
export type HeadTransaction = ReturnType<typeof createHeadTransaction>

/**
 * Creates the database side of a batch. Without a locked head, the batch reads and commits with single statements, and
 * throws a `HeadConflictError` after a commit by another process.
 */
export function createHeadTransaction(
  connection: BorrowedConnection,
  process: StoreProcessContext,
  { sandbox, head, isLocked }: HeadTransactionOptions,
) {
  const pending = createPendingWrites()
  const { track, requireNoFailure } = trackFailures()
  const query: RunQuery = (text, values) => track(createSandboxQuery(connection.query, sandbox)(text, values))
  let locking: Promise<void> | null = isLocked ? Promise.resolve() : null

  async function lockUnchanged(): Promise<void> {
    const { version } = await lockHead(connection, process, sandbox)
    if (version !== head.version) throw new HeadConflictError()
  }

  function lock(): Promise<void> {
    locking ??= lockUnchanged()
    return track(locking)
  }

  async function commitChanges(): Promise<string> {
    const { removed, put } = pending.takeAll()
    // Lock the head for several statements, because one statement cannot remove a record and store it again.
    if (removed.length > 0) await lock()
    const finishSample = process.sampleClock()
    const statements = [
      ...(removed.length === 0 ? [] : [createDeleteStatement(removed)]),
      createCommitStatement(put, head),
    ]
    const sent = statements.map(({ text, values }) => query(text, values))
    // COMMIT is sent without waiting for earlier results. After a failed statement, COMMIT rolls back.
    if (locking !== null) sent.push(connection.exec('COMMIT'))
    const results = await withUnknownOutcome(Promise.all(sent))
    const [row] = results[statements.length - 1] ?? []
    if (row === undefined) throw new HeadConflictError()
    finishSample(Number(row['now_ms']))
    return String(row['version'])
  }

  async function endUnchanged(): Promise<string> {
    if (locking !== null) await connection.exec('ROLLBACK')
    else {
      const [row] = await query('SELECT xmin::text AS version FROM head WHERE sandbox = $1', [])
      if (row?.['version'] !== head.version) throw new HeadConflictError()
    }
    return head.version
  }

  return {
    query,
    pending,
    requireNoFailure,
    /** Locks the head and sends the pending writes, so that the results of later statements include them. */
    async flush(): Promise<void> {
      await lock()
      // Do not await the writes. A failure is tracked, and the next statement fails too.
      for (const { text, values } of createWriteStatements(pending.takeAll(), () => takeInsertionPlace(head)))
        query(text, values).catch(() => {})
    },
    /** Commits the writes, if there are any; resolves with the version of the head. */
    end: (isChanged: boolean): Promise<string> => (isChanged ? commitChanges() : endUnchanged()),
  }
}

// A rule may catch a database error and continue, so the batch keeps the error and fails later.
function trackFailures() {
  const failures: unknown[] = []
  return {
    track: <T>(result: Promise<T>): Promise<T> =>
      result.catch((error: unknown) => {
        failures.push(error)
        throw error
      }),
    requireNoFailure() {
      if (failures.length > 0) throw failures[0]
    },
  }
}

async function withUnknownOutcome(
  committed: Promise<(readonly QueryRow[])[]>,
): Promise<(readonly QueryRow[])[]> {
  try {
    return await committed
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'unavailable' || isRejectedWriteError(error))
      throw error
    const unknownOutcome = new DomainError(
      'unavailable',
      'The connection to the database was lost during the commit, so it is unknown whether this request was stored. Send it again with the same Idempotency-Key to find out.',
      { retryAfterSeconds: 1 },
    )
    unknownOutcome.cause = error.cause
    throw unknownOutcome
  }
}
