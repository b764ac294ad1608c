import { isNullable, type ObjectSchema, type Schema } from '../../domain/core/schema.ts'
import { isAmountField, isTimestampField } from '../../domain/text/field-names.ts'
import { createInvalidFlagError, UsageError } from '../errors/usage-error.ts'
import { findMinorUnitsHint } from './minor-units.ts'
import {
  getParamFlagKind,
  isTimeOrNowParam,
  listParamsWithFlags,
  RANGE_BOUNDS,
  toDashedName,
} from './param-kinds.ts'
import { parseTimestampFlag } from './timestamp.ts'

/** The values of the flags on the command line, by flag name. */
export type FlagValues = Readonly<Record<string, unknown>>

/** Request parameters by wire name. */
export type Params = Readonly<Record<string, unknown>>

/** Returns the parameters that flags created by `createParamFlags` set. */
export function getParamsFromFlags<P>(
  schema: ObjectSchema<P>,
  flags: FlagValues,
  omitted: readonly string[] = [],
): Partial<P> {
  const params = listParamsWithFlags(schema, omitted).map(([name, param]) => [
    name,
    valueFrom(name, param, flags),
  ])
  // Flags guarantee only some types of the schema. The API validates the other values.
  return Object.fromEntries(params.filter(([, value]) => value !== undefined)) as Partial<P>
}

function valueFrom(name: string, schema: Schema<unknown>, flags: FlagValues): unknown {
  const flag = toDashedName(name)
  const kind = getParamFlagKind(name, schema)
  if (kind === 'range') return boundsFrom(name, flags)
  const value = flags[flag]
  if (value === undefined || kind === 'boolean' || kind === 'list') return value
  if (kind === 'metadata') return metadataOrClear(flag, listFlagValues(value), schema)
  if (kind === 'percent') return percentFrom(flag, String(value))
  const text = String(value)
  if (text === '' && isNullable(schema)) return null
  if (text === 'now' && isTimeOrNowParam(schema)) return text
  return kind === 'text' ? text : numberFrom(flag, name, text, flags)
}

// In an update, '' clears all metadata, just as an empty value clears a single key.
function metadataOrClear(flag: string, pairs: readonly string[], schema: Schema<unknown>): unknown {
  const isCleared = schema.format === 'metadata-update' && pairs.length === 1 && pairs[0] === ''
  return isCleared ? '' : parseMetadata(flag, pairs)
}

function boundsFrom(name: string, flags: FlagValues): Params | undefined {
  const bounds = RANGE_BOUNDS.flatMap((bound) => {
    const flag = `${toDashedName(name)}-${bound}`
    const value = flags[flag]
    return value === undefined ? [] : [[bound, numberFrom(flag, name, String(value), flags)]]
  })
  return bounds.length === 0 ? undefined : Object.fromEntries(bounds)
}

function numberFrom(flag: string, name: string, text: string, flags: FlagValues): number {
  if (isTimestampField(name)) return parseTimestampFlag(flag, text)
  const value = Number(text)
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) return value
  const hint = isAmountField(name)
    ? (findMinorUnitsHint(text, `--${flag} `, flags['currency']) ??
      `Amounts are in minor units: for 12.50 EUR use --${flag} 1250.`)
    : `Write a whole number, such as --${flag} 10.`
  throw createInvalidFlagError(flag, text, 'an integer', hint)
}

function percentFrom(flag: string, text: string): number {
  if (/^\d{1,3}(?:\.\d{1,4})?$/.test(text)) return Number(text)
  const number = /^\d{1,3}(?:\.\d{1,4})?(?=\s*%$)/.exec(text)?.[0] ?? '20'
  throw createInvalidFlagError(flag, text, 'a percentage without a percent sign', `Use --${flag} ${number}`)
}

/** Parses metadata pairs such as `order=1042`. */
export function parseMetadata(flag: string, pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf('=')
      if (end > 0) return [pair.slice(0, end), pair.slice(end + 1)]
      throw createInvalidFlagError(flag, pair, 'key=value', `For example: --${flag} order=1042`)
    }),
  )
}

/** Returns the value of a flag, or undefined when it is absent or empty. */
export function findFlagText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the values of a flag that can be repeated. */
export function listFlagValues(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/**
 * Throws when required parameters are missing. The error names all missing flags and the unknown parameters, which may
 * be misspelled. Unknown parameters alone are not an error, because a newer server may know them.
 */
export function requireParams<P>(
  schema: ObjectSchema<P>,
  params: Partial<P>,
  paramFlagName: (param: string) => string = toDashedName,
): asserts params is P & Partial<P> {
  const given = new Map(Object.entries(params))
  const missing = (schema.required ?? []).filter((name) => (given.get(name) ?? null) === null)
  const [first] = missing
  if (first === undefined) return
  const flags = missing.map((name) => `--${paramFlagName(name)}`)
  const noun = flags.length === 1 ? 'Missing flag' : 'Missing flags'
  const names = Object.keys(schema.properties)
  const unknownNames = {
    given: [...given.keys()].filter((name) => !names.includes(name)),
    known: names.filter((name) => !given.has(name)),
  }
  throw new UsageError('flag_missing', `${noun}: ${flags.join(', ')}.`, {
    param: paramFlagName(first),
    unknownNames,
  })
}
