import { isIP } from 'node:net'
import Koa, { type Context, type Middleware } from 'koa'
import type { ApiKey } from '../../domain/sandboxes/api-keys.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import type { StreamCredential } from '../streams/stream-connection.ts'
import type { Clock } from '../system/clock.ts'
import { type Log, logInternalError } from '../system/log.ts'

declare module 'koa' {
  /** The state that the middlewares of a request share. */
  interface DefaultState {
    requestId?: string
    /** The id of the sandbox that the API key names; the sandbox may not exist. */
    sandboxId?: string
    /** The names and values of the headers of every response, which a route may override. */
    standardHeaders?: readonly string[]
    /** The sandbox of the request; undefined before authentication. */
    sandbox?: OpenSandbox
    /** The API key of the request; undefined before authentication. */
    apiKey?: ApiKey
    /** Requests share idempotency keys only within this scope; see `AuthenticatedKey`. */
    idempotencyScope?: string
    /** The id of the request that was executed, for a replayed response. */
    replayOf?: string
    /** The fault that applied to the request: its id, or its type if the request named it. */
    fault?: string
    /** Sends the response with a fault, or waits before Koa sends it; undefined without a fault on the response. */
    sendResponse?: () => Promise<void>
    /** The body of the request as text; undefined without a body. */
    bodyText?: string
    /** The body of a response that was sent without Koa. */
    responseText?: string
    /** The stack of an unexpected error. */
    stack?: string
    /** The credential of a stream of a signed-in browser, which has no stored API key. */
    streamCredential?: StreamCredential
    /** Whether the request is logged only if it fails. */
    isQuiet?: boolean
    /** The path in the request log (default: the path of the request). */
    loggedPath?: string
  }
}

export interface KoaAppOptions {
  readonly log: Log
  readonly clock: Clock
  /** Whether client addresses are read from `X-Forwarded-For`. */
  readonly isProxyTrusted: boolean
}

const DISCONNECTS: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']

/** Creates a Koa app that logs connection errors, except for clients that disconnect. */
export function createKoaApp({ log, clock, isProxyTrusted }: KoaAppOptions): Koa {
  // The proxy adds the last address to X-Forwarded-For; earlier addresses come from the client and are not reliable.
  const app = new Koa({ proxy: isProxyTrusted, maxIpsCount: 1 })
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!DISCONNECTS.includes(error.code)) logInternalError(log, clock, 'connection failed', error)
  })
  return app
}

/** Returns the address of a client: of its connection or, behind a trusted proxy, the address that the proxy reports. */
export function getClientAddress({ ip, socket }: Context): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
}

/** Logs each request with its response, but quiet requests only after an error; then calls `record`. */
export function createAccessLog(
  { log, clock }: KoaAppOptions,
  message: string,
  record?: (ctx: Context, duration_ms: number) => void,
): Middleware {
  return async (ctx, next) => {
    const startedMs = clock.nowMs()
    await next()
    const { requestId: request_id, fault, stack, isQuiet = false } = ctx.state
    const duration_ms = clock.nowMs() - startedMs
    const { method, path, status } = ctx
    const level = stack === undefined ? 'info' : 'error'
    if (!isQuiet || status >= 400)
      log({ at_ms: startedMs, level, message, method, path, status, duration_ms, request_id, fault, stack })
    record?.(ctx, duration_ms)
  }
}
