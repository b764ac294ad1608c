import type { Context, Middleware } from 'koa'
import { SECURITY_HEADERS } from '../../api/core/security-headers.ts'
import { streams } from '../../api/operations/streams.ts'
import { createErrorResponse, ERRORS, internalError } from '../../api/schema/errors.ts'
import { sandboxOfKey } from '../../domain/api-keys.ts'
import { API_VERSION } from '../../domain/api-version.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { LoggedRequest } from '../../engine/request-logs.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { unixSeconds } from '../system/clock.ts'
import { stackOf } from '../system/log.ts'
import { createThrottledLog } from '../system/throttled-log.ts'
import type { HttpApp } from './http-listener.ts'
import type { KoaAppOptions } from './koa-app.ts'
import { limitUnauthenticated, type RateLimiter } from './rate-limit.ts'

export interface ErrorHandlerOptions extends KoaAppOptions {
  readonly sandboxes: Pick<SandboxRegistry, 'default' | 'newRequestId' | 'findActive'>
  /** The base URL of `doc_url` in error responses. */
  readonly apiUrl: string
  /** Limits requests by sandbox; null disables the limit. */
  readonly limit: RateLimiter | null
  /** Limits requests with an invalid key, host or origin by client address; null disables the limit. */
  readonly unauthenticatedLimit: RateLimiter | null
}

/** Headers of every response, unless its route sets another `Content-Type`. */
export const STANDARD_HEADERS = {
  'Paycli-Version': API_VERSION,
  'Content-Type': 'application/json; charset=utf-8',
  ...SECURITY_HEADERS,
}

/** Gives each request an id, which its response repeats, from the generator of the sandbox that its API key names. */
export function requestId({ sandboxes }: Pick<ErrorHandlerOptions, 'sandboxes'>): Middleware {
  return (ctx, next) => {
    const { authorization = '' } = ctx.req.headers
    const sandbox = sandboxOfKey(authorization.slice(authorization.lastIndexOf(' ') + 1))
    const id = sandboxes.newRequestId(sandbox)
    ctx.state.sandboxId = sandbox
    ctx.state.requestId = id
    ctx.res.setHeader('Request-Id', id)
    return next()
  }
}

/**
 * Responds to errors in the format of API errors; an unexpected error becomes an internal error without details. Errors of
 * unauthenticated requests count toward the limit of their address. Then applies a fault on the response.
 */
export function apiErrors({ apiUrl, unauthenticatedLimit }: ErrorHandlerOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const isExpected = error instanceof DomainError && Object.hasOwn(ERRORS, error.code)
      if (!isExpected) ctx.state.stack = stackOf(error)
      const { requestId = '' } = ctx.state
      const reported = isExpected ? limitUnauthenticated(ctx, error, unauthenticatedLimit) : internalError()
      const { status, headers, body } = createErrorResponse(reported, { requestId, apiUrl })
      ctx.status = status
      ctx.set({ ...STANDARD_HEADERS, ...headers })
      ctx.body = JSON.stringify(body)
    }
    if (ctx.state.sendResponse !== undefined) await ctx.state.sendResponse()
  }
}

/** The path of the request log operations. */
export const LOGS_PATH = '/v1/request_logs'

/**
 * Creates a function that stores the request log, except requests outside /v1 and requests for the log itself: reading the
 * log must not add to it. Requests without a valid key are in the log of the default sandbox.
 */
export function createRequestLog({ clock, sandboxes }: ErrorHandlerOptions) {
  return (ctx: Context, duration_ms: number): void => {
    const { path, method, status, body } = ctx
    if (!path.startsWith('/v1') || path.startsWith(LOGS_PATH) || path === streams.requestLogs.path) return
    const { requestId = '', apiKey, replayOf = null, fault = null, sandbox = sandboxes.default } = ctx.state
    const request = {
      id: requestId,
      created: unixSeconds(clock),
      method,
      path,
      status,
      duration_ms,
      api_key: apiKey?.id ?? null,
      replay_of: replayOf,
      fault,
      errorBody: status >= 400 && typeof body === 'string' ? body : null,
    }
    if (!sandbox.jobs.isStopped()) {
      record(sandbox, request)
      return
    }
    // The request itself may have reset the sandbox, which then contains its log. A deleted one has no logs.
    const reopened = sandboxes.findActive(sandbox.id)
    reopened.then((found) => found && record(found, request)).catch(sandbox.pages.onError)
  }
}

function record({ jobs, requestLogs }: OpenSandbox, request: LoggedRequest): void {
  jobs.requireRound()
  requestLogs.record(request)
}

/** The log messages of errors without a request. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  request_malformed: 'malformed request',
  rate_limit: 'too many connections from one address',
}

/** Creates the function that responds to malformed requests and to connections above the limit, and logs them. */
export function createConnectionErrors(options: ErrorHandlerOptions): HttpApp['createErrorResponse'] {
  const { sandboxes, clock, limit, apiUrl } = options
  const { runtime } = sandboxes.default
  const log = createThrottledLog(options.log)
  return (error) => {
    const requestId = runtime.newId('req_')
    const { status, headers, body } = createErrorResponse(error, { requestId, apiUrl })
    const message = CONNECTION_ERRORS[error.code] ?? error.code
    log({ at_ms: clock.nowMs(), level: 'info', message, status, request_id: requestId })
    const own = { 'Request-Id': requestId, ...STANDARD_HEADERS, ...limit?.unusedHeaders }
    return { status, headers: { ...own, ...headers }, body: JSON.stringify(body) }
  }
}
