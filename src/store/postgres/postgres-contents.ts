import type { StoredObject } from '../../domain/changes.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'
import { StartupError } from '../../domain/startup-error.ts'
import { Records } from '../memory/records.ts'
import { COLLECTION_NAMES } from '../port/collections.ts'
import { type DatabaseUrl, parseDatabaseUrl, redactDatabaseUrl } from '../port/database-url.ts'
import type { StoreContents } from '../port/store.ts'
import { notifyChannelOf } from './commit-batch.ts'
import {
  connectPostgres,
  hasTable,
  type PostgresClient,
  type PostgresConnection,
  type QueryRow,
  toStartupError,
} from './postgres-connection.ts'
import { HEARTBEAT_NAME } from './postgres-coordinator.ts'
import { migrateLayout, readLayout } from './postgres-layout.ts'
import { inTransaction } from './postgres-locks.ts'
import { migrate, readVersion } from './postgres-migrations.ts'
import { LAYOUTS } from './postgres-schema.ts'
import { createWriteStatements } from './postgres-writes.ts'

const RECORDS_PER_BATCH = 1000
/** Begins a transaction in which all statements see the data as of the first one. */
const BEGIN_SNAPSHOT_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** No process has this name, so all processes react to the notification. */
const NOTIFY_SENDER = 'contents'

/** Called with the number of processed records and the total. */
export type OnProgress = (done: number, total: number) => void

export interface LoadPostgresOptions {
  /** The id of a sandbox (default: the default one). */
  readonly sandbox?: string
  readonly onProgress?: OnProgress
}

/** Reads a consistent snapshot of all records of a PostgreSQL database, which may be in use. */
export function loadPostgres(
  url: string,
  { sandbox = DEFAULT_SANDBOX, onProgress = () => {} }: LoadPostgresOptions = {},
): Promise<Records> {
  requireDefault(sandbox)
  const database = parseDatabaseUrl(url)
  return withConnection(database, async (connection) => {
    await requireTables(connection, database)
    await readVersion(connection)
    await readLayout(connection, LAYOUTS)
    return inTransaction(connection, () => readAll(connection, onProgress), BEGIN_SNAPSHOT_READ)
  })
}

/** Reads a consistent snapshot of all records through an open client. */
export async function captureContents(postgres: PostgresClient): Promise<StoreContents> {
  const connection = await postgres.connect({ hasNoTimeout: true })
  try {
    const read = () => readAll(connection, () => {})
    return (await inTransaction(connection, read, BEGIN_SNAPSHOT_READ)).capture()
  } finally {
    await connection.end()
  }
}

export interface WritePostgresOptions extends LoadPostgresOptions {
  /** Replaces existing records, which no server may use. */
  readonly isReplaced: boolean
}

function requireDefault(sandbox: string): void {
  if (sandbox !== DEFAULT_SANDBOX) throw new Error('PostgreSQL databases have no other sandboxes yet.')
}

/**
 * Replaces the contents of a PostgreSQL database in one transaction. Throws when the database is not empty, or, with
 * `isReplaced`, when a server uses it.
 */
export function writePostgres(
  url: string,
  records: Records,
  { isReplaced, sandbox = DEFAULT_SANDBOX, onProgress = () => {} }: WritePostgresOptions,
): Promise<void> {
  requireDefault(sandbox)
  const database = parseDatabaseUrl(url)
  return withConnection(database, async (connection) => {
    await migrate(connection)
    await migrateLayout(connection, { layouts: LAYOUTS })
    await inTransaction(connection, async () => {
      await connection.exec(`SELECT sequence FROM head WHERE id = 1 FOR UPDATE`)
      if (isReplaced) await requireUnused(connection, database)
      else await requireEmpty(connection, database)
      await connection.exec(`DELETE FROM records`)
      const place = await writeAll(connection, records, onProgress)
      await connection.exec(
        `UPDATE head SET sequence = ${records.sequence}, told = ${records.sequenceHead.lastCreated}, place = ${place} WHERE id = 1;
         SELECT pg_notify('${notifyChannelOf(connection.schema)}', '${NOTIFY_SENDER}')`,
      )
    })
  })
}

async function withConnection<T>(
  database: DatabaseUrl,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const postgres = await connectPostgres(database)
  try {
    // Statements on a large database may exceed the timeout.
    const connection = await postgres.connect({ hasNoTimeout: true })
    return await work(connection).finally(connection.end)
  } catch (error) {
    throw toStartupError(error, database)
  } finally {
    await postgres.end()
  }
}

async function readAll(connection: PostgresConnection, onProgress: OnProgress): Promise<Records> {
  const [head] = await connection.exec(`SELECT sequence::float8 FROM head`)
  const [total] = await connection.exec(`SELECT count(*)::float8 AS number FROM records`)
  const records = new Records()
  let done = 0
  for (const collection of COLLECTION_NAMES) {
    let place = '0'
    let rows: readonly QueryRow[]
    do {
      rows = await connection.query(
        `SELECT record, place::text AS at FROM records
         WHERE collection = $1 AND place > $2::bigint ORDER BY place LIMIT $3`,
        [collection, place, RECORDS_PER_BATCH],
      )
      for (const { record } of rows) records.put(record as StoredObject)
      place = String(rows.at(-1)?.at)
      done += rows.length
      onProgress(done, Number(total?.number))
    } while (rows.length === RECORDS_PER_BATCH)
  }
  records.resumeSequence(Number(head?.sequence))
  return records
}

async function writeAll(
  connection: PostgresConnection,
  records: Records,
  onProgress: OnProgress,
): Promise<number> {
  const total = COLLECTION_NAMES.reduce((sum, name) => sum + records.count(name), 0)
  let place = 0
  const nextPlace = () => {
    place += 1
    return place
  }
  for (const collection of COLLECTION_NAMES) {
    const writes = Array.from(records.all(collection), (put) => ({ put }))
    for (let at = 0; at < writes.length; at += RECORDS_PER_BATCH) {
      const statements = createWriteStatements(writes.slice(at, at + RECORDS_PER_BATCH), nextPlace)
      await Promise.all(statements.map(({ text, values }) => connection.query(text, values)))
      onProgress(place, total)
    }
  }
  return place
}

async function requireTables(connection: PostgresConnection, database: DatabaseUrl): Promise<void> {
  if (await hasTable(connection, 'head')) return
  throw new StartupError(
    'database_missing',
    `${redactDatabaseUrl(database)} does not contain a paycli database. Name another database with --db, or its schema with ?schema=.`,
  )
}

// A running server keeps keys and secrets of the old contents in memory.
async function requireUnused(connection: PostgresConnection, database: DatabaseUrl): Promise<void> {
  const [row] = await connection.exec(
    `SELECT count(*)::float8 AS number FROM presences
     WHERE name = '${HEARTBEAT_NAME}' AND until > now()`,
  )
  if (row?.number === 0) return
  throw new StartupError(
    'database_locked',
    `${redactDatabaseUrl(database)} is in use by ${row?.number} paycli server(s), and nothing was stored. Stop them with paycli stop (or ^C), wait up to ten seconds, and start them again afterwards.`,
  )
}

async function requireEmpty(connection: PostgresConnection, database: DatabaseUrl): Promise<void> {
  const [row] = await connection.exec(
    `SELECT count(*)::float8 AS number FROM (SELECT 1 FROM records LIMIT 1) AS first_one`,
  )
  if (row?.number === 0) return
  throw new StartupError(
    'target_exists',
    `${redactDatabaseUrl(database)} is not empty, and nothing was copied. Name an empty database, or another schema with ?schema=staging.`,
  )
}
