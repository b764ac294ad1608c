import type { string as stringArg } from '@oclif/core/args'
import type { boolean as booleanFlag, integer as integerFlag, string as stringFlag } from '@oclif/core/flags'
import { UsageError } from '../errors/usage-error.ts'

// The same values as oclif's functions of these names make, without its hundred modules: they would be half the
// time of a command.
type Options = Readonly<Record<string, unknown>>

interface IntegerFlag {
  readonly name: string
  readonly min?: number
  readonly max?: number
}

/** A flag that takes text, as oclif's own `string` makes it. */
export const string = ((options: Options = {}) => ({
  parse: asGiven,
  ...options,
  input: [],
  multiple: options['multiple'] === true,
  type: 'option',
})) as unknown as typeof stringFlag

/** A flag that takes a whole number between `min` and `max`, as oclif's own `integer` makes it. */
export const integer = ((options: Options = {}) => ({
  parse: asInteger,
  ...options,
  input: [],
  multiple: options['multiple'] === true,
  type: 'option',
})) as unknown as typeof integerFlag

/** A flag that is there or not, as oclif's own `boolean` makes it. */
export const boolean = ((options: Options = {}) => ({
  parse: asGiven,
  ...options,
  allowNo: options['allowNo'] === true,
  type: 'boolean',
})) as unknown as typeof booleanFlag

/** A positional word; unlike oclif's own it is never taken from standard input when it is missing. */
export const word = ((options: Options = {}) => ({
  parse: asGiven,
  ignoreStdin: true,
  ...options,
  input: [],
  type: 'option',
})) as unknown as typeof stringArg

async function asGiven(value: unknown): Promise<unknown> {
  return value
}

async function asInteger(text: string, _context: unknown, { name, min, max }: IntegerFlag): Promise<number> {
  const value = Number(text)
  if (/^-?\d+$/.test(text) && value >= (min ?? value) && value <= (max ?? value)) return value
  const message = `--${name} takes a whole number${boundsOf(min, max)}, not '${text}'.`
  throw new UsageError('flag_invalid', message, { param: name })
}

function boundsOf(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? '' : ` up to ${max}`
  return max === undefined ? ` from ${min} on` : ` from ${min} to ${max}`
}
