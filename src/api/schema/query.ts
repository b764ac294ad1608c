import { DomainError } from '../../domain/core/domain-error.ts'
import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'

const MAX_QUERY_PARAMETERS = 100

/** Parses a query string with the types of a schema: `a[b]=1` is an object, `a[]=x&a[]=y` a list. */
export function parseQuery(search: string, schema: ObjectSchema<unknown>): Record<string, unknown> {
  if (search === '') return {}
  const entries = [...new URLSearchParams(search)]
  if (entries.length > MAX_QUERY_PARAMETERS) {
    throw new DomainError(
      'parameter_invalid_array',
      `${entries.length} query parameters were given; the maximum is ${MAX_QUERY_PARAMETERS}.`,
    )
  }
  const params = new Map<string, unknown>()
  for (const entry of entries) setParam(params, entry, schema)
  return Object.fromEntries(params)
}

function setParam(
  params: Map<string, unknown>,
  [key, value]: readonly [key: string, value: string],
  schema: ObjectSchema<unknown>,
): void {
  const [, name = key, inner] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(key) ?? []
  const target = schema.properties[name]
  if (target === undefined) {
    params.set(key, value)
  } else if (inner === undefined) {
    params.set(name, parseBareValue(value, target))
  } else if (target.type === 'object' || (inner === '' && target.type === 'array')) {
    const before = params.get(name)
    // A string is invalid where the schema requires an object or array. Keep the string, so that validation reports it.
    if (typeof before !== 'string') params.set(name, mergeNested(before, target, { inner, value }))
  } else {
    params.set(key, value)
  }
}

function mergeNested(
  before: unknown,
  { type, properties }: Schema<unknown>,
  { inner, value }: { readonly inner: string; readonly value: string },
): unknown {
  if (type === 'array') return [...(Array.isArray(before) ? before : []), value]
  return { ...(typeof before === 'object' ? before : {}), [inner]: parseValue(value, properties?.[inner]) }
}

// A range without brackets, such as `created=7`, is an exact value.
function parseBareValue(value: string, schema: Schema<unknown>): unknown {
  if (schema.format !== 'range') return parseValue(value, schema)
  const exact = parseValue(value, { type: 'integer' })
  return typeof exact === 'number' ? { gte: exact, lte: exact } : exact
}

function parseValue(value: string, schema: Schema<unknown> | undefined): unknown {
  if (schema?.type === 'integer' && /^-?\d{1,17}$/.test(value)) return Number(value)
  if (schema?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
