import type { HttpMethod } from '../api/core/operation.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/** The part of an operation that a call by the client requires. */
export interface CallableOperation {
  readonly method: HttpMethod
  readonly path: string
}

/** An HTTP request; `path` includes the query. */
export interface HttpRequest {
  readonly method: HttpMethod
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Returns the HTTP request of an operation; a POST gets an idempotency key (default: a new key). */
export function toHttpRequest(
  operation: CallableOperation,
  params: object,
  idempotencyKey: string = newIdempotencyKey(),
): HttpRequest {
  const { id, ...others } = { id: undefined, ...params }
  const path = operation.path.replace(':id', encodeURIComponent(String(id)))
  // The path of a create operation has no id, so an id chosen by the caller belongs in the body, such as a coupon id.
  const rest = operation.path.includes(':id') ? others : params
  const headers = { Accept: 'application/json' }
  if (operation.method !== 'POST') {
    const query = toQueryString(rest)
    return { method: operation.method, path: query === '' ? path : `${path}?${query}`, headers, body: null }
  }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify(rest),
  }
}

/** Returns a query string with `created[gte]=1` for objects and `types[]=a` for lists, without undefined values. */
export function toQueryString(params: object): string {
  return Object.entries(params)
    .flatMap(([name, value]) => toQueryPairs(name, value))
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
}

function toQueryPairs(name: string, value: unknown): [name: string, value: string][] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => toQueryPairs(`${name}[]`, item))
  if (typeof value !== 'object') return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => toQueryPairs(`${name}[${key}]`, inner))
}
