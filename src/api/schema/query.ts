import { DomainError } from '../../domain/domain-error.ts'
import type { ObjectSchema, Schema } from './schema.ts'

const MAX_QUERY_PARAMETERS = 100

/** The parameters in a query string, typed by the schema: `a[b]=1` is an object, `a[]=x&a[]=y` a list. */
export function parseQuery(search: string, schema: ObjectSchema<never>): Record<string, unknown> {
  if (search === '') return {}
  const entries = [...new URLSearchParams(search)]
  if (entries.length > MAX_QUERY_PARAMETERS) {
    throw new DomainError(
      'parameter_invalid_array',
      `${entries.length} query parameters were given; ${MAX_QUERY_PARAMETERS} are the most.`,
    )
  }
  const params = new Map<string, unknown>()
  for (const [key, value] of entries) setParam(params, key, { value, schema })
  return Object.fromEntries(params)
}

interface Given {
  readonly value: string
  readonly schema: ObjectSchema<never>
}

function setParam(params: Map<string, unknown>, key: string, { value, schema }: Given): void {
  const [, name = key, inner] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(key) ?? []
  const target = schema.properties[name]
  if (target === undefined) {
    params.set(key, value)
  } else if (inner === undefined) {
    params.set(name, bare(value, target))
  } else if (target.type === 'object' || (inner === '' && target.type === 'array')) {
    const before = params.get(name)
    // Bare text is refused, and what fits beside it does not make it good.
    if (typeof before !== 'string') params.set(name, joined(before, target, { inner, value }))
  } else {
    params.set(key, value)
  }
}

function joined(
  before: unknown,
  { type, properties }: Schema<unknown>,
  { inner, value }: { readonly inner: string; readonly value: string },
): unknown {
  if (type === 'array') return [...(Array.isArray(before) ? before : []), value]
  return { ...(typeof before === 'object' ? before : {}), [inner]: typed(value, properties?.[inner]) }
}

// A bare number for a range means exactly that number.
function bare(value: string, schema: Schema<unknown>): unknown {
  if (schema.format !== 'range') return typed(value, schema)
  const exact = typed(value, { type: 'integer' })
  return typeof exact === 'number' ? { gte: exact, lte: exact } : exact
}

function typed(value: string, schema: Schema<unknown> | undefined): unknown {
  if (schema?.type === 'integer' && /^-?\d{1,17}$/.test(value)) return Number(value)
  return value
}
