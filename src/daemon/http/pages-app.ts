import type { Context, Middleware } from 'koa'
import { toApiErrorResponse } from '../../api/schema/errors.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import {
  createUnhandledErrorResponse,
  handlePageRequest,
  type PageResponse,
  type PagesOptions,
} from '../../pages/routes.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { getErrorStack } from '../system/log.ts'
import { type AllowedHosts, checkFormOrigin, createHostGuard } from './host-guard.ts'
import type { HttpApp } from './http-listener.ts'
import { createAccessLog, createKoaApp, getClientAddress, type KoaAppOptions } from './koa-app.ts'
import { applyRateLimit, type RateLimiter } from './rate-limit.ts'
import { createBodyParser } from './request-body.ts'

export interface PagesAppOptions extends KoaAppOptions {
  readonly sandboxes: Pick<SandboxRegistry, 'default' | 'opened' | 'find'>
  readonly hosts: AllowedHosts
  /** The address of the API, which errors name. */
  readonly apiUrl: string
  /** Limits requests by client address; null disables the limit. */
  readonly limit: RateLimiter | null
}

/** Creates the HTTP app of the hosted pages, which runs on its own port without the API. */
export function createPagesApp(options: PagesAppOptions): HttpApp {
  const { pages } = options.sandboxes.default
  const app = createKoaApp(options)
  app.use(createAccessLog(options, 'page'))
  app.use(errorPages(pages))
  const unusedLimit = Object.entries({ ...options.limit?.unusedHeaders })
  app.use(({ res }, next) => {
    for (const [name, value] of unusedLimit) res.setHeader(name, value)
    return next()
  })
  app.use(createHostGuard(options.hosts, checkFormOrigin))
  const parseForm = createBodyParser({
    enableTypes: ['form'],
    formLimit: '16kb',
    // Koa throws an error without status when it cannot decompress a body.
    onerror: (error, ctx) => ctx.throw('status' in error ? Number(error.status) : 400),
  })
  app.use((ctx, next) => {
    if (options.limit !== null) applyRateLimit(ctx, options.limit, getClientAddress(ctx))
    return ctx.method === 'POST' ? parseForm(ctx, next) : next()
  })
  app.use(rejectApiRequests(options))
  app.use(servePages(options))
  return {
    handle: app.callback(),
    createErrorResponse(error) {
      const { body, ...response } = createUnhandledErrorResponse(statusOf(error), pages)
      return { ...response, body: String(body ?? '') }
    },
  }
}

// Programs that use the address of the pages as the address of the API expect JSON.
function rejectApiRequests({ sandboxes, apiUrl }: PagesAppOptions): Middleware {
  return (ctx, next) => {
    if (!/^\/(?:v1|healthz|readyz|openapi\.json)(?:\/|$)/.test(ctx.path)) return next()
    const message = `This is the address of the hosted pages. The API of this server is at ${apiUrl}.`
    const requestId = sandboxes.default.runtime.newId('req_')
    const { status, body } = toApiErrorResponse(new DomainError('route_not_found', message), {
      requestId,
      apiUrl,
    })
    ctx.status = status
    ctx.body = body
    return undefined
  }
}

/** Matches the path of a sandbox below the checkout URL. */
const SANDBOX_PATH = /^\/(sbx_[0-9A-Za-z]{24})(\/.*)$/

function servePages({ sandboxes }: PagesAppOptions): Middleware {
  const base = new URL(sandboxes.default.runtime.checkoutUrl).pathname.replace(/\/+$/, '')
  return async (ctx) => {
    const isPosted = ctx.method === 'POST'
    // A proxy may have removed the path of the checkout URL.
    const ownPath = ctx.path.startsWith(`${base}/`) ? ctx.path.slice(base.length) : ctx.path
    const [, id = DEFAULT_SANDBOX, path = ctx.path] = SANDBOX_PATH.exec(ownPath) ?? []
    const { pages, jobs, requests } = sandboxes.opened(id) ?? (await sandboxes.find(id))
    requests.enter()
    try {
      const response = await handlePageRequest(
        {
          method: ctx.method,
          path,
          query: ctx.querystring,
          form: isPosted ? formOf(ctx.request.body) : null,
          accept: ctx.get('Accept'),
          acceptLanguage: ctx.get('Accept-Language'),
        },
        pages,
      )
      send(ctx, response)
    } finally {
      requests.leave()
      if (isPosted) jobs.wake()
      else jobs.requireRound()
    }
  }
}

function send(ctx: Context, { status, headers, body }: PageResponse): void {
  ctx.status = status
  // setHeader() takes half the time of ctx.set().
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  ctx.body = body ?? ''
}

function formOf(body: unknown): Record<string, string> {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

function errorPages(pages: PagesOptions): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const status = statusOf(error)
      if (status === 500) ctx.state.stack = getErrorStack(error)
      const request = { query: ctx.querystring, acceptLanguage: ctx.get('Accept-Language') }
      send(ctx, createUnhandledErrorResponse(status, pages, request))
      const seconds = error instanceof DomainError ? error.details.retryAfterSeconds : undefined
      if (seconds !== undefined) ctx.set('Retry-After', String(seconds))
    }
  }
}

const STATUSES: Readonly<Record<string, number>> = {
  request_malformed: 400,
  // The status for a sandbox that does not exist or has expired.
  api_key_invalid: 404,
  sandbox_expired: 404,
  host_not_allowed: 403,
  uri_too_long: 414,
  rate_limit: 429,
  sandbox_quota_exceeded: 429,
  sandboxes_busy: 503,
  server_full: 507,
  storage_full: 503,
  unavailable: 503,
}

function statusOf(error: unknown): number {
  if (error instanceof DomainError) return STATUSES[error.code] ?? 500
  const isHttp = error instanceof Error && 'status' in error && typeof error.status === 'number'
  return isHttp ? (error.status as number) : 500
}
