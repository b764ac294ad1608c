import { StartupError } from '../../domain/core/startup-error.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { MemoryRecords } from '../memory/memory-records.ts'
import { type DatabaseUrl, parseDatabaseUrl, redactDatabaseUrl } from '../port/database-url.ts'
import { getNotifyChannel } from './change-listener.ts'
import {
  hasTable,
  openPostgresClient,
  type PostgresConnection,
  withDedicatedConnection,
} from './postgres-connection.ts'
import { HEARTBEAT_NAME } from './postgres-coordinator.ts'
import { toStartupError } from './postgres-errors.ts'
import { runInTransaction } from './postgres-locks.ts'
import { listPostgresSandboxIds } from './postgres-sandboxes.ts'
import { CREATE_INDEXES, DROP_INDEXES, RECORDS_INDEX_SUFFIXES } from './postgres-schema.ts'
import { ensureTables, requireDatabaseFormat } from './postgres-tables.ts'
import {
  BEGIN_SNAPSHOT,
  insertAndLockHead,
  type OnProgress,
  replaceRecords,
  visitRecords,
} from './sandbox-contents.ts'

/** The sender name of the notification; no process has this name, so all processes react. */
const NOTIFY_SENDER = 'contents'

export interface LoadPostgresContentsOptions {
  /** The id of a sandbox (default: the default sandbox). */
  readonly sandbox?: string
  readonly onProgress?: OnProgress
}

/** Reads a consistent snapshot of all records of a sandbox of a PostgreSQL database, which may be in use. */
export function loadPostgresContents(
  url: string,
  { sandbox = DEFAULT_SANDBOX, onProgress = () => {} }: LoadPostgresContentsOptions = {},
): Promise<MemoryRecords> {
  const database = parseDatabaseUrl(url)
  return withDatabase(database, async (connection) => {
    await requireTables(connection, database)
    await requireDatabaseFormat(connection)
    const read = async () => {
      const records = new MemoryRecords()
      const source = { sandbox, onProgress }
      const sequence = await visitRecords(connection, source, (record) => records.put(record))
      if (sequence === null) throw missingSandbox(sandbox, database)
      records.resumeSequence(sequence)
      return records
    }
    return runInTransaction(connection, read, BEGIN_SNAPSHOT)
  })
}

export interface ReplacePostgresContentsOptions extends LoadPostgresContentsOptions {
  /** Whether to replace existing records; throws when a server uses the database. */
  readonly isReplaced: boolean
}

/**
 * Replaces the contents of a sandbox of a PostgreSQL database in one transaction. Throws when the sandbox is not empty, or, with
 * `isReplaced`, when a server uses the database.
 */
export function replacePostgresContents(
  url: string,
  records: MemoryRecords,
  { isReplaced, sandbox = DEFAULT_SANDBOX, onProgress = () => {} }: ReplacePostgresContentsOptions,
): Promise<void> {
  const database = parseDatabaseUrl(url)
  return withDatabase(database, async (connection) => {
    await ensureTables(connection)
    await runInTransaction(connection, async () => {
      await insertAndLockHead(connection, sandbox)
      if (isReplaced) await requireUnused(connection, database)
      else await requireEmpty(connection, database, sandbox)
      await withLateIndexes(connection, sandbox, () =>
        replaceRecords(connection, sandbox, records.collect(), onProgress),
      )
      const payload = `${NOTIFY_SENDER} ${sandbox}`
      await connection.query('SELECT pg_notify($1, $2)', [getNotifyChannel(connection.schema), payload])
    })
  })
}

// PostgreSQL builds a new index much faster by sorting its entries than by adding each entry separately. No server uses
// an empty table, so the table lock blocks no other transaction.
async function withLateIndexes(
  connection: PostgresConnection,
  sandbox: string,
  write: () => Promise<void>,
): Promise<void> {
  const isNew =
    (await isSandboxEmpty(connection, sandbox)) && (await listPostgresSandboxIds(connection)).length === 0
  const isLate = isNew && (await ownsIndexes(connection))
  if (isLate) await connection.exec(DROP_INDEXES)
  await write()
  if (isLate) await connection.exec(CREATE_INDEXES)
}

/**
 * Returns whether this user owns the table, and the table has paycli's indexes and neither partitions nor Citus shards.
 */
async function ownsIndexes({ query }: PostgresConnection): Promise<boolean> {
  const [row] = await query(
    `SELECT relkind = 'r' AND pg_has_role(relowner, 'USAGE')
       AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
       AND (SELECT array_agg(indexrelid::regclass::text) FROM pg_index WHERE indrelid = pg_class.oid) @> $1 AS is_own
     FROM pg_class WHERE oid = to_regclass('records')`,
    [RECORDS_INDEX_SUFFIXES.map((suffix) => `records_${suffix}`)],
  )
  return row?.['is_own'] === true
}

async function isSandboxEmpty({ query }: PostgresConnection, sandbox: string): Promise<boolean> {
  return (await query('SELECT 1 FROM records WHERE sandbox = $1 LIMIT 1', [sandbox])).length === 0
}

async function withDatabase<T>(
  database: DatabaseUrl,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const postgres = await openPostgresClient(database)
  try {
    return await withDedicatedConnection(postgres, work)
  } catch (error) {
    throw toStartupError(error, database)
  } finally {
    await postgres.end()
  }
}

async function requireTables(connection: PostgresConnection, database: DatabaseUrl): Promise<void> {
  if (await hasTable(connection, 'head')) return
  throw new StartupError(
    'database_missing',
    `${redactDatabaseUrl(database)} does not contain a paycli database. Name another database with --db, or its schema with ?schema=.`,
  )
}

function missingSandbox(sandbox: string, database: DatabaseUrl): StartupError {
  return new StartupError(
    'database_missing',
    `${redactDatabaseUrl(database)} does not contain the sandbox ${sandbox}. List the sandboxes with paycli sandboxes list.`,
  )
}

// Throws while a server runs, because a running server keeps keys and secrets of the old contents in memory.
async function requireUnused(connection: PostgresConnection, database: DatabaseUrl): Promise<void> {
  const [row] = await connection.query(
    `SELECT count(*)::float8 AS number FROM sandbox_presences
     WHERE sandbox = $1 AND name = $2 AND until > now()`,
    [DEFAULT_SANDBOX, HEARTBEAT_NAME],
  )
  if (row?.number === 0) return
  throw new StartupError(
    'database_locked',
    `${redactDatabaseUrl(database)} is in use by ${row?.number} paycli server(s), and nothing was stored. Stop them with paycli stop (or ^C), wait up to ten seconds, and start them again afterwards.`,
  )
}

async function requireEmpty(
  connection: PostgresConnection,
  database: DatabaseUrl,
  sandbox: string,
): Promise<void> {
  if (await isSandboxEmpty(connection, sandbox)) return
  throw new StartupError(
    'target_exists',
    `${redactDatabaseUrl(database)} is not empty, and nothing was copied. Name an empty database, or another schema with ?schema=staging.`,
  )
}
