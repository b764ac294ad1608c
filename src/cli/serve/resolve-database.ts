import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/flag-builders.ts'
import { resolvePathInHome } from '../service/home.ts'
import { findConfiguredService, listRunningServices } from '../service/service-status.ts'
import { parseDatabase } from './serve-flags.ts'

/** The database flag of commands that open a database directly. */
export const databaseFlag = string({
  description:
    "Database file or postgres:// URL (default: the database of the running server, else PAYCLI_DB, else paycli.json in paycli's folder).",
  helpValue: '<file|url>',
})

/** The flag for the database that a state is compared with or restored to. */
export const stateTargetDatabaseFlag = string({
  description: 'Database file or postgres:// URL (default: the database from which the state was saved).',
  helpValue: '<file|url>',
})

/**
 * Returns the database of `--db`, else the database of the running server, else the default database. Throws for a
 * database in memory or on another machine.
 */
export async function resolveServerDatabase(flag: unknown): Promise<string> {
  if (typeof flag === 'string') return parseDatabase(flag)
  const { PAYCLI_API_BASE: base, PAYCLI_DB: fallback } = process.env
  const service = findConfiguredService(await listRunningServices(process.env), process.env)
  if (service === null && base) {
    throw new UsageError(
      'database_missing',
      `Cannot determine the database: the server at ${base} is not one of your servers on this machine.`,
      {
        hint: 'Set the database with --db <file|url>, or unset PAYCLI_API_BASE.',
      },
    )
  }
  if (service === null)
    return fallback ? parseDatabase(fallback) : resolvePathInHome(process.env, 'paycli.json')
  if (service.db !== null) return withPassword(service.db) ?? service.db
  throw new UsageError(
    'database_missing',
    'The running server stores its data in memory and has no database.',
    {
      hint: 'Start the server with --db <file>, or choose another database with --db.',
    },
  )
}

/**
 * Returns the database of `--db`, else the database from which the state was saved. There is no other default, because
 * restoring a state overwrites the database.
 */
export function resolveStateTargetDatabase(state: string, flag: unknown, savedFrom: string | null): string {
  if (typeof flag === 'string') return parseDatabase(flag)
  if (savedFrom === null) {
    throw new UsageError(
      'database_missing',
      `The database of state '${state}' is unknown: an older paycli saved it.`,
      { param: 'db', hint: 'Set the database with --db <file|url>.' },
    )
  }
  const database = withPassword(savedFrom)
  if (database !== null) return database
  throw new UsageError(
    'database_missing',
    `The password of ${savedFrom}, the database of state '${state}', is unknown: states do not store it, and PAYCLI_DB names another database.`,
    { param: 'db', hint: 'Give the URL of the database with --db <url> or PAYCLI_DB=<url>.' },
  )
}

/** Returns the flag needed to restore a state to this database, or an empty string. */
export function formatDatabaseFlag(database: string): string {
  return !isUrl(database) || database === process.env['PAYCLI_DB'] ? '' : ' --db <the same URL>'
}

// Stored URLs have no password. PAYCLI_DB supplies the password if it names the same database.
function withPassword(name: string): string | null {
  if (!isUrl(name)) return name
  const { PAYCLI_DB: known = '' } = process.env
  return isUrl(known) && databaseIdentity(known) === databaseIdentity(name) ? parseDatabase(known) : null
}

/** Returns the parts of a URL that identify the database: no password, and only the schema parameter. */
function databaseIdentity(text: string): string {
  if (!URL.canParse(text)) return text
  const { username, host, pathname, searchParams } = new URL(text)
  return [username, host, pathname, searchParams.get('schema') ?? 'paycli'].join(' ')
}

function isUrl(database: string): boolean {
  return database.includes('://')
}
