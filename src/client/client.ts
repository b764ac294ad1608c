import type { ParamsOf, ResultOf } from '../api/core/operation.ts'
import { isJsonObject, parseJson } from '../domain/core/json-object.ts'
import { type CallableOperation, type HttpRequest, toHttpRequest } from './request.ts'
import { type HttpResponse, readResponse, sendHttpRequest } from './send-request.ts'
import type { ServerConnection } from './server-connection.ts'
import type { KeptConnection } from './server-proof.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 3
const MAX_PAUSE_MS = 5000
const LOST_CONNECTION: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

export interface ClientOptions extends ServerConnection {
  /** The idempotency key of every POST, or a function that returns the next key (default: a new key for each call). */
  readonly idempotencyKey?: string | (() => string) | undefined
  /** Timeout of a call with its retries in milliseconds; Infinity disables the timeout (default: 30000). */
  readonly timeoutMs?: number
  /** Keeps one connection for all calls, which then wait for each other (default: each call opens a connection). */
  readonly isConnectionKept?: boolean
  /** Called with the warning of a response, such as unknown parameters that `paycli serve --lenient` ignored. */
  readonly onWarning?: (warning: string) => void
  /** Called with the time of the server in Unix seconds after each successful response. */
  readonly onServerTime?: (seconds: number) => void
}

export interface Client {
  /** Calls an operation; throws `ApiError` for an error response, `ConnectionError` without a valid response. */
  call<O extends CallableOperation>(operation: O, params: ParamsOf<O>): Promise<ResultOf<O>>
  /** Calls an operation with untyped parameters, such as parameters from command-line flags. */
  send(operation: CallableOperation, params: object): Promise<object>
  /** Returns the time of the server in Unix seconds. */
  now(): Promise<number>
}

// Proxies and servers resolve these path segments even if they are encoded, so the request would execute another
// operation.
const DOT_SEGMENTS: readonly unknown[] = ['.', '..']

const HEALTH: CallableOperation = { method: 'GET', path: '/healthz' }

/** Creates a client of the API at one address. Throws without the address. */
export function createClient(options: ClientOptions): Client {
  requireAddress(options.apiBase)
  const connection = options.isConnectionKept === true ? { agent: null } : null
  const send = async (operation: CallableOperation, params: { readonly id?: unknown }) => {
    requireOperation(operation)
    if (DOT_SEGMENTS.includes(params.id)) throw await missingIdError(String(params.id))
    const { idempotencyKey } = options
    const key =
      typeof idempotencyKey !== 'function'
        ? idempotencyKey
        : operation.method === 'POST'
          ? idempotencyKey()
          : undefined
    const request = authorized(toHttpRequest(operation, params, key), options.apiKey)
    const response = await sendWithTimeout({ ...options, connection }, request)
    const result = await readResult(options.apiBase, response)
    if (response.warning !== null) options.onWarning?.(response.warning)
    if (response.sentAt !== null) options.onServerTime?.(response.sentAt)
    return result
  }
  return {
    send,
    // The client trusts the server to return the result type of the operation.
    call: (operation, params) => send(operation, Object(params)) as Promise<never>,
    async now() {
      const response = await sendWithTimeout(options, toHttpRequest(HEALTH, {}))
      await readResult(options.apiBase, response)
      if (response.sentAt !== null) return response.sentAt
      throw (await importConnectionErrors()).createNotPaycliError(options.apiBase, response.status, 'no date')
    },
  }
}

