import pg from 'pg'
import { DomainError } from '../../domain/domain-error.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { type DatabaseUrl, withoutSecrets } from '../port/database-url.ts'
import { requireOwnSessions } from './postgres-pooler.ts'
import { createRoom, type Room } from './postgres-room.ts'

const READERS = 8
const CONNECT_LIMIT_MS = 5000
const ANSWER_LIMIT_MS = 20_000
/** A process that stops between two statements of a transaction holds up the others no longer than this. */
const IDLE_LIMIT_MS = 5000
const OLDEST_VERSION = 140_000

/** Begins a transaction in which who has waited for a lock sees what was stored meanwhile, whatever the server's default. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'

/**
 * Settings of every session. Every query has its index, and a table may be larger than a planner without statistics
 * assumes. A disabled sequential scan costs 1e10 in a plan (before PostgreSQL 18), far above `jit_above_cost`, so the
 * server would compile it each time, and a create took twenty times as long. No query runs long enough to gain by it.
 */
const SESSION = `SET enable_seqscan = off; SET jit = off; SET idle_in_transaction_session_timeout = ${IDLE_LIMIT_MS}`

/** Settings of a patient session: a role or the server may have limits that building an index exceeds. */
const PATIENT = 'SET statement_timeout = 0; SET lock_timeout = 0'

/** So many different questions are prepared on each connection; more would fill the memory of the server. */
const MAX_PREPARED = 500

/**
 * Errors by which a server says that it takes nothing of anybody, or not of us, just now: gone or going, a transaction cut
 * off for standing still, too many connections, another password, another server that only reads (0A000 to who begins to
 * write, 25006 to who goes on). 40003 is none of PostgreSQL's own: of some that speak its language it says that nobody knows whether a transaction was stored.
 */
const SERVER_GONE = /^(08|0A000|25P0[34]|25006|28|3D|40003|53|55P03|57|58)/
const FULL = '53100'
/** Only because of others: the same may go well at once. */
const COLLISIONS: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Sends one statement and resolves with its rows. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>

export type Row = Readonly<Record<string, unknown>>

/** One connection of its own, for transactions or for notifications. */
export interface Connection {
  readonly ask: Ask
  /** Sends statements without values, several at once where they are parted by semicolons; resolves with the last rows. */
  readonly run: (text: string) => Promise<readonly Row[]>
  readonly isOpen: () => boolean
  readonly end: () => Promise<void>
}

/** The ways to one PostgreSQL database. */
export interface Postgres {
  /** Asks on any free connection. */
  readonly ask: Ask
  /** Opens a connection of its own. */
  readonly connect: (wishes?: ConnectionWishes) => Promise<Connection>
  /** Says that the server gives too few connections; null while it gives enough. */
  readonly shortage: () => string | null
  readonly end: () => Promise<void>
}

/** What a connection is opened for. */
export interface ConnectionWishes {
  /** Hears the payloads of the channels that it listens to. */
  readonly onNotice?: (payload: string) => void
  /** Whether an answer may take any time, as while another process changes the tables. */
  readonly isPatient?: boolean
}

/** Reaches a database; refuses to start with what is in the way, the password left out. */
export async function reachPostgres(
  url: DatabaseUrl,
  pause?: (ms: number) => Promise<unknown>,
): Promise<Postgres> {
  const config: pg.ClientConfig = {
    connectionString: url.connectionString,
    application_name: 'paycli',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...config, max: READERS, onConnect })
  // A connection that breaks while nobody uses it is no news: the next question opens another one.
  pool.on('error', () => {})
  const nameOf = createNames()
  const room = createRoom(pool, READERS, pause)
  try {
    await room.forQuery(() => requireVersion(pool))
    await requireSessions(pool, room)
  } catch (error) {
    await pool.end()
    throw startupProblem(error, url)
  }
  const ask = askThrough(pool, nameOf)
  return {
    ask: (text, values) => room.forQuery(() => ask(text, values)),
    shortage: room.shortage,
    connect: (wishes = {}) => room.forConnection(() => openConnection({ config, nameOf }, wishes)),
    end: () => pool.end(),
  }
}

