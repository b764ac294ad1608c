import type { Method } from '../api/core/operation.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/** What of an operation it takes to call it. */
export interface Callable {
  readonly method: Method
  readonly path: string
}

/** A request as it goes over the wire; `path` comes with its query. */
export interface Outgoing {
  readonly method: Method
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Spreads parameters over path, query and body; a POST also gets an idempotency key, a new one unless given. */
export function requestOf(
  operation: Callable,
  params: object,
  idempotencyKey: string = newIdempotencyKey(),
): Outgoing {
  const { id, ...rest } = { id: undefined, ...params }
  const path = operation.path.replace(':id', encodeURIComponent(String(id)))
  const headers = { Accept: 'application/json' }
  if (operation.method !== 'POST') {
    const query = queryOf(rest)
    return { method: operation.method, path: query === '' ? path : `${path}?${query}`, headers, body: null }
  }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify(rest),
  }
}

/** A query string with `created[gte]=1` for objects and `types[]=a` for lists; what is undefined is left out. */
export function queryOf(params: object): string {
  return Object.entries(params)
    .flatMap(([name, value]) => pairsOf(name, value))
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
}

function pairsOf(name: string, value: unknown): [name: string, value: string][] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(`${name}[]`, item))
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner))
}
