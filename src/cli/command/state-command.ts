import { join } from 'node:path'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { findNearestName } from '../../api/schema/spelling.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { UsageError } from '../errors/usage-error.ts'
import { textArg } from '../parse/flag-builders.ts'
import { findFlagText } from '../parse/params.ts'
import { databaseFlag } from '../serve/resolve-database.ts'
import { resolvePathInHome } from '../service/home.ts'
import { BaseCommand, outputFlags, sandboxFlag } from './base-command.ts'

const MAX_NAMES_IN_HINT = 20

/** The argument that names a state. */
export const stateArg: ArgInput = { name: textArg({ description: 'Name of the state.', required: true }) }

/** Base class of the `paycli state` commands, which save, copy, list, compare and restore states. */
export abstract class StateCommand extends BaseCommand {
  static override baseFlags = outputFlags
  static override flags: FlagInput = { db: databaseFlag, sandbox: sandboxFlag }
}

/** Returns the folder of saved states. */
export function getStatesFolder(): string {
  return resolvePathInHome(process.env, 'states')
}

/** Returns the path of a state file. Throws when the name is not a plain file name. */
export function getStatePath(name: string, folder: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return join(folder, `${name}.json`)
  throw new UsageError('argument_invalid', `Invalid state name '${name}'.`, {
    hint: 'Use up to 100 letters, digits, dots, dashes and underscores. Start with a letter, digit or underscore.',
  })
}

/** Returns the path of a saved state. Throws when no saved state has this name. */
export function requireSavedStatePath(name: string, states: readonly { readonly name: string }[]): string {
  const file = getStatePath(name, getStatesFolder())
  const names = states.map((one) => one.name)
  if (names.includes(name)) return file
  const nearest = findNearestName(name, names)
  const others = names.length === 0 ? 'Save one first: paycli state save <name>' : listNames(names)
  const hint = nearest === null ? others : `Did you mean '${nearest}'?`
  throw new UsageError('state_missing', `State '${name}' does not exist.`, { hint })
}

function listNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES_IN_HINT ? ', … (see paycli state list)' : ''
  return `Saved states: ${names.slice(0, MAX_NAMES_IN_HINT).join(', ')}${more}`
}

/**
 * Returns the id or name of the sandbox to restore or compare. Without `--sandbox`, throws for a state of a sandbox
 * other than `default`, because `default` could be replaced by mistake.
 */
export function resolveStateTargetSandbox(name: string, given: unknown, savedFrom: string): string {
  const selected = findFlagText(given)
  if (selected !== undefined || savedFrom === DEFAULT_SANDBOX) return selected ?? DEFAULT_SANDBOX
  throw new UsageError('flag_missing', `State '${name}' was saved from the sandbox ${savedFrom}.`, {
    param: 'sandbox',
    hint: `Add --sandbox ${savedFrom}, the id or name of another sandbox, or --sandbox ${DEFAULT_SANDBOX}.`,
  })
}