const onConnect = async (client: pg.ClientBase) => void (await client.query(SESSION))

function askThrough(client: Pick<pg.ClientBase, 'query'>, nameOf: Names): Ask {
  return async (text, values) =>
    (await translated(client.query({ ...nameOf(text), text, values: [...values] }))).rows
}

async function openConnection(
  { config, nameOf }: { readonly config: pg.ClientConfig; readonly nameOf: Names },
  { onNotice, isPatient = false }: ConnectionWishes,
): Promise<Connection> {
  // What is sent before the last answer has come does not wait for it: the server keeps the order.
  const limit = isPatient ? { query_timeout: undefined } : {}
  const client = new pg.Client({ ...config, ...limit, pipeline: true })
  let isOpen = true
  const close = () => {
    isOpen = false
  }
  client.on('error', close).on('end', close)
  if (onNotice) client.on('notification', ({ payload = '' }) => onNotice(payload))
  try {
    await translated(client.connect().then(() => onConnect(client)))
    if (isPatient) await translated(client.query(PATIENT))
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return {
    ask: askThrough(client, nameOf),
    async run(text) {
      const results = await translated(client.query(text) as Promise<pg.QueryResult | pg.QueryResult[]>)
      return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
    },
    isOpen: () => isOpen,
    end: () => client.end().catch(() => {}),
  }
}

/** Whether a statement gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof DomainError ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '55P03'
}

/** Whether a transaction failed only because of others, so that the same may go well at once. */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && COLLISIONS.has(error.code ?? '')
}

type Names = (text: string) => { readonly name?: string }

// A statement is prepared once on each connection, under the same name on all of them; one without a name is not kept.
function createNames(): Names {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return { name: known }
    if (names.size === MAX_PREPARED) return {}
    const name = `paycli_${names.size + 1}`
    names.set(text, name)
    return { name }
  }
}

async function requireSessions(pool: pg.Pool, room: Room): Promise<void> {
  const first = await pool.connect()
  try {
    const second = await room.forConnection(() => pool.connect())
    try {
      await requireOwnSessions(queryOn(first), queryOn(second))
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
  if (version >= OLDEST_VERSION) return
  throw new StartupProblem(
    'database_too_old',
    `The database is PostgreSQL ${Math.floor(version / 10_000)}; paycli needs 14 or newer.`,
  )
}

/** Tells whoever starts the service what is wrong with the database, the password left out. */
export function startupProblem(error: unknown, url: DatabaseUrl): StartupProblem {
  if (error instanceof StartupProblem) return error
  const cause = error instanceof DomainError ? (error.cause ?? error) : error
  // What several addresses of one name failed with comes as one error without words.
  const [first = cause] = cause instanceof AggregateError ? cause.errors : []
  const why = first instanceof Error ? first.message : String(first)
  return new StartupProblem(
    'database_unreachable',
    `The database ${withoutSecrets(url)} cannot be used: ${why}. Check that PostgreSQL runs there and that the user, the password and the database of its URL are right.`,
  )
}

async function translated<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw refusalOf(error)
  }
}

// What the server says of a statement is a bug of ours; anything else is the way to it.
function refusalOf(error: unknown): unknown {
  if (error instanceof DomainError) return error
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '08000'
  if (code !== FULL && !SERVER_GONE.test(code)) return error
  const refusal =
    code === FULL
      ? new DomainError('storage_full', 'The database is full; nothing was stored, and reading still works.')
      : new DomainError(
          'unavailable',
          'The database cannot be reached just now; nothing was stored. Try again in a moment.',
          { retryAfterSeconds: 1 },
        )
  refusal.cause = error
  return refusal
}
