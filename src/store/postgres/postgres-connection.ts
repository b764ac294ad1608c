import pg from 'pg'
import { StartupError } from '../../domain/core/startup-error.ts'
import type { DatabaseUrl } from '../port/database-url.ts'
import { type ConnectionBudget, createConnectionBudget } from './connection-budget.ts'
import { convertPostgresErrors, toStartupError } from './postgres-errors.ts'
import { requireDedicatedSessions } from './postgres-pooler.ts'

const POOL_SIZE = 8
/** Maximum number of concurrent commits; later commits wait. Idle connections are closed. */
const COMMIT_POOL_SIZE = 8
const CONNECT_TIMEOUT_MS = 5000
const QUERY_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 30_000
/** Limits how long a process that stops within a transaction blocks other processes. */
const IDLE_TIMEOUT_MS = 5000
const MIN_SERVER_VERSION = 140_000

/** Begins a READ COMMITTED transaction, which sees changes committed while it waited for a lock. */
export const BEGIN_READ_COMMITTED = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'

/**
 * Settings of every session, in addition to the schema as its search path. Sequential scans are off because every query
 * can use an index, and a planner without statistics underestimates large tables. JIT is off because a disabled
 * sequential scan costs 1e10 in a plan (before PostgreSQL 18), far above `jit_above_cost`. PostgreSQL would compile
 * each query, which made creating an object twenty times slower. In a stricter isolation level, the statement of
 * `createCommitStatement` would fail after a concurrent commit instead of returning no row.
 */
const SESSION_SETTINGS = `SET enable_seqscan = off; SET jit = off; SET default_transaction_isolation = 'read committed'; SET idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`

/** Settings for long statements, which may exceed the timeouts of the role or of PostgreSQL. */
const NO_TIMEOUT_SETTINGS = 'SET statement_timeout = 0; SET lock_timeout = 0'

/** Maximum number of prepared statements on a connection, because each uses memory of the PostgreSQL server. */
const MAX_PREPARED_STATEMENTS = 500

/** Runs a statement with parameters and returns its rows. */
export type RunQuery = (text: string, values: readonly unknown[]) => Promise<readonly QueryRow[]>

export type QueryRow = Readonly<Record<string, unknown>>

/** A dedicated connection for transactions or notifications. Its search path is the schema. */
export interface PostgresConnection {
  readonly schema: string
  readonly query: RunQuery
  /** Runs statements without parameters, separated by semicolons; returns the rows of the last statement. */
  readonly exec: (text: string) => Promise<readonly QueryRow[]>
  readonly isOpen: () => boolean
  readonly end: () => Promise<void>
}

/** A connection for one commit. Statements are sent without waiting for earlier results. */
export interface BorrowedConnection extends Pick<PostgresConnection, 'query' | 'exec'> {
  /** Returns the connection to the pool. */
  readonly release: () => void
  /** Rolls back and returns the connection to the pool; closes the connection if the rollback fails. */
  readonly rollBack: () => Promise<void>
}

/** A connection pool of a PostgreSQL database. The search path of each connection is the schema. */
export interface PostgresClient {
  readonly schema: string
  /** Runs a statement on a connection of the pool. */
  readonly query: RunQuery
  /** Waits for a connection for one commit, in the order of the calls. */
  readonly borrow: () => Promise<BorrowedConnection>
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
export async function openPostgresClient(
  url: DatabaseUrl,
  pause?: (ms: number) => Promise<unknown>,
): Promise<PostgresClient> {
  const { schema } = url
  const config: pg.ClientConfig = {
    connectionString: url.connectionString,
    // Shows the schema in the list of sessions, because the statements do not contain its name.
    application_name: `paycli ${schema}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // Keep idle connections alive: routers close them, and the connection for notifications may be idle for hours.
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
  const pool = openPool({ ...config, max: POOL_SIZE }, schema)
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
  const commits = createCommitPool(
    openPool({ ...config, max: COMMIT_POOL_SIZE, pipeline: true }, schema),
    nameOf,
    budget,
    pause,
  )
  return {
    schema,
    borrow: commits.borrow,
    query: (text, values) => budget.runQuery(() => query(text, values)),
    connectionShortage: budget.connectionShortage,
    connect: (options = {}) => budget.openConnection(() => openConnection(config, schema, nameOf, options)),
    async end() {
      await commits.end()
      await pool.end()
    },
  }
}

async function prepareSession(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`${SESSION_SETTINGS}; SET search_path TO "${schema}"`)
}

function createQuery(client: Pick<pg.ClientBase, 'query'>, nameOf: StatementNames): RunQuery {
  return async (text, values) =>
    (await convertPostgresErrors(client.query({ ...nameOf(text), text, values: [...values] }))).rows
}

function openPool(config: pg.PoolConfig, schema: string): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    onConnect(client) {
      // Ignore the error, because the next statement reports the failure.
      client.on('error', () => {})
      return prepareSession(client, schema)
    },
  })
  // Ignores errors of idle connections: the pool opens a new connection for the next query.
  pool.on('error', () => {})
  return pool
}

function createCommitPool(
  pool: pg.Pool,
  nameOf: StatementNames,
  budget: ConnectionBudget,
  pause: ((ms: number) => Promise<unknown>) | undefined,
) {
  const ownBudget = createConnectionBudget(pool, COMMIT_POOL_SIZE, pause)
  const connect = () => convertPostgresErrors(pool.connect())

  return {
    async borrow(): Promise<BorrowedConnection> {
      // The pool for reads closes one of its connections only for the first connection of this pool.
      const client = await (pool.totalCount === 0
        ? budget.openConnection(connect)
        : ownBudget.runQuery(connect))
      const exec = createExec(client)
      return {
        query: createQuery(client, nameOf),
        exec,
        release: () => client.release(),
        rollBack: () =>
          exec('ROLLBACK').then(
            () => client.release(),
            () => client.release(true),
          ),
      }
    },
    end: () => pool.end(),
  }
}

async function openConnection(
  config: pg.ClientConfig,
  schema: string,
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
    await convertPostgresErrors(client.connect().then(() => prepareSession(client, schema)))
    if (hasNoTimeout) await convertPostgresErrors(client.query(NO_TIMEOUT_SETTINGS))
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    schema,
    query: createQuery(client, nameOf),
    exec: createExec(client),
    isOpen: () => isOpen,
    end: () => client.end().catch(() => {}),
  }
}

function createExec(client: Pick<pg.ClientBase, 'query'>): PostgresConnection['exec'] {
  return async (text) => {
    const results = await convertPostgresErrors(
      client.query(text) as Promise<pg.QueryResult | pg.QueryResult[]>,
    )
    return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
  }
}

/** Runs `work` on a dedicated connection without timeouts, which statements on a large database may exceed. */
export async function withDedicatedConnection<T>(
  postgres: Pick<PostgresClient, 'connect'>,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = await postgres.connect({ hasNoTimeout: true })
  return work(connection).finally(connection.end)
}

/** Returns whether a table exists. */
export async function hasTable(connection: PostgresConnection, table: string): Promise<boolean> {
  const [row] = await connection.query('SELECT to_regclass($1) IS NOT NULL AS found', [table])
  return row?.['found'] === true
}

type StatementNames = (text: string) => { readonly name?: string }

// A statement is prepared once on each connection, under the same name on all connections. A statement without a name
// is not prepared.
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
