import type { Context } from 'koa'
import { SECURITY_HEADERS } from '../api/core/security-headers.ts'
import { streams } from '../api/operations/streams.ts'
import { createErrorResponse, ERRORS, internalError } from '../api/schema/errors.ts'
import { tooManyConnectionsError, unauthenticatedLimitError } from '../api/schema/http-errors.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { RequestLogWriter } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { findClientAddress } from './client-address.ts'
import { type Clock, unixSeconds } from './clock.ts'
import type { HttpApp, TextResponse } from './http-listener.ts'
import type { Log } from './log.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createThrottledLog } from './throttled-log.ts'

export interface RequestHandlingOptions {
  readonly runtime: Runtime
  readonly clock: Clock
  readonly apiUrl: string
  readonly log: Log
  /** Limits requests by API key; null disables the limit. */
  readonly limit: RateLimiter | null
  readonly requestLogs: RequestLogWriter
  /** Limits requests with an invalid key, host or origin by client address; null disables the limit. */
  readonly unauthenticatedLimit: RateLimiter | null
  /** Whether client addresses are read from `X-Forwarded-For`. */
  readonly isProxyTrusted: boolean
}

/** The path of the request log operations. */
export const LOGS_PATH = '/v1/request_logs'

/** Sends the response that `work` returns, or the error it throws as an API error, and logs the request. */
export async function handleRequest(
  ctx: Context,
  options: RequestHandlingOptions,
  work: () => Promise<TextResponse | null> | TextResponse | null,
): Promise<void> {
  const { runtime, clock } = options
  const startedMs = clock.nowMs()
  const requestId = runtime.newId('req_')
  ctx.state.requestId = requestId
  ctx.state.allowance = options.limit?.unusedHeaders
  let response: TextResponse | null
  let stack: string | undefined
  try {
    response = await work()
  } catch (error) {
    const isExpected = error instanceof DomainError && Object.hasOwn(ERRORS, error.code)
    if (!isExpected) stack = stackOf(error)
    const reported = isExpected ? limitUnauthenticated(ctx, error, options) : internalError()
    response = toErrorResponse(reported, requestId, options)
  }
  if (response !== null) send(ctx, response)
  logRequest(ctx, { response, startedMs, stack }, options)
}

// Each request without a valid key costs a lookup and a log line, so such requests are limited by address.
function limitUnauthenticated(
  { req }: Context,
  error: DomainError,
  { unauthenticatedLimit, isProxyTrusted }: RequestHandlingOptions,
): DomainError {
  const isUnauthenticated = ERRORS[error.code]?.[0] === 401 || error.code === 'host_not_allowed'
  if (unauthenticatedLimit === null || !isUnauthenticated) return error
  const { retryAfterSeconds } = unauthenticatedLimit.take(findClientAddress(req, isProxyTrusted))
  return retryAfterSeconds === null ? error : unauthenticatedLimitError(retryAfterSeconds)
}

/** Creates the headers that every response has. */
export function createStandardHeaders({ requestId, allowance }: Context['state']): Record<string, string> {
  const own = {
    'Request-Id': requestId,
    'Paycli-Version': '1',
    'Content-Type': 'application/json; charset=utf-8',
    ...SECURITY_HEADERS,
  }
  return allowance === undefined ? own : { ...own, ...allowance }
}

// Bypasses Koa: one writeHead() call is several times faster than setting headers and body on the context.
function send(ctx: Context, { status, headers, body }: TextResponse): void {
  const { res, state } = ctx
  // Koa finishes the response of a disconnected client.
  if (res.destroyed) return
  ctx.respond = false
  const own = createStandardHeaders(state)
  res.writeHead(status, { ...own, 'Content-Length': Buffer.byteLength(body), ...headers }).end(body)
}

interface RequestOutcome {
  /** Null when the response is on the Koa context. */
  readonly response: TextResponse | null
  readonly startedMs: number
  /** The stack of an unexpected error. */
  readonly stack: string | undefined
}

// The request log omits requests outside /v1 and requests for the log itself: reading the log must not add to it.
function logRequest(
  ctx: Context,
  { response, startedMs, stack }: RequestOutcome,
  { log, clock, requestLogs }: RequestHandlingOptions,
): void {
  const { path, method } = ctx
  const { requestId, apiKey = null, replayOf = null } = ctx.state
  const status = response?.status ?? ctx.status
  const duration_ms = clock.nowMs() - startedMs
  const entry = {
    at_ms: startedMs,
    message: 'request',
    method,
    path,
    status,
    duration_ms,
    request_id: requestId,
  }
  log(stack === undefined ? { ...entry, level: 'info' } : { ...entry, level: 'error', stack })
  if (!path.startsWith('/v1') || path.startsWith(LOGS_PATH) || path === streams.requestLogs.path) return
  requestLogs.record({
    id: requestId,
    created: unixSeconds(clock),
    method,
    path,
    status,
    duration_ms,
    api_key: apiKey,
    replay_of: replayOf,
    errorBody: status >= 400 && response !== null ? response.body : null,
  })
}

/** Creates the responses to malformed requests and to connections above the limit; both are logged. */
export function createConnectionErrors(options: RequestHandlingOptions): Omit<HttpApp, 'handle'> {
  const { runtime, clock, limit } = options
  const log = createThrottledLog(options.log)
  const createResponse = (error: DomainError, message: string) => {
    const requestId = runtime.newId('req_')
    const response = toErrorResponse(error, requestId, options)
    const { status } = response
    log({ at_ms: clock.nowMs(), level: 'info', message, status, request_id: requestId })
    const headers = createStandardHeaders({ requestId, allowance: limit?.unusedHeaders })
    return { ...response, headers: { ...headers, ...response.headers } }
  }
  return {
    createMalformedResponse: () => createResponse(requestMalformed(), 'malformed request'),
    createTooManyConnectionsResponse: () =>
      createResponse(tooManyConnectionsError(), 'too many connections from one address'),
  }
}

function requestMalformed(): DomainError {
  return new DomainError(
    'request_malformed',
    'The request is not valid HTTP, or its headers are larger than 16 KiB. Check the request line and the headers.',
  )
}

function toErrorResponse(
  error: DomainError,
  requestId: string,
  { apiUrl }: RequestHandlingOptions,
): TextResponse {
  const { status, headers, body } = createErrorResponse(error, { requestId, apiUrl })
  return { status, headers, body: JSON.stringify(body) }
}

/** Logs an unexpected error with its stack. */
export function logInternalError(log: Log, clock: Clock, message: string, error: unknown): void {
  log({ at_ms: clock.nowMs(), level: 'error', message, stack: stackOf(error) })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
