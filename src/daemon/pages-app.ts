import Koa, { type Context } from 'koa'
import bodyParser from 'koa-bodyparser'
import { DomainError } from '../domain/domain-error.ts'
import { isAsset, type PageResponse, type PagesOptions, renderFailure, servePage } from '../pages/routes.ts'
import { findClientAddress } from './client-address.ts'
import type { Clock } from './clock.ts'
import { logInternalError } from './error-handler.ts'
import { type AllowedHosts, checkFormOrigin, checkHost, checkUrl } from './host-guard.ts'
import type { HttpApp } from './http-listener.ts'
import type { Log } from './log.ts'
import { type RateLimiter, requireAllowed } from './rate-limit.ts'

export interface PagesAppOptions {
  readonly pages: PagesOptions
  readonly clock: Clock
  readonly hosts: AllowedHosts
  readonly log: Log
  /** Limits requests by client address; null disables the limit. */
  readonly limit: RateLimiter | null
  /** Whether client addresses are read from `X-Forwarded-For`. */
  readonly isProxyTrusted: boolean
  /** Called after every submitted form. */
  readonly onChange: () => void
}

/** Creates the HTTP app of the hosted pages, which runs on its own port without the API. */
export function createPagesApp(options: PagesAppOptions): HttpApp {
  const app = new Koa()
  app.use(async (ctx, next) => {
    const render = () => next().then(() => ctx.state.response as PageResponse)
    const { status, headers, body } = await renderSafely(ctx, render, options)
    ctx.status = status
    ctx.set(headers)
    ctx.body = body
  })
  app.use(async (ctx, next) => {
    if (options.limit !== null) ctx.set(options.limit.unusedHeaders)
    checkHost(ctx.req, options.hosts)
    if (ctx.method === 'POST') checkFormOrigin(ctx.req, options.hosts)
    checkUrl(ctx.req)
    checkRate(ctx, options)
    await next()
  })
  app.use(
    bodyParser({
      enableTypes: ['form'],
      formLimit: '16kb',
      // A body that cannot be decompressed throws an error without status.
      onerror: (error, ctx) => ctx.throw('status' in error ? Number(error.status) : 400),
    }),
  )
  app.use(async (ctx) => {
    ctx.state.response = await servePage(
      {
        method: ctx.method,
        path: ctx.path,
        query: ctx.querystring,
        form: ctx.method === 'POST' ? formOf(ctx.request.body) : null,
        accept: ctx.get('Accept'),
        acceptLanguage: ctx.get('Accept-Language'),
      },
      options.pages,
    )
    if (ctx.method === 'POST') options.onChange()
  })
  return {
    handle: app.callback(),
    createMalformedResponse: () => renderFailure(400, options.pages),
    createTooManyConnectionsResponse: () => renderFailure(429, options.pages),
  }
}

function checkRate(ctx: Context, { limit, pages, isProxyTrusted }: PagesAppOptions): void {
  // The assets of a page do not count as requests.
  if (limit === null || isAsset(ctx.path, pages)) return
  const rate = limit.take(findClientAddress(ctx.req, isProxyTrusted))
  ctx.set(rate.headers)
  requireAllowed(rate)
}

function formOf(body: unknown): Record<string, string> {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

/** Returns the rendered page, or an error page when rendering fails; logs the request. */
async function renderSafely(
  ctx: Context,
  render: () => Promise<PageResponse>,
  { log, clock, pages }: PagesAppOptions,
): Promise<PageResponse> {
  const startedMs = clock.nowMs()
  let result: PageResponse
  try {
    result = await render()
  } catch (error) {
    const status = statusOf(error)
    if (status === 500) logInternalError(log, clock, `${ctx.method} page failed`, error)
    result = withRetryAfter(renderFailure(status, pages, ctx.get('Accept-Language')), error)
  }
  log({
    at_ms: startedMs,
    level: 'info',
    message: 'page',
    method: ctx.method,
    path: ctx.path,
    status: result.status,
    duration_ms: clock.nowMs() - startedMs,
  })
  return result
}

function withRetryAfter(response: PageResponse, error: unknown): PageResponse {
  const seconds = error instanceof DomainError ? error.details.retryAfterSeconds : undefined
  if (seconds === undefined) return response
  return { ...response, headers: { ...response.headers, 'Retry-After': String(seconds) } }
}

const STATUSES: Readonly<Record<string, number>> = {
  host_not_allowed: 403,
  uri_too_long: 414,
  rate_limit: 429,
  storage_full: 503,
  unavailable: 503,
}

function statusOf(error: unknown): number {
  if (error instanceof DomainError) return STATUSES[error.code] ?? 500
  const isHttp = error instanceof Error && 'status' in error && typeof error.status === 'number'
  return isHttp ? (error.status as number) : 500
}