// A JavaScript program may pass the undefined variable of a test that runs without `paycli exec`.
function requireAddress(apiBase: string | undefined): void {
  const isUrl = apiBase !== undefined && /^\s*https?:/i.test(apiBase) && URL.canParse(apiBase)
  if (isUrl && /\/v1\/*$/.test(apiBase))
    throw new TypeError(`apiBase '${apiBase}' ends with /v1, which every request adds. Omit /v1.`)
  if (isUrl) return
  const problem = apiBase ? `apiBase '${apiBase}' is not an HTTP or HTTPS URL` : 'apiBase is missing'
  throw new TypeError(`${problem}. Set PAYCLI_API_BASE, or run npx paycli exec -- npm test.`)
}

// A program in JavaScript may pass the name of an operation, as other clients accept it.
function requireOperation(operation: CallableOperation | undefined): void {
  if (typeof operation?.path === 'string') return
  throw new TypeError(
    "The operation is missing. Import it, such as import { customers } from 'paycli', and call client.call(customers.create, { email }).",
  )
}

function authorized(request: HttpRequest, apiKey: string | undefined): HttpRequest {
  if (!apiKey) return request
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${apiKey}` } }
}

type SendOptions = ClientOptions & { readonly connection?: KeptConnection | null }

async function sendWithTimeout(options: SendOptions, request: HttpRequest): Promise<HttpResponse> {
  const { apiBase, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const deadline = new AbortController()
  // setTimeout would treat Infinity as 1 ms.
  const timer = timeoutMs === Infinity ? undefined : setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await sendWithRetries(options, request, deadline.signal)
  } catch (error) {
    const { ConnectionError, toConnectionError, createTimeoutError } = await importConnectionErrors()
    const key = request.headers['Idempotency-Key'] ?? null
    if (deadline.signal.aborted) throw createTimeoutError(apiBase, timeoutMs, key)
    const systemCode = systemCodeOf(error)
    throw systemCode === null || error instanceof ConnectionError
      ? error
      : toConnectionError(systemCode, apiBase, key)
  } finally {
    clearTimeout(timer)
  }
}

async function sendWithRetries(
  options: SendOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MAX_ATTEMPTS
    try {
      const response = await sendOnce(options, request, signal)
      if (isLast || response.status !== 409 || response.retryAfterSeconds === null) return response
      const { waitUnlessAborted } = await import('./timing.ts')
      await waitUnlessAborted(Math.min(response.retryAfterSeconds * 1000, MAX_PAUSE_MS), signal)
    } catch (error) {
      if (isLast || !isRetryable(request) || !LOST_CONNECTION.has(systemCodeOf(error) ?? '')) throw error
    }
  }
}

async function sendOnce(
  { apiBase, readServerSecret, connection = null }: SendOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  if (connection !== null) {
    const { sendOnKeptConnection } = await import('./server-proof.ts')
    const kept = { kept: connection, signal, readSecret: readServerSecret }
    return readResponse(await sendOnKeptConnection(apiBase, request, kept))
  }
  if (readServerSecret === undefined) return readResponse(await sendHttpRequest(apiBase, request, signal))
  const { sendToProvenServer, readHealthWithProof } = await import('./server-proof.ts')
  if (request.path === HEALTH.path) return readHealthWithProof(apiBase, readServerSecret, signal)
  return readResponse(await sendToProvenServer(apiBase, request, signal, readServerSecret))
}

// The server may have executed a request whose response was lost. A DELETE, unlike a POST, has no idempotency key.
function isRetryable({ method }: HttpRequest): boolean {
  return method !== 'DELETE'
}

function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

async function readResult(
  apiBase: string,
  { status, body, contentType, location }: HttpResponse,
): Promise<object> {
  const value = parseJson(body)
  if (status >= 200 && status < 300 && isJsonObject(value)) return value
  const { createNotPaycliError, createRedirectError } = await importConnectionErrors()
  if (status >= 300 && status < 400) throw createRedirectError(apiBase, status, location)
  if (!isJsonObject(value)) throw createNotPaycliError(apiBase, status, `no JSON object (${contentType})`)
  const { parseApiError } = await import('./api-error.ts')
  throw (
    parseApiError(status, value) ?? createNotPaycliError(apiBase, status, 'JSON that is not a paycli error')
  )
}

/** Returns the error with which the server would reject an unknown id. */
async function missingIdError(id: string): Promise<Error> {
  const { ApiError } = await import('./api-error.ts')
  return new ApiError(404, {
    ...{ type: 'invalid_request_error', code: 'resource_missing', param: 'id', errors: [], payment: null },
    ...{ suggestion: null, doc_url: null, request_id: null, decline_code: null },
    message: `No such object: '${id}'. Give an id such as cus_4bT9….`,
  })
}

// The module is loaded only on errors, because each module adds to the start time of a command.
function importConnectionErrors() {
  return import('./connection-error.ts')
}
