import { join } from 'node:path'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { BaseCommand } from './base-command.ts'
import { databaseFlag } from './chosen-database.ts'
import { userHome } from './home.ts'
import { word } from './options.ts'
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
  static override flags: FlagInput = { db: databaseFlag }
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
