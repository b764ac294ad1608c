import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'

/** Flags that have an effect only with a target. */
const TARGET_FLAGS = ['header', 'headers', 'skip-verify', 'fail-on-error']
/** Flags that have an effect with `--print-secret`. */
const SECRET_FLAGS = [
  ...['print-secret', 'json', 'print-json', 'format', 'output', 'field', 'color'],
  ...['api-base', 'api-key', 'profile'],
]

/** Throws for a flag of `webhooks listen` that has no effect because of another flag. */
export function rejectConflictingFlags(flags: FlagValues, hasTargets: boolean): void {
  const given = Object.keys(flags).filter((name) => isGiven(flags[name]))
  if (given.includes('print-secret')) {
    const ignored = given.find((name) => !SECRET_FLAGS.includes(name))
    if (ignored !== undefined)
      throw conflictError('print-secret', ignored, 'the command prints the secret and ends.')
  }
  const unused = hasTargets ? undefined : given.find((name) => TARGET_FLAGS.includes(name))
  if (unused !== undefined) {
    throw new UsageError('flag_missing', `--${unused} requires a target.`, {
      param: 'forward-to',
      hint: `For instance --forward-to 3000/webhooks --${unused}${unused.startsWith('header') ? " 'X-Tenant: 7'" : ''}`,
    })
  }
  rejectConflictingOutput(given, flags['output'])
}

/** Throws for `--field` with a command to run, because no response is printed. */
export function rejectFieldWithCommand(flags: FlagValues, command: readonly string[]): void {
  if (command.length === 0 || !isGiven(flags['field'])) return
  throw new UsageError(
    'flag_invalid',
    '--field has no effect: with a command after --, no response is printed.',
    {
      param: 'field',
      hint: 'Omit --field or the command.',
    },
  )
}

function rejectConflictingOutput(given: readonly string[], output: unknown): void {
  const hasBodies = output === undefined || output === 'compact' || output === 'json'
  if (given.includes('field') && output !== undefined && output !== 'json')
    throw conflictError('field', 'output', '--field prints only these fields.')
  if (!given.includes('show-body')) return
  if (given.includes('field')) throw conflictError('field', 'show-body', '--field prints only these fields.')
  if (hasBodies) return
  const reason = output === 'quiet' ? 'quiet prints only failures' : 'the screen shows bodies with Enter'
  throw conflictError('output', 'show-body', `${reason}.`)
}

function conflictError(flag: string, ignored: string, reason: string): UsageError {
  const hint = `Omit --${ignored} or --${flag}.`
  return new UsageError('flag_invalid', `--${ignored} has no effect with --${flag}: ${reason}`, {
    param: ignored,
    hint,
  })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}
