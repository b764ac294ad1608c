import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'
import { isTimestampField } from '../../domain/text/field-names.ts'

/** Returns the kind of flag for a parameter. Throws when no generic flag can set it. */
export function getParamFlagKind(name: string, schema: Schema<unknown>) {
  const { format = '' } = schema
  if (format === 'metadata' || format === 'metadata-update') return 'metadata'
  if (format === 'range') return 'range'
  if (format === 'tax-percent' || format === 'percent-off') return 'percent'
  const [type] = [schema.type ?? 'string'].flat()
  if (type === 'string') return 'text'
  if (type === 'integer') return isTimestampField(name) ? 'timestamp' : 'integer'
  if (type === 'boolean') return 'boolean'
  if (type === 'array' && schema.items?.type === 'string') return 'list'
  throw new Error(`Parameter '${name}' of type ${type} needs a hand-written flag`)
}

/** Returns whether a parameter is a timestamp or `now`. */
export function isTimeOrNowParam({ format }: Schema<unknown>): boolean {
  return format === 'time-or-now'
}

/** Returns the flag name of a parameter: its wire name with dashes. */
export function toDashedName(param: string): string {
  return param.replaceAll('_', '-')
}

/** Returns the schema of a parameter that is an object. */
export function getObjectParamSchema<P, K extends keyof P & string>(
  schema: ObjectSchema<P>,
  name: K,
): ObjectSchema<P[K]> {
  const inner = schema.properties[name]
  if (inner?.properties === undefined) throw new Error(`Parameter '${name}' is not an object`)
  return { ...inner, properties: inner.properties } as ObjectSchema<P[K]>
}

/** Returns the parameters that have flags: all except the positional id and the omitted parameters. */
export function listParamsWithFlags(
  schema: ObjectSchema<unknown>,
  omitted: readonly string[] = [],
): [name: string, schema: Schema<unknown>][] {
  return Object.entries(schema.properties).filter(([name]) => name !== 'id' && !omitted.includes(name))
}

/** The bounds of a range parameter. */
export const RANGE_BOUNDS = ['gt', 'gte', 'lt', 'lte'] as const
