import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { parseEnv } from 'node:util'
import { StartupError } from '../../domain/core/startup-error.ts'
import { loadSqlite } from '../../store/disk/sqlite.ts'
import { parsePostgresUrl } from '../../store/port/database-url.ts'
import { getErrorMessage } from '../errors/error-fields.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A value of a row: dates are texts as the database prints them, and bytes are hexadecimal. */
export type DatabaseValue = null | boolean | number | string
export type DatabaseRow = Readonly<Record<string, DatabaseValue>>

export interface DatabaseTable {
  /** The name of the table, with the schema unless it is the default schema. */
  readonly name: string
  /** The columns of the primary key; empty for a table without a primary key. */
  readonly key: readonly string[]
  /** The quoted name for SQL. */
  readonly sql: string
}

/** The database of an app, opened for reading. */
export interface AppDatabase {
  readonly listTables: () => Promise<readonly DatabaseTable[]>
  /** Returns the rows of a table. Throws a UsageError for more than 100,000 rows. */
  readonly readTable: (table: DatabaseTable) => Promise<readonly DatabaseRow[]>
  /** Returns the rows of an SQL statement. Throws a UsageError for an SQL error or more than 100,000 rows. */
  readonly query: (sql: string) => Promise<readonly DatabaseRow[]>
}

/** An open connection to a database. The methods reject with the errors of the driver. */
interface Connection {
  /** The SQL that selects the tables, with their keys as JSON. */
  readonly tables: string
  readonly query: (sql: string) => Promise<readonly DatabaseRow[]>
  readonly close: () => Promise<void>
}

/** The address of a database, and a name without a password for messages. */
interface DatabaseAddress {
  readonly name: string
  readonly open: () => Promise<Connection>
}

const MAX_ROWS = 100_000
const BUSY_TIMEOUT_MS = 1000
const CONNECT_TIMEOUT_MS = 5000
const QUERY_TIMEOUT_MS = 20_000

/**
 * Opens the database of an app for reading, calls `work` and closes the database. `address` is a file path, a
 * `sqlite:`, `file:` or `postgres://` URL, or `$` with the name of a variable in the environment or in `.env`. Throws
 * UsageErrors, whose messages contain no password.
 */
export async function readAppDatabase<T>(
  address: string,
  work: (database: AppDatabase) => Promise<T>,
): Promise<T> {
  const { name, open } = parseAddress(address)
  const attempt = async <R>(what: string, action: () => Promise<R>): Promise<R> => {
    try {
      return await action()
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw databaseError('database_unreadable', `${what}: ${describeError(error)}.`, READ_HINT)
    }
  }
  const connection = await attempt(`Cannot open the database ${name}`, open)
  const read = async (what: string, sql: string) => {
    const rows = await attempt(`Cannot read ${what} of ${name}`, () => connection.query(sql))
    if (rows.length <= MAX_ROWS) return rows
    const message = `More than ${MAX_ROWS.toLocaleString('en')} rows in ${what} of ${name}.`
    throw databaseError('database_too_large', message, 'Use a database that contains only test data.')
  }
  try {
    return await work({
      listTables: async () => {
        const query = () => connection.query(connection.tables)
        const rows = await attempt(`Cannot list the tables of ${name}`, query)
        return rows.map((row) => ({
          ...{ name: String(row['name']), sql: String(row['sql']) },
          key: JSON.parse(String(row['key'])),
        }))
      },
      readTable: (table) =>
        read(`the table ${table.name}`, `SELECT * FROM ${table.sql} LIMIT ${MAX_ROWS + 1}`),
      query: (sql) => read('the result of the query', sql),
    })
  } finally {
    await connection.close()
  }
}

/** Throws a UsageError if an address is neither a database URL nor the path of an SQLite file. */
export function requireDatabaseAddress(address: string): void {
  const { name } = parseAddress(address)
  if (statSync(name, { throwIfNoEntry: false })?.isFile() !== true || isSqliteFile(name)) return
  throw databaseError('flag_invalid', `The file ${name} is not an SQLite database.`, HINT)
}

const SQLITE_HEADER = 'SQLite format 3\0'

/** Returns whether a file has the SQLite header, or is empty like a new database. */
function isSqliteFile(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(SQLITE_HEADER.length)
    return readSync(descriptor, start) === 0 || start.toString('latin1') === SQLITE_HEADER
  } finally {
    closeSync(descriptor)
  }
}

const READ_HINT = 'Check that the address is right, that the database runs, and that its user may read it.'
const HINT = 'Expected the path of an SQLite file, sqlite:PATH or postgres://user:password@host/name.'

function databaseError(code: string, message: string, hint: string): UsageError {
  return new UsageError(code, message, { param: 'database', hint })
}

// When all addresses of a host name fail, the error is an AggregateError without a message.
function describeError(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  return getErrorMessage(first).replace(/\.$/, '')
}

