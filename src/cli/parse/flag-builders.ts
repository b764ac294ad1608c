import type { string as stringArg } from '@oclif/core/args'
import type { boolean as booleanFlag, integer as integerFlag, string as stringFlag } from '@oclif/core/flags'
import type { OptionFlag } from '@oclif/core/interfaces'
import { createInvalidFlagError } from '../errors/usage-error.ts'

// These functions return the same definitions as oclif's functions of the same names. Loading the functions of oclif
// would take half the run time of a command.
type Options = Readonly<Record<string, unknown>>

/** Creates a flag with a string value. */
export const string = ((options: Options = {}) => ({
  parse: parseText,
  multiple: false,
  ...options,
  input: [],
  type: 'option',
})) as unknown as typeof stringFlag

/** Creates a flag that can be repeated. Each occurrence takes one value, or several values separated by `delimiter`. */
export function repeatable(options: Partial<OptionFlag<string[] | undefined>>) {
  return string({ ...options, multiple: true, multipleNonGreedy: true })
}

/** Creates a flag with an integer value from `min` to `max`. */
export const integer = ((options: Options = {}) =>
  string({ parse: parseInteger as never, ...options })) as unknown as typeof integerFlag

/** Creates a flag without a value. */
export const boolean = ((options: Options = {}) => ({
  parse: parseText,
  ...options,
  allowNo: options['allowNo'] === true,
  type: 'boolean',
})) as unknown as typeof booleanFlag

/** Creates a positional argument. In contrast to oclif, a missing argument is not read from standard input. */
export const textArg = ((options: Options = {}) => ({
  parse: parseText,
  ignoreStdin: true,
  ...options,
  input: [],
  type: 'option',
})) as unknown as typeof stringArg

async function parseText(value: unknown): Promise<unknown> {
  return value
}

const MAX_PORT = 65_535

async function parseInteger(
  text: string,
  _context: unknown,
  { name, min, max }: { readonly name: string; readonly min?: number; readonly max?: number },
): Promise<number> {
  const value = Number(text)
  if (/^-?\d+$/.test(text) && value >= (min ?? value) && value <= (max ?? value)) return value
  const example = max === MAX_PORT ? 4200 : Math.max(min ?? 0, Math.min(max ?? 10, 10))
  throw createInvalidFlagError(
    name,
    text,
    `an integer${describeBounds(min, max)}`,
    `For instance: --${name} ${example}`,
  )
}

function describeBounds(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? '' : ` of at most ${max}`
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`
}
