import { join } from 'node:path'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { BaseCommand } from './base-command.ts'
import { readLocator } from './discovery.ts'
import { userHome } from './home.ts'
import { string, word } from './options.ts'
import { parseDatabase } from './serve-flags.ts'
import { UsageError } from './usage-error.ts'

/** The name of a state, as an argument. */
export const stateArg: ArgInput = { name: word({ description: 'The name of the state.', required: true }) }

/** The commands that save, compare and bring back what a database holds. */
export abstract class StateCommand extends BaseCommand {
  static override baseFlags: FlagInput = Object.fromEntries(
    ['json', 'field', 'color'].flatMap((name) => {
      const flag = BaseCommand.baseFlags[name]
      return flag === undefined ? [] : [[name, flag]]
    }),
  )
  static override flags: FlagInput = {
    db: string({
      description:
        "The database, a file or a postgres:// URL; the running service's, or else paycli.json in paycli's own folder.",
      helpValue: '<file|url>',
    }),
  }

  /** The database that is meant. */
  protected databaseOf(db: unknown): string {
    if (typeof db === 'string' && db !== '') return parseDatabase(db)
    const located = readLocator(process.env) ?? {}
    if (located['db'] === null) {
      throw new UsageError(
        'database_missing',
        'The running service keeps everything in memory, so there is no file.',
        {
          hint: 'Start it with --db <file>, or name another database with --db.',
        },
      )
    }
    const { PAYCLI_DB: given } = process.env
    // What is written down of a URL is without its password.
    if (given && (located['db'] === undefined || isUrl(located['db']))) return parseDatabase(given)
    return typeof located['db'] === 'string' ? located['db'] : join(userHome(process.env), 'paycli.json')
  }
}

function isUrl(database: unknown): boolean {
  return typeof database === 'string' && database.includes('://')
}

/** The folder in which states are kept. */
export function statesFolder(): string {
  return join(userHome(process.env), 'states')
}

/** The file of the state of this name. */
export function stateFile(name: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return join(statesFolder(), `${name}.json`)
  throw new UsageError('argument_invalid', `'${name}' is no name for a state.`, {
    hint: 'Use up to 100 letters, digits, dots, dashes and underscores.',
  })
}
