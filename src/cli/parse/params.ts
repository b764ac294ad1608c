import type { ObjectSchema, Schema } from '../../api/schema/schema.ts'
import { UsageError } from '../errors/usage-error.ts'
import { BOUNDS, flaggedParams, flagName, isNullable, kindOf } from './param-kinds.ts'
import { isMoment, parseMoment } from './timestamp.ts'

/** What the command line gave, by the name of the flag. */
export type FlagValues = Readonly<Record<string, unknown>>

export type Params = Readonly<Record<string, unknown>>

/** The parameters that flags made by `flagsOf` give; flags that were not given are left out. */
export function paramsFromFlags<P>(
  schema: ObjectSchema<P>,
  flags: FlagValues,
  omitted: readonly string[] = [],
): Partial<P> {
  const params = flaggedParams(schema, omitted).map(([name, param]) => [name, valueFrom(name, param, flags)])
  // As far as a schema can be told by flags, its type is what came out; the service checks the rest.
  return Object.fromEntries(params.filter(([, value]) => value !== undefined)) as Partial<P>
}

function valueFrom(name: string, schema: Schema<unknown>, flags: FlagValues): unknown {
  const flag = flagName(name)
  const kind = kindOf(name, schema)
  if (kind === 'range') return boundsFrom(name, flags)
  const value = flags[flag]
  if (value === undefined || kind === 'boolean') return value
  if (kind === 'list') return value
  if (kind === 'metadata') return metadataOrClear(flag, textsOf(value), schema)
  const text = String(value)
  if (text === '' && isNullable(schema)) return null
  return kind === 'text' ? text : numberFrom(flag, name, text)
}

// In an update one empty text stands for an empty object: it clears all keys, as an empty value clears its own.
function metadataOrClear(flag: string, pairs: readonly string[], schema: Schema<unknown>): unknown {
  const isClear = schema.format === 'metadata-update' && pairs.length === 1 && pairs[0] === ''
  return isClear ? '' : metadataFrom(flag, pairs)
}

function boundsFrom(name: string, flags: FlagValues): Params | undefined {
  const given = BOUNDS.flatMap((bound) => {
    const flag = `${flagName(name)}-${bound}`
    const value = flags[flag]
    return value === undefined ? [] : [[bound, numberFrom(flag, name, String(value))]]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function numberFrom(flag: string, name: string, text: string): number {
  if (isMoment(name)) return momentFrom(flag, text)
  const value = Number(text)
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value
  const isAmount = name === 'amount' && /^\d+[.,]\d+$/.test(text)
  throw new UsageError('flag_invalid', `--${flag} takes a whole number, not '${text}'.`, {
    param: flag,
    ...(isAmount ? { hint: 'Amounts are in minor units: 1250 with eur is 12.50 EUR.' } : {}),
  })
}

function momentFrom(flag: string, text: string): number {
  const seconds = parseMoment(text)
  if (seconds !== null) return seconds
  throw new UsageError('flag_invalid', `--${flag} takes a moment, not '${text}'.`, {
    param: flag,
    hint: 'Give Unix seconds, or ISO 8601 such as 2026-01-31 or 2026-01-31T08:00:00+01:00; UTC unless it names a zone.',
  })
}

/** Metadata from texts such as `order=1042`. */
export function metadataFrom(flag: string, pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf('=')
      if (end > 0) return [pair.slice(0, end), pair.slice(end + 1)]
      const message = `--${flag} takes key=value, not '${pair}'.`
      throw new UsageError('flag_invalid', message, {
        param: flag,
        hint: `For instance --${flag} order=1042`,
      })
    }),
  )
}

/** The values of a flag that may be repeated. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/**
 * Refuses a call without its required parameters, naming the flags of all that are missing, and beside them what is not
 * known: of parameters that are not known but miss nothing, a newer service may know more.
 */
export function requireParams<P>(
  schema: ObjectSchema<P>,
  params: Partial<P>,
  flagOf: (param: string) => string = flagName,
): asserts params is P & Partial<P> {
  const given = new Map(Object.entries(params))
  const missing = (schema.required ?? []).filter((name) => (given.get(name) ?? null) === null)
  const [first] = missing
  if (first === undefined) return
  const flags = missing.map((name) => `--${flagOf(name)}`)
  const noun = flags.length === 1 ? 'Missing flag' : 'Missing flags'
  const names = Object.keys(schema.properties)
  const strangers = {
    given: [...given.keys()].filter((name) => !names.includes(name)),
    known: names.filter((name) => !given.has(name)),
  }
  throw new UsageError('flag_missing', `${noun}: ${flags.join(', ')}.`, { param: flagOf(first), strangers })
}
