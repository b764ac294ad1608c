import { UsageError } from '../errors/usage-error.ts'
import { string } from '../parse/options.ts'
import { pathToRead } from '../service/home.ts'
import { ownService } from '../service/service-status.ts'
import { parseDatabase } from './serve-flags.ts'

/** Names the database that a command works on by itself. */
export const databaseFlag = string({
  description:
    "The database, a file or a postgres:// URL; the running service's, or else what PAYCLI_DB says or paycli.json in paycli's own folder.",
  helpValue: '<file|url>',
})

/** Names the database that a state is compared with, or put in the place of. */
export const stateDatabaseFlag = string({
  description:
    'The database, a file or a postgres:// URL; the one that the state was saved from unless given.',
  helpValue: '<file|url>',
})

/** The database that is meant; refuses when it is only in the memory of the running service, or of one elsewhere. */
export async function chosenDatabase(given: unknown): Promise<string> {
  if (typeof given === 'string') return parseDatabase(given)
  const { PAYCLI_API_BASE: base, PAYCLI_DB: fallback } = process.env
  const service = await ownService(process.env)
  if (service === null && base) {
    throw new UsageError('database_missing', `No service of yours on this machine is the one at ${base}.`, {
      hint: 'Name the database with --db <file|url>, or unset PAYCLI_API_BASE.',
    })
  }
  if (service === null) return fallback ? parseDatabase(fallback) : pathToRead(process.env, 'paycli.json')
  if (service.db !== null) return withPassword(service.db) ?? service.db
  throw new UsageError(
    'database_missing',
    'The running service keeps everything in memory, so there is no database.',
    { hint: 'Start it with --db <file>, or name another database with --db.' },
  )
}

/**
 * The database that a state belongs to: the one that is given, or else the one it was saved from, which may be known.
 * Never any other: what it holds would be lost.
 */
export function databaseOfState(state: string, given: unknown, savedFrom: string | null): string {
  if (typeof given === 'string') return parseDatabase(given)
  if (savedFrom === null) {
    throw new UsageError(
      'database_missing',
      `The state '${state}' does not say which database it is of: an older paycli saved it.`,
      { param: 'db', hint: 'Name the database with --db <file|url>.' },
    )
  }
  const database = withPassword(savedFrom)
  if (database !== null) return database
  throw new UsageError(
    'database_missing',
    `The state '${state}' is of ${savedFrom}, whose password is not kept, and PAYCLI_DB does not name that database.`,
    { param: 'db', hint: 'Give its URL with --db <url> or PAYCLI_DB=<url>.' },
  )
}

/** What has to be given so that a state of this database goes back to it. */
export function sameDatabaseFlag(database: string): string {
  return !isUrl(database) || database === process.env['PAYCLI_DB'] ? '' : ' --db <the same URL>'
}

/** What opens a database of this name: of a URL, which is kept without its password, PAYCLI_DB if it names the same. */
function withPassword(name: string): string | null {
  if (!isUrl(name)) return name
  const { PAYCLI_DB: known = '' } = process.env
  return isUrl(known) && placeOf(known) === placeOf(name) ? parseDatabase(known) : null
}

/** What tells the databases of two URLs apart: no password, and of the parameters only the schema. */
function placeOf(text: string): string {
  if (!URL.canParse(text)) return text
  const { username, host, pathname, searchParams } = new URL(text)
  return [username, host, pathname, searchParams.get('schema') ?? 'paycli'].join(' ')
}

function isUrl(database: string): boolean {
  return database.includes('://')
}
