import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { createOpenApiDocument, type OpenApiDocument } from '../../src/api/openapi/openapi.ts'
import { toApiErrorResponse } from '../../src/api/schema/errors.ts'
import type { DomainError } from '../../src/domain/core/domain-error.ts'

const API_URL = 'http://127.0.0.1:4100'
const REQUEST_ID = 'req_Contract0000000000000000'

/** The OpenAPI document, against which tests check every response. */
export const DOCUMENT: OpenApiDocument = createOpenApiDocument({ apiUrl: API_URL, version: '0.0.0' })

/** A response of the API, with the method and path of its request. */
export interface Seen {
  readonly method: string
  /** The path of the request, with or without the query. */
  readonly path: string
  readonly status: number
  readonly text: string
}

// The document itself is validated once, in test/api/openapi; here that would take 50 ms in each test file. Each
// process compiles its schemas and checks few values, so compiling must be fast, not the compiled code.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
})
ajv.addSchema(DOCUMENT, 'document')

const JSON_CONTENT = ['content', 'application/json', 'schema']

/** Statuses of responses outside operations: invalid key, unknown host, unknown route. */
const OF_NO_PATH = [401, 403, 404]

const PATHS = Object.keys(DOCUMENT.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace('{id}', '[^/]+')}$`),
}))

/** Throws unless a value matches the schema at this path of the document. */
export function checkSchema(steps: readonly string[], value: unknown, what: string): void {
  const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  const check: ValidateFunction | undefined = ajv.getSchema(`document#${encodeURI(pointer)}`)
  if (check === undefined) throw new Error(`${what}: the document has nothing at ${pointer}`)
  if (check(value)) return
  const faults = (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  )
  throw new Error(`${what} is not as published:\n  ${faults.join('\n  ')}\n  ${JSON.stringify(value)}`)
}

/** Throws unless an HTTP response of the API matches the document. */
export function checkResponse({ method, path, status, text }: Seen): void {
  const [bare = ''] = path.split('?')
  const what = `${status} of ${method} ${bare}`
  const operation = operationAt(method, bare)
  const isOfApi = bare.startsWith('/v1/')
  if (status < 400) {
    if (isOfApi && (operation === null || status !== 200)) throw new Error(`${what} is published nowhere`)
    if (operation !== null) checkResult(operation, JSON.parse(text), what)
    return
  }
  const body: { readonly error?: { readonly code?: string } } = JSON.parse(text)
  if (status === 405) checkSchema(['components', 'schemas', 'error'], body.error, what)
  else checkSchema(['components', 'responses', `error_${status}`, ...JSON_CONTENT], body, what)
  // Tests serve a sandbox without the streams of a daemon.
  const isUnserved = bare.startsWith('/v1/stream') && body.error?.code === 'route_not_found'
  const isKnown =
    operation === null || isUnserved
      ? !isOfApi || hasPath(bare) || OF_NO_PATH.includes(status)
      : isPublished(operation, status)
  if (!isKnown) throw new Error(`${what} (${body.error?.code}) is not among the published answers`)
}

/** Throws unless a result matches the documented response of the operation. */
export function checkCallResult(called: Callable, result: unknown): void {
  const operation = operationOf(called)
  if (operation !== null) checkResult(operation, overTheWire(result), `${called.method} ${called.path}`)
}

/** Throws unless an accepted body matches the documented request of the operation; null may stand for an absent field. */
export function checkCallRequest(called: Callable, body: unknown): void {
  const operation = operationOf(called)
  if (operation === null || body === undefined) return
  const [, path = '', verb = ''] = operation
  const isTaken = DOCUMENT.paths[path]?.[verb]?.requestBody !== undefined
  const steps = [...operation, 'requestBody', ...JSON_CONTENT]
  const given = isUpdate(called) ? body : withoutNulls(body)
  if (isTaken) checkSchema(steps, given, `body of ${called.method} ${called.path}`)
}

/** Throws unless an error becomes a documented response of the operation. */
export function checkCallRefusal({ method, path }: Callable, refusal: DomainError): void {
  const { status, body } = toApiErrorResponse(refusal, { requestId: REQUEST_ID, apiUrl: API_URL })
  checkResponse({ method, path, status, text: JSON.stringify(body) })
}

/** Throws unless an event matches the documented webhook of its type. */
export function checkEvent(event: { readonly type: string }): void {
  const steps = ['components', 'schemas', `event_${event.type.replace('.', '_')}`]
  checkSchema(steps, overTheWire(event), event.type)
}

interface Callable {
  readonly method: string
  readonly path: string
}

function isUpdate(called: Callable): boolean {
  return 'nulls' in called && called.nulls === 'unset'
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner)]))
}

function checkResult(operation: readonly string[], result: unknown, what: string): void {
  checkSchema([...operation, 'responses', '200', ...JSON_CONTENT], result, what)
  for (const event of eventsIn(result)) checkEvent(event)
}

function eventsIn(value: unknown): { readonly type: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if ('data' in value && Array.isArray(value.data)) return value.data.flatMap(eventsIn)
  const isEvent = 'object' in value && value.object === 'event' && 'type' in value
  return isEvent ? [{ ...value, type: String(value.type) }] : []
}

function operationAt(method: string, path: string): string[] | null {
  const found = PATHS.find(({ pattern }) => pattern.test(path))
  return found === undefined ? null : known(found.path, method)
}

function hasPath(path: string): boolean {
  return PATHS.some(({ pattern }) => pattern.test(path))
}

function operationOf({ method, path }: Callable): string[] | null {
  return known(path.replace(':id', '{id}'), method)
}

function known(path: string, method: string): string[] | null {
  const verb = method.toLowerCase()
  return DOCUMENT.paths[path]?.[verb] === undefined ? null : ['paths', path, verb]
}

function isPublished([, path = '', verb = '']: readonly string[], status: number): boolean {
  return DOCUMENT.paths[path]?.[verb]?.responses[status] !== undefined
}

function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
