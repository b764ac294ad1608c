import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from '../parse/params.ts'

/** What only a target makes useful. */
const OF_TARGETS = ['headers', 'skip-verify', 'fail-on-error']
/** What `--print-secret` leaves to choose: how it is printed, and where it is asked for. */
const BESIDE_SECRET = [
  ...['print-secret', 'json', 'print-json', 'format', 'output', 'field', 'color'],
  ...['api-base', 'api-key', 'profile'],
]

/** Refuses flags of `webhooks listen` that would do nothing beside the others. */
export function refuseIdleFlags(flags: FlagValues, hasTargets: boolean): void {
  const given = Object.keys(flags).filter((name) => isGiven(flags[name]))
  if (given.includes('print-secret')) {
    const idle = given.find((name) => !BESIDE_SECRET.includes(name))
    if (idle !== undefined) throw clash('print-secret', idle, '--print-secret prints it and ends.')
  }
  const homeless = hasTargets ? undefined : given.find((name) => OF_TARGETS.includes(name))
  if (homeless !== undefined) {
    throw new UsageError('flag_missing', `--${homeless} is for what is forwarded, and there is no target.`, {
      param: 'forward-to',
      hint: `For instance --forward-to 3000/webhooks --${homeless}${homeless === 'headers' ? " 'X-Tenant: 7'" : ''}`,
    })
  }
  refuseIdleOutput(given, flags['output'])
}

/** Refuses `--field` beside a command that is run: what that prints is its own, and no answer is printed. */
export function refuseIdleField(flags: FlagValues, command: readonly string[]): void {
  if (command.length === 0 || !isGiven(flags['field'])) return
  throw new UsageError('flag_invalid', '--field does nothing here: only the command after -- prints.', {
    param: 'field',
    hint: 'Leave out --field or the command.',
  })
}

function refuseIdleOutput(given: readonly string[], output: unknown): void {
  const isWhole = output === undefined || output === 'compact' || output === 'json'
  if (given.includes('field') && output !== undefined && output !== 'json')
    throw clash('field', 'output', '--field prints nothing but these fields.')
  if (!given.includes('show-body')) return
  if (given.includes('field')) throw clash('field', 'show-body', '--field prints nothing but these fields.')
  if (isWhole) return
  const why =
    output === 'quiet' ? 'quiet tells of nothing but failures' : 'the screen shows bodies with Enter'
  throw clash('output', 'show-body', `${why}.`)
}

function clash(flag: string, idle: string, why: string): UsageError {
  const hint = `Leave out --${idle} or --${flag}.`
  return new UsageError('flag_invalid', `--${idle} does nothing beside --${flag}: ${why}`, {
    param: idle,
    hint,
  })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}
