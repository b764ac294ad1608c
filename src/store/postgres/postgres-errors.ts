import pg from 'pg'
import { DomainError } from '../../domain/core/domain-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { type DatabaseUrl, redactDatabaseUrl } from '../port/database-url.ts'

/**
 * SQLSTATE codes of an unavailable PostgreSQL server, such as a lost connection, a shutdown, too many connections or a
 * wrong password. A read-only replica reports 0A000 at BEGIN, and 25006 at a later statement. 40003 comes from
 * databases that implement PostgreSQL's protocol, and means that the outcome of a transaction is unknown.
 */
const UNAVAILABLE = /^(08|0A000|25P0[34]|25006|28|3D|40003|53|55P03|57|58)/
const DISK_FULL = '53100'
/** Serialization failure and deadlock; an immediate retry may succeed. */
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Returns whether a transaction failed only because of a concurrent transaction, so that a retry may succeed. */
export function isTransactionConflictError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && COLLISIONS.has(error.code ?? '')
}

/** Returns whether the database reported that it cannot write now, so nothing was stored. */
export function isRejectedWriteError({ cause }: DomainError): boolean {
  return cause instanceof pg.DatabaseError && /^(0A|25|53|55)/.test(cause.code ?? '')
}

/** Converts an error of the database to a start-up error, which does not contain the password. */
export function toStartupError(error: unknown, url: DatabaseUrl): StartupError {
  if (error instanceof StartupError) return error
  const cause = error instanceof DomainError ? (error.cause ?? error) : error
  // When all addresses of a host name fail, the error is an AggregateError without a message.
  const [first = cause] = cause instanceof AggregateError ? cause.errors : []
  const why = first instanceof Error ? first.message : String(first)
  return new StartupError(
    'database_unreachable',
    `Cannot use the database ${redactDatabaseUrl(url)}: ${why}. Check that PostgreSQL is running and that the user, password and database name in the URL are correct.`,
  )
}

/** Rejects with a DomainError when the database is unavailable or its disk is full. */
export async function convertPostgresErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw toDomainError(error)
  }
}

// Other errors of PostgreSQL mean a bug in a statement. An error without a SQLSTATE means that the connection failed.
function toDomainError(error: unknown): unknown {
  if (error instanceof DomainError) return error
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '08000'
  if (code !== DISK_FULL && !UNAVAILABLE.test(code)) return error
  const domainError =
    code === DISK_FULL
      ? new DomainError(
          'storage_full',
          'The disk of the database is full, so nothing was stored. Reads still work.',
        )
      : new DomainError(
          'unavailable',
          'The database is not available, so nothing was stored. Try again in a moment.',
          { retryAfterSeconds: 1 },
        )
  domainError.cause = error
  return domainError
}