/** Returns a text without the passwords of database URLs. */
export function removeDatabasePasswords(word: string): string {
  return word
    .replace(/(\b(?!http)[a-z][\w+.-]*:\/\/[^\s:@/]*):[^\s'"]*@/gi, '$1@')
    .replace(/([?&]password=)[^\s&'"]*/gi, '$1')
}

function parseAddress(given: string): DatabaseAddress {
  const address = given.startsWith('$') ? readVariable(given.slice(1)) : given
  const [, scheme = ''] = /^([a-z][\w+.-]+):/i.exec(address) ?? []
  // SQLAlchemy URLs name the driver in the scheme, such as postgresql+psycopg://.
  const kind = scheme.toLowerCase().replace(/\+.*/, '')
  if (kind === 'postgres' || kind === 'postgresql') return parsePostgres(address.slice(scheme.length))
  if (kind === 'sqlite' || kind === 'file') return parseSqlite(address.slice(scheme.length + 1))
  if (kind === '') return parseSqlite(address)
  const hint = `${HINT} For another database, give a command instead.`
  throw databaseError(
    'flag_invalid',
    `The database URL begins with '${scheme}:', which is not supported.`,
    hint,
  )
}

function readVariable(name: string): string {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const value = process.env[name] ?? file[name]
  if (value !== undefined && value !== '') return value
  const message = `The variable ${name} is not set in the environment and not in the file .env.`
  throw databaseError('flag_invalid', message, HINT)
}

function parseSqlite(text: string): DatabaseAddress {
  const [path = ''] = text.split('?')
  // sqlite:///shop.db is a relative path for SQLAlchemy, and an absolute path elsewhere.
  const rest = path.replace(/^\/\//, '')
  const file = /^\/[^/]/.test(rest) && path !== rest && existsSync(rest.slice(1)) ? rest.slice(1) : rest
  const name = file.replace(/^\/\//, '/')
  return { name, open: () => openSqlite(name) }
}

async function openSqlite(file: string): Promise<Connection> {
  const sqlite = await loadSqlite()
  if (sqlite === null) {
    const hint = 'Use a newer Node, or give a command that reads the file, such as sqlite3.'
    const message = `Reading ${file} needs Node 22.13 or newer, and this is Node ${process.version}.`
    throw databaseError('node_too_old', message, hint)
  }
  if (!existsSync(file)) throw databaseError('database_missing', `The database ${file} does not exist.`, HINT)
  const database = new sqlite.DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  return {
    tables: SQLITE_TABLES,
    query: async (sql) => readRows(database, sql),
    close: async () => database.close(),
  }
}

const SQLITE_TABLES = `SELECT name, printf('"%w"', name) AS sql,
    (SELECT json_group_array(c.name) FROM pragma_table_info(t.name) AS c WHERE c.pk > 0) AS key
  FROM sqlite_schema AS t
  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'create virtual%' ORDER BY name`

function readRows(database: DatabaseSync, sql: string): DatabaseRow[] {
  const statement = database.prepare(sql)
  // Without BigInts, integers above 2^53 are an error.
  statement.setReadBigInts(true)
  const rows: DatabaseRow[] = []
  for (const row of statement.iterate()) {
    rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toSqliteValue(value)])))
    if (rows.length > MAX_ROWS) break
  }
  return rows
}

function toSqliteValue(value: unknown): DatabaseValue {
  if (typeof value === 'bigint') return parseNumber(String(value))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return value as DatabaseValue
}

// A number that a double cannot represent stays a text.
function parseNumber(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : text
}

function parsePostgres(rest: string): DatabaseAddress {
  let url: URL
  try {
    url = parsePostgresUrl(`postgres${rest}`)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    throw databaseError('flag_invalid', error.message, HINT)
  }
  const { username, host, pathname } = url
  const schema = url.searchParams.get('schema')
  url.searchParams.delete('schema')
  const name = `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`
  return { name, open: () => openPostgres(url.href, schema) }
}

/** Opens a connection with one read-only transaction, in which all reads see the same state. */
async function openPostgres(connectionString: string, schema: string | null): Promise<Connection> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    ...{ connectionString, application_name: 'paycli reads' },
    ...{ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS },
    types: { getTypeParser: (type: number) => (text: string) => toPostgresValue(type, text) },
  })
  // Ignore a lost connection here, because the next query reports the error.
  client.on('error', () => {})
  const close = () => client.end().catch(() => {})
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    if (schema !== null) await client.query(`SET LOCAL search_path TO ${client.escapeIdentifier(schema)}`)
  } catch (error) {
    await close()
    throw error
  }
  return {
    tables: postgresTables(schema === null ? 'NULL' : client.escapeLiteral(schema)),
    // The extended protocol accepts only one statement, so a statement cannot end the read-only transaction and then write.
    async query(text) {
      return (await client.query({ text, queryMode: 'extended' } as { text: string })).rows
    },
    close,
  }
}

const postgresTables = (schema: string) => `SELECT format('%I.%I', s.nspname, c.relname) AS sql,
    CASE WHEN s.nspname = coalesce(${schema}, 'public') THEN c.relname ELSE s.nspname || '.' || c.relname END AS name,
    (SELECT coalesce(json_agg(a.attname), '[]') FROM pg_index AS i JOIN pg_attribute AS a
      ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey) WHERE i.indrelid = c.oid AND i.indisprimary)::text AS key
  FROM pg_class AS c JOIN pg_namespace AS s ON s.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND has_table_privilege(c.oid, 'SELECT')
    AND s.nspname !~ '^pg_' AND s.nspname <> 'information_schema' AND (${schema}::text IS NULL OR s.nspname = ${schema})
  ORDER BY 2`

/** The PostgreSQL type ids of bool, int8, int2, int4, float4, float8 and numeric. */
const BOOLEAN = 16
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700])

function toPostgresValue(type: number, text: string): DatabaseValue {
  if (type === BOOLEAN) return text === 't'
  return NUMBERS.has(type) ? parseNumber(text) : text
}
