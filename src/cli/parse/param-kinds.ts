import type { ObjectSchema, Schema } from '../../api/schema/schema.ts'
import { isMoment } from './timestamp.ts'

/** How a parameter is given on the command line. */
export type ParamKind = 'text' | 'integer' | 'moment' | 'boolean' | 'list' | 'metadata' | 'range'

/** How the parameter of this name and schema is given; throws for one that no single flag could say. */
export function kindOf(name: string, schema: Schema<unknown>): ParamKind {
  const { format = '' } = schema
  if (format === 'metadata' || format === 'metadata-update') return 'metadata'
  if (format === 'range') return 'range'
  const [type] = [schema.type ?? 'string'].flat()
  if (type === 'string') return 'text'
  if (type === 'integer') return isMoment(name) ? 'moment' : 'integer'
  if (type === 'boolean') return 'boolean'
  if (type === 'array' && schema.items?.type === 'string') return 'list'
  throw new Error(`parameter '${name}' of type ${type} needs a flag of its own`)
}

/** Whether null unsets the parameter. */
export function isNullable(schema: Schema<unknown>): boolean {
  return [schema.type].flat().includes('null')
}

/** The flag of a parameter: its wire name with dashes. */
export function flagName(param: string): string {
  return param.replaceAll('_', '-')
}

/** The schema of a parameter that is an object itself. */
export function innerSchema<P, K extends keyof P & string>(
  schema: ObjectSchema<P>,
  name: K,
): ObjectSchema<P[K]> {
  const inner = schema.properties[name]
  if (inner?.properties === undefined) throw new Error(`parameter '${name}' is no object`)
  return { ...inner, properties: inner.properties } as ObjectSchema<P[K]>
}

/** The parameters of an operation that have flags: all but the positional id and the ones named. */
export function flaggedParams(
  schema: ObjectSchema<unknown>,
  omitted: readonly string[] = [],
): [name: string, schema: Schema<unknown>][] {
  return Object.entries(schema.properties).filter(([name]) => name !== 'id' && !omitted.includes(name))
}

/** The bounds a range may have. */
export const BOUNDS = ['gt', 'gte', 'lt', 'lte'] as const
