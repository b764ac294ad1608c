import { StartupProblem } from '../domain/startup-problem.ts'

const DEFAULT_SCHEMA = 'paycli'
/** PostgreSQL cuts longer names off. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

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
  if (!URL.canParse(database)) {
    throw new StartupProblem(
      'database_url_invalid',
      'The database URL cannot be read. Write postgres://user:password@host:5432/name, special characters percent-encoded.',
    )
  }
  const url = new URL(database)
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA
  if (!SCHEMA.test(schema)) {
    throw new StartupProblem(
      'database_url_invalid',
      `The schema '${schema}' of the database URL is no plain name. Use small letters, digits and _, such as ?schema=staging.`,
    )
  }
  url.searchParams.delete('schema')
  return { connectionString: url.href, schema }
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
