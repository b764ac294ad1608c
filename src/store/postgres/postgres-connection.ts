import pg from 'pg'
import { DomainError } from '../../domain/domain-error.ts'
import { StartupError } from '../../domain/startup-error.ts'
import { type DatabaseUrl, redactDatabaseUrl } from '../port/database-url.ts'
import { type ConnectionBudget, createConnectionBudget } from './connection-budget.ts'
import { requireDedicatedSessions } from './postgres-pooler.ts'

const POOL_SIZE = 8
const CONNECT_TIMEOUT_MS = 5000
const QUERY_TIMEOUT_MS = 20_000
/** Limits how long a process that stops within a transaction blocks the others. */
const IDLE_TIMEOUT_MS = 5000
const MIN_SERVER_VERSION = 140_000

/** Begins a READ COMMITTED transaction, which sees changes committed while it waited for a lock. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'

/**
 * Settings of every session, beside the schema as its search path. Sequential scans are off because every query has an
 * index, and a planner without statistics underestimates large tables. JIT is off because a disabled sequential scan
 * costs 1e10 in a plan (before PostgreSQL 18), far above `jit_above_cost`: PostgreSQL would compile each query, which
 * made a create twenty times slower.
 */
const SESSION_SETTINGS = `SET enable_seqscan = off; SET jit = off; SET idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`

/** Settings for building indexes, which may exceed the timeouts of the role or of PostgreSQL. */
const NO_TIMEOUT_SETTINGS = 'SET statement_timeout = 0; SET lock_timeout = 0'

/** Maximum number of prepared statements on a connection, because each takes memory of PostgreSQL. */
const MAX_PREPARED_STATEMENTS = 500

/**
 * SQLSTATE codes of an unavailable PostgreSQL server: connection lost, shutdown, idle transaction terminated, too many
 * connections, wrong password, or a read-only replica (0A000 at BEGIN, 25006 at a later statement). 40003 comes from
 * databases that implement PostgreSQL's protocol; it means that the outcome of a transaction is unknown.
 */
const UNAVAILABLE = /^(08|0A000|25P0[34]|25006|28|3D|40003|53|55P03|57|58)/
const DISK_FULL = '53100'
/** Serialization failure and deadlock; a retry may succeed at once. */
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Runs a statement with parameters and returns its rows. */
export type RunQuery = (text: string, values: readonly unknown[]) => Promise<readonly QueryRow[]>

export type QueryRow = Readonly<Record<string, unknown>>

/** A dedicated connection for transactions or notifications. Its search path is the schema. */
export interface PostgresConnection {
  readonly schema: string
  readonly query: RunQuery
  /** Runs statements without parameters, separated by semicolons; returns the rows of the last one. */
  readonly exec: (text: string) => Promise<readonly QueryRow[]>
  readonly isOpen: () => boolean
  readonly end: () => Promise<void>
}

/** A connection pool of a PostgreSQL database. The search path of each connection is the schema. */
export interface PostgresClient {
  readonly schema: string
  /** Runs a statement on a connection of the pool. */
  readonly query: RunQuery
  /** Opens a dedicated connection outside the pool. */
  readonly connect: (options?: ConnectionOptions) => Promise<PostgresConnection>
  /** Returns a warning that PostgreSQL allows too few connections, or null. */
  readonly connectionShortage: () => string | null
  readonly end: () => Promise<void>
}

export interface ConnectionOptions {
  /** Called with the payload of each notification. */
  readonly onNotification?: (payload: string) => void
  /** Disables the timeouts of statements, which may wait for another process that changes the tables. */
  readonly hasNoTimeout?: boolean
}

