import type { Middleware } from 'koa'
import { createInternalError, ERROR_DEFINITIONS, toApiErrorResponse } from '../../api/schema/errors.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { getErrorStack } from '../system/log.ts'
import { createThrottledLog } from '../system/throttled-log.ts'
import type { HttpApp } from './http-listener.ts'
import type { KoaAppOptions } from './koa-app.ts'
import { countUnauthenticatedRequest, type RateLimiter } from './rate-limit.ts'
import { STANDARD_HEADERS, setStandardHeaders } from './standard-headers.ts'

export interface ErrorHandlerOptions extends KoaAppOptions {
  readonly sandboxes: Pick<SandboxRegistry, 'default'>
  /** The base URL of `doc_url` in error responses. */
  readonly apiUrl: string
  /** Limits requests by sandbox; null disables the limit. */
  readonly limit: RateLimiter | null
  /** Limits requests with an invalid key, host or origin by client address; null disables the limit. */
  readonly unauthenticatedLimit: RateLimiter | null
}

/**
 * Responds to errors in the format of API errors; an unexpected error becomes an internal error without details. Errors
 * of unauthenticated requests count toward the limit of their client address. Then the handler applies the fault of the
 * request.
 */
export function createErrorHandler({ apiUrl, unauthenticatedLimit }: ErrorHandlerOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const isExpected = error instanceof DomainError && Object.hasOwn(ERROR_DEFINITIONS, error.code)
      if (!isExpected) ctx.state.stack = getErrorStack(error)
      const { requestId = '' } = ctx.state
      const reported = isExpected
        ? countUnauthenticatedRequest(ctx, error, unauthenticatedLimit)
        : createInternalError()
      const { status, headers, body } = toApiErrorResponse(reported, { requestId, apiUrl })
      ctx.status = status
      ctx.set({ ...STANDARD_HEADERS, ...headers })
      ctx.body = JSON.stringify(body)
    }
    if (!ctx.res.headersSent) setStandardHeaders(ctx)
    if (ctx.state.sendResponse !== undefined) await ctx.state.sendResponse()
  }
}

/** The log messages of errors without a request. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  request_malformed: 'malformed request',
  rate_limit: 'too many connections from one address',
}

/** Creates the function that responds to malformed requests and to connections above the limit, and logs them. */
export function createConnectionErrorResponder(options: ErrorHandlerOptions): HttpApp['createErrorResponse'] {
  const { sandboxes, clock, limit, apiUrl } = options
  const { runtime } = sandboxes.default
  const log = createThrottledLog(options.log)
  return (error) => {
    const requestId = runtime.newId('req_')
    const { status, headers, body } = toApiErrorResponse(error, { requestId, apiUrl })
    const message = CONNECTION_ERRORS[error.code] ?? error.code
    log({ at_ms: clock.nowMs(), level: 'info', message, status, request_id: requestId })
    const own = { 'Request-Id': requestId, ...STANDARD_HEADERS, ...limit?.unusedHeaders }
    return { status, headers: { ...own, ...headers }, body: JSON.stringify(body) }
  }
}
