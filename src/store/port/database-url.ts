import { StartupError } from '../../domain/core/startup-error.ts'

/** Accepted parameters of a database URL. The driver ignores unknown parameters silently and might connect without TLS. */
const PARAMETERS = [
  'schema',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'user',
  'password',
  'application_name',
  'options',
]
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full']
/** Each of these parameters enables TLS unless `sslmode` disables it. */
const CERTIFICATES = ['sslrootcert', 'sslcert', 'sslkey']
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i
const MAX_PORT = 65_535
const DEFAULT_SCHEMA = 'paycli'
/** Maximum length of a schema name; PostgreSQL truncates longer names. */
const MAX_SCHEMA_CHARACTERS = 63
const SCHEMA = /^[a-z_][a-z0-9_]*$/
const RESERVED_SCHEMA = /^(pg_|information_schema$)/

/** The address of a PostgreSQL database and the name of paycli's schema. */
export interface DatabaseUrl {
  readonly connectionString: string
  readonly schema: string
}

/** Returns whether a database name is the URL of a PostgreSQL database. */
export function isDatabaseUrl(database: string): boolean {
  return /^postgres(ql)?:\/\//i.test(database)
}

/** Parses the URL of a PostgreSQL database. The errors do not contain the password. */
export function parsePostgresUrl(database: string): URL {
  // A password that contains / ? or # ends the authority early. The remaining part of the password would be parsed as
  // the path and printed.
  const [, rest = ''] = /^\w+:\/\/[^/?#]*(.*)$/s.exec(database) ?? []
  if (!URL.canParse(database) || rest.includes('@') || rest.includes('#')) {
    throw invalidUrlError(
      'Invalid database URL. Use the form postgres://user:password@host:5432/name and percent-encode special characters, such as %2F for / and %40 for @.',
    )
  }
  return new URL(database)
}

/** Parses a URL such as `postgres://user:password@host/name?schema=staging` (default schema: `paycli`). */
export function parseDatabaseUrl(database: string): DatabaseUrl {
  const url = parsePostgresUrl(database)
  validateParameters(url.searchParams)
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  validateSchema(schema)
  const port = url.searchParams.get('port')
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT)) {
    throw invalidUrlError(`Invalid database URL: port '${port}' must be a number from 1 to ${MAX_PORT}.`)
  }
  url.searchParams.delete('schema')
  return { connectionString: url.href, schema }
}

// Ignoring a misspelled or repeated parameter could select another schema or an unencrypted connection.
function validateParameters(params: URLSearchParams): void {
  const names = [...params.keys()]
  const unknown = names.find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) {
    const hint = /ssl|tls/i.test(unknown) ? 'For TLS write sslmode=verify-full. ' : ''
    throw invalidUrlError(
      `Invalid database URL: unknown parameter '${unknown}'. ${hint}Valid parameters: ${PARAMETERS.join(', ')}.`,
    )
  }
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined)
    throw invalidUrlError(
      `Invalid database URL: parameter '${repeated}' is given more than once. Give it once.`,
    )
  const mode = params.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw invalidUrlError(
      `Invalid database URL: unknown sslmode '${mode}'. Valid values: ${SSL_MODES.join(', ')}; verify-full encrypts and checks the server.`,
    )
  }
  const empty = CERTIFICATES.find((name) => params.get(name) === '')
  if (empty !== undefined)
    throw invalidUrlError(`Invalid database URL: parameter '${empty}' is empty. Give the path of a file.`)
}

/** Returns a warning when the connection to a remote database is not encrypted, or null. */
export function findPlainTextWarning(database: string): string | null {
  const { searchParams, hostname } = new URL(parseDatabaseUrl(database).connectionString)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const isLocal = host === '' || host.startsWith('/') || LOOPBACK.test(host)
  const mode = searchParams.get('sslmode')
  const isEncrypted = mode === null ? CERTIFICATES.some((name) => searchParams.has(name)) : mode !== 'disable'
  if (isLocal || isEncrypted) return null
  return `The connection to the database at ${host} is not encrypted: its password and all data cross the network in plain text. Add sslmode=verify-full to the URL.`
}

// The schema name becomes part of SQL statements, so only a plain identifier is safe.
function validateSchema(schema: string): void {
  const fix = 'Use lowercase letters, digits and _, such as ?schema=staging.'
  if (schema.length > MAX_SCHEMA_CHARACTERS) {
    throw invalidUrlError(
      `Invalid database URL: the schema name has ${schema.length} characters, and PostgreSQL allows ${MAX_SCHEMA_CHARACTERS}. ${fix}`,
    )
  }
  if (!SCHEMA.test(schema))
    throw invalidUrlError(`Invalid database URL: schema '${schema}' is not a valid name. ${fix}`)
  if (RESERVED_SCHEMA.test(schema))
    throw invalidUrlError(`Invalid database URL: PostgreSQL reserves the schema name '${schema}'. ${fix}`)
}

function invalidUrlError(message: string): StartupError {
  return new StartupError('database_url_invalid', message)
}

/** Returns the name of a database for messages and files: a file path unchanged, a URL without its password. */
export function formatDatabaseName(database: string): string {
  return isDatabaseUrl(database) ? redactDatabaseUrl(parseDatabaseUrl(database)) : database
}

/** Returns a database URL for messages: without the password, and without parameters other than the schema. */
export function redactDatabaseUrl({ connectionString, schema }: DatabaseUrl): string {
  const { protocol, username, host, pathname } = new URL(connectionString)
  const user = username === '' ? '' : `${username}@`
  return `${protocol}//${user}${host}${pathname}${schema === DEFAULT_SCHEMA ? '' : `?schema=${schema}`}`
}