/** Opens the connection pool of a database and checks the PostgreSQL version; errors do not contain the password. */
export async function connectPostgres(
  url: DatabaseUrl,
  pause?: (ms: number) => Promise<unknown>,
): Promise<PostgresClient> {
  const { schema } = url
  const config: pg.ClientConfig = {
    connectionString: url.connectionString,
    // Names the schema, because statements do not.
    application_name: `paycli ${schema}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  }
  const pool = new pg.Pool({
    ...config,
    max: POOL_SIZE,
    onConnect: (client) => prepareSession(client, schema),
  })
  // Ignores errors of idle connections: the pool opens a new one for the next query.
  pool.on('error', () => {})
  const nameOf = createStatementNames()
  const budget = createConnectionBudget(pool, POOL_SIZE, pause)
  try {
    await budget.runQuery(() => requireVersion(pool))
    await requireSessionMode(pool, budget)
  } catch (error) {
    await pool.end()
    throw toStartupError(error, url)
  }
  const query = createQuery(pool, nameOf)
  return {
    schema,
    query: (text, values) => budget.runQuery(() => query(text, values)),
    connectionShortage: budget.connectionShortage,
    connect: (options = {}) =>
      budget.openConnection(() => openConnection({ ...config, schema }, nameOf, options)),
    end: () => pool.end(),
  }
}

async function prepareSession(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`${SESSION_SETTINGS}; SET search_path TO "${schema}"`)
}

function createQuery(client: Pick<pg.ClientBase, 'query'>, nameOf: StatementNames): RunQuery {
  return async (text, values) =>
    (await translateErrors(client.query({ ...nameOf(text), text, values: [...values] }))).rows
}

async function openConnection(
  { schema, ...config }: pg.ClientConfig & { readonly schema: string },
  nameOf: StatementNames,
  { onNotification, hasNoTimeout = false }: ConnectionOptions,
): Promise<PostgresConnection> {
  const timeout = hasNoTimeout ? { query_timeout: undefined } : {}
  // Pipelining sends statements without waiting for earlier results; PostgreSQL keeps their order.
  const client = new pg.Client({ ...config, ...timeout, pipeline: true })
  let isOpen = true
  const close = () => {
    isOpen = false
  }
  client.on('error', close).on('end', close)
  if (onNotification) client.on('notification', ({ payload = '' }) => onNotification(payload))
  try {
    await translateErrors(client.connect().then(() => prepareSession(client, schema)))
    if (hasNoTimeout) await translateErrors(client.query(NO_TIMEOUT_SETTINGS))
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    schema,
    query: createQuery(client, nameOf),
    async exec(text) {
      const results = await translateErrors(client.query(text) as Promise<pg.QueryResult | pg.QueryResult[]>)
      return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
    },
    isOpen: () => isOpen,
    end: () => client.end().catch(() => {}),
  }
}

/** Returns whether a table exists. */
export async function hasTable(connection: PostgresConnection, table: string): Promise<boolean> {
  const [row] = await connection.query('SELECT to_regclass($1) IS NOT NULL AS found', [table])
  return row?.['found'] === true
}

/** Returns whether a statement failed because its lock timeout expired. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '55P03'
}

/** Returns whether a transaction failed only because of a concurrent one, so that a retry may succeed. */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && COLLISIONS.has(error.code ?? '')
}

type StatementNames = (text: string) => { readonly name?: string }

// A statement is prepared once on each connection, under the same name on all. Without a name it is not prepared.
function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return { name: known }
    if (names.size === MAX_PREPARED_STATEMENTS) return {}
    const name = `paycli_${names.size + 1}`
    names.set(text, name)
    return { name }
  }
}

async function requireSessionMode(pool: pg.Pool, budget: ConnectionBudget): Promise<void> {
  const first = await pool.connect()
  try {
    const second = await budget.openConnection(() => pool.connect())
    try {
      await requireDedicatedSessions(queryOn(first), queryOn(second))
    } finally {
      second.release()
    }
  } finally {
    first.release()
  }
}

const queryOn = (client: pg.ClientBase) => async (text: string) => (await client.query(text)).rows

async function requireVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query("SELECT current_setting('server_version_num')::int AS version")
  const version = Number(rows[0]?.version)
  if (version >= MIN_SERVER_VERSION) return
  throw new StartupError(
    'database_too_old',
    `The database runs PostgreSQL ${Math.floor(version / 10_000)}, and paycli needs version 14 or newer. Upgrade the server, or name another database with --db.`,
  )
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

async function translateErrors<T>(result: Promise<T>): Promise<T> {
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
