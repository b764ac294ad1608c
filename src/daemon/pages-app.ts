import Koa, { type Context } from 'koa'
import bodyParser from 'koa-bodyparser'
import { DomainError } from '../domain/domain-error.ts'
import { isAsset, type PageAnswer, type Pages, renderFailure, servePage } from '../pages/routes.ts'
import type { Clock } from './clock.ts'
import { logBug } from './error-handler.ts'
import { type AllowedHosts, checkFormOrigin, checkHost, checkUrl } from './host-guard.ts'
import type { App } from './listen.ts'
import type { Log } from './log.ts'
import { checkAllowance, type RateLimit } from './rate-limit.ts'
import { visitorAddress } from './visitor-address.ts'

export interface PagesAppOptions {
  readonly pages: Pages
  readonly clock: Clock
  readonly hosts: AllowedHosts
  readonly log: Log
  /** How often an address may ask; null for as often as it likes. */
  readonly limit: RateLimit | null
  /** Whether the addresses are those that a proxy names. */
  readonly isProxyTrusted: boolean
  /** Called after every request that may have changed something. */
  readonly onChange: () => void
}

/** The hosted pages over HTTP, on an address of their own: the API cannot be reached here. */
export function createPagesApp(options: PagesAppOptions): App {
  const app = new Koa()
  app.use(async (ctx, next) => {
    const answer = await answerSafely(ctx, () => next().then(() => ctx.state.answer as PageAnswer), options)
    ctx.status = answer.status
    ctx.set(answer.headers)
    ctx.body = answer.body
  })
  app.use(async (ctx, next) => {
    if (options.limit !== null) ctx.set(options.limit.whole)
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
      // What cannot be unpacked has no status of its own, and is the sender's fault.
      onerror: (error, ctx) => ctx.throw('status' in error ? Number(error.status) : 400),
    }),
  )
  app.use(async (ctx) => {
    ctx.state.answer = await servePage(
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
    answer: app.callback(),
    answerUnreadable: () => renderFailure(400, options.pages),
    answerCrowded: () => renderFailure(429, options.pages),
  }
}

function checkRate(ctx: Context, { limit, pages, isProxyTrusted }: PagesAppOptions): void {
  // What a page brings with it is no visit of its own.
  if (limit === null || isAsset(ctx.path, pages)) return
  const allowance = limit.take(visitorAddress(ctx.req, isProxyTrusted))
  ctx.set(allowance.headers)
  checkAllowance(allowance)
}

function formOf(body: unknown): Record<string, string> {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

async function answerSafely(
  ctx: Context,
  answer: () => Promise<PageAnswer>,
  { log, clock, pages }: PagesAppOptions,
): Promise<PageAnswer> {
  const startedMs = clock.nowMs()
  let result: PageAnswer
  try {
    result = await answer()
  } catch (error) {
    const status = statusOf(error)
    if (status === 500) logBug(log, clock, { message: `${ctx.method} page failed`, error })
    result = withHeaders(renderFailure(status, pages, ctx.get('Accept-Language')), error)
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

function withHeaders(answer: PageAnswer, error: unknown): PageAnswer {
  const seconds = error instanceof DomainError ? error.details.retryAfterSeconds : undefined
  if (seconds === undefined) return answer
  return { ...answer, headers: { ...answer.headers, 'Retry-After': String(seconds) } }
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
