import { join } from 'node:path'
import { readLocator } from './discovery.ts'
import { userHome } from './home.ts'
import { string } from './options.ts'
import { parseDatabase } from './serve-flags.ts'
import { UsageError } from './usage-error.ts'

/** Names the database that a command works on by itself. */
export const databaseFlag = string({
  description:
    "The database, a file or a postgres:// URL; the running service's, or else what PAYCLI_DB says or paycli.json in paycli's own folder.",
  helpValue: '<file|url>',
})

/** The database that is meant; refuses when it is only in the memory of the running service. */
export function chosenDatabase(given: unknown): string {
  if (typeof given === 'string' && given !== '') return parseDatabase(given)
  const { db: running } = readLocator(process.env) ?? {}
  if (running === null) {
    throw new UsageError(
      'database_missing',
      'The running service keeps everything in memory, so there is no database.',
      { hint: 'Start it with --db <file>, or name another database with --db.' },
    )
  }
  const { PAYCLI_DB: fallback } = process.env
  // What is written down of a URL is without its password.
  if (fallback && (running === undefined || isUrl(running))) return parseDatabase(fallback)
  return typeof running === 'string' ? running : join(userHome(process.env), 'paycli.json')
}

function isUrl(database: unknown): boolean {
  return typeof database === 'string' && database.includes('://')
}
