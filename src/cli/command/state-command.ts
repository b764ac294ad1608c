import { join } from 'node:path'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { nearestName } from '../../api/schema/spelling.ts'
import { UsageError } from '../errors/usage-error.ts'
import { word } from '../parse/options.ts'
import { databaseFlag } from '../serve/chosen-database.ts'
import { pathToRead } from '../service/home.ts'
import { BaseCommand } from './base-command.ts'

/** How many names of states a hint has. */
const MOST_NAMES = 20

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

/** The folder from which states are read. */
export function statesFolder(): string {
  return pathToRead(process.env, 'states')
}

/** The file of the state of this name in a folder of states. */
export function stateFile(name: string, folder: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return join(folder, `${name}.json`)
  throw new UsageError('argument_invalid', `'${name}' is no name for a state.`, {
    hint: 'Use up to 100 letters, digits, dots, dashes and underscores.',
  })
}

/** The file of a state that was saved; refuses a name that none of the saved ones has. */
export function savedStateFile(name: string, states: readonly { readonly name: string }[]): string {
  const file = stateFile(name, statesFolder())
  const names = states.map((one) => one.name)
  if (names.includes(name)) return file
  const nearest = nearestName(name, names)
  const others = names.length === 0 ? 'Save one first: paycli state save <name>' : listed(names)
  const hint = nearest === null ? others : `Did you mean '${nearest}'?`
  throw new UsageError('state_missing', `There is no state '${name}'.`, { hint })
}

function listed(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ', … (see paycli state list)' : ''
  return `There are: ${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
