import { StartupProblem } from '../../domain/startup-problem.ts'

/** What a URL can say beside its address; the driver would pass over anything else in silence, and connect without TLS. */
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
/** Parameters of which each turns TLS on, unless `sslmode` turns it off. */
const CERTIFICATES = ['sslrootcert', 'sslcert', 'sslkey']
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i
const MAX_PORT = 65_535
const DEFAULT_SCHEMA = 'paycli'
/** PostgreSQL cuts longer names off. */
const MAX_SCHEMA_CHARACTERS = 63
const SCHEMA = /^[a-z_][a-z0-9_]*$/
/** PostgreSQL keeps these for itself. */
const RESERVED_SCHEMA = /^(pg_|information_schema$)/

/** Where a PostgreSQL database is, and which schema of it is paycli's. */
export interface DatabaseUrl {
  readonly connectionString: string
  readonly schema: string
}

/** Whether what names a database is the URL of a PostgreSQL one. */
export function isDatabaseUrl(database: string): boolean {
  return /^postgres(ql)?:\/\//i.test(database)
}

/** Reads a URL such as `postgres://user:password@host/name?schema=staging`; the schema is `paycli` unless it names one. */
export function parseDatabaseUrl(database: string): DatabaseUrl {
  // A password with / ? or # in it ends the address early: its rest would be taken for a name, and shown.
  const [, rest = ''] = /^\w+:\/\/[^/?#]*(.*)$/s.exec(database) ?? []
  if (!URL.canParse(database) || rest.includes('@') || rest.includes('#')) {
    throw invalid(
      'The database URL cannot be read. Write postgres://user:password@host:5432/name, special characters percent-encoded, such as %2F for / and %40 for @.',
    )
  }
  const url = new URL(database)
  requireParameters(url.searchParams)
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  requireSchema(schema)
  const port = url.searchParams.get('port')
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= MAX_PORT)) {
    throw invalid(`The port '${port}' of the database URL is no number from 1 to ${MAX_PORT}.`)
  }
  url.searchParams.delete('schema')
  return { connectionString: url.href, schema }
}

// A misspelt or repeated parameter must not be passed over: the schema would be another one, or the connection plain text.
function requireParameters(given: URLSearchParams): void {
  const names = [...given.keys()]
  const unknown = names.find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) {
    const hint = /ssl|tls/i.test(unknown) ? 'For TLS write sslmode=verify-full. ' : ''
    throw invalid(
      `Invalid database URL: unknown parameter '${unknown}'. ${hint}Valid parameters: ${PARAMETERS.join(', ')}.`,
    )
  }
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined)
    throw invalid(`Invalid database URL: parameter '${repeated}' is given more than once. Give it once.`)
  const mode = given.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw invalid(
      `Invalid database URL: unknown sslmode '${mode}'. Valid values: ${SSL_MODES.join(', ')}; verify-full encrypts and checks the server.`,
    )
  }
  const empty = CERTIFICATES.find((name) => given.get(name) === '')
  if (empty !== undefined)
    throw invalid(`Invalid database URL: parameter '${empty}' is empty. Give the path of a file.`)
}

/** Returns a warning when the database is on another machine and the connection to it is not encrypted, or null. */
export function plainTextWarning(database: string): string | null {
  const { searchParams, hostname } = new URL(parseDatabaseUrl(database).connectionString)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const isLocal = host === '' || host.startsWith('/') || LOOPBACK.test(host)
  const mode = searchParams.get('sslmode')
  const isEncrypted = mode === null ? CERTIFICATES.some((name) => searchParams.has(name)) : mode !== 'disable'
  if (isLocal || isEncrypted) return null
  return `The connection to the database at ${host} is not encrypted: its password and all data cross the network in plain text. Add sslmode=verify-full to the URL.`
}

// It becomes part of statements, where nothing but a plain name is safe.
function requireSchema(schema: string): void {
  const use = 'Use small letters, digits and _, such as ?schema=staging.'
  if (schema.length > MAX_SCHEMA_CHARACTERS) {
    throw invalid(
      `The schema of the database URL has ${schema.length} characters, and PostgreSQL takes ${MAX_SCHEMA_CHARACTERS}. ${use}`,
    )
  }
  if (!SCHEMA.test(schema))
    throw invalid(`The schema '${schema}' of the database URL is no plain name. ${use}`)
  if (RESERVED_SCHEMA.test(schema))
    throw invalid(
      `The schema '${schema}' of the database URL is one that PostgreSQL keeps for itself. ${use}`,
    )
}

function invalid(message: string): StartupProblem {
  return new StartupProblem('database_url_invalid', message)
}

/** What names a database, for people and files to keep: the path of a file as it is, a URL without its password. */
export function nameOfDatabase(database: string): string {
  return isDatabaseUrl(database) ? withoutSecrets(parseDatabaseUrl(database)) : database
}

/** The address of a database for people to read: no password, and of the parameters only the schema. */
export function withoutSecrets({ connectionString, schema }: DatabaseUrl): string {
  const { protocol, username, host, pathname } = new URL(connectionString)
  const user = username === '' ? '' : `${username}@`
  return `${protocol}//${user}${host}${pathname}${schema === DEFAULT_SCHEMA ? '' : `?schema=${schema}`}`
}
