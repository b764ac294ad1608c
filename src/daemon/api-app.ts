import Router from '@koa/router'
import Koa, { type Context, type Next } from 'koa'
import bodyParser from 'koa-bodyparser'
import { authenticate } from '../api/auth.ts'
import { ERRORS, internalError, toErrorAnswer } from '../api/errors.ts'
import { execute } from '../api/execute.ts'
import { operations } from '../api/index.ts'
import type { AnyOperation } from '../api/operation.ts'
import { Refusal } from '../domain/refusal.ts'
import { drainDeadlines } from '../engine/deadlines.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { Clock } from './clock.ts'
import { type AllowedHosts, checkHost, checkOrigin } from './host-guard.ts'
import type { App, PlainAnswer } from './listen.ts'
import type { Log } from './log.ts'
import { addReference } from './reference.ts'
import { readJsonBody } from './request-body.ts'

export interface ApiAppOptions {
  readonly runtime: Runtime
  readonly clock: Clock
  readonly apiUrl: string
  readonly hosts: AllowedHosts
  readonly log: Log
  readonly pid: number
  /** Called after every operation that may have changed something. */
  readonly onChange: () => void
}

/** The API over HTTP: every operation at its path, errors in one shape, an id on every answer. */
export function createApiApp(options: ApiAppOptions): App {
  const app = new Koa()
  const router = createRouter(options)
  app.use((ctx, next) => answerErrors(ctx, next, options))
  app.use(async (ctx, next) => {
    checkHost(ctx.req, options.hosts)
    checkOrigin(ctx.req)
    await next()
  })
  app.use(router.routes())
  app.use((ctx) => refuseRoute(ctx, router))
  return { answer: app.callback(), answerUnreadable: () => answerUnreadable(options) }
}

function createRouter(options: ApiAppOptions): Router {
  const router = new Router({ strict: true, sensitive: true })
  addReference(router, options)
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: '256kb',
    onerror: (error) => {
      throw bodyRefusal(error)
    },
  })
  for (const { operation } of operations) {
    router.register(operation.path, [operation.method], async (ctx: Context) => {
      await authenticate(
        options.runtime.store,
        ctx.get('Authorization') || undefined,
        options.runtime.wallNow(),
      )
      ctx.body = await run(ctx, operation, { ...options, parse })
    })
  }
  return router
}

type Parse = ReturnType<typeof bodyParser>

async function run(
  ctx: Context,
  operation: AnyOperation,
  options: ApiAppOptions & { readonly parse: Parse },
): Promise<unknown> {
  const { runtime, onChange, log, clock } = options
  const body = operation.method === 'POST' ? await readJsonBody(ctx, options.parse) : undefined
  for (const { error, record } of await drainDeadlines(runtime)) {
    logBug(log, clock, { message: `deadline of ${record.id} failed`, error })
  }
  try {
    return await execute(runtime, {
      operation,
      id: ctx.params.id,
      search: ctx.querystring,
      body,
      requestId: ctx.state.requestId,
      idempotencyKey: ctx.get('Idempotency-Key') || null,
    })
  } finally {
    if (operation.kind !== 'lookup') onChange()
  }
}

function bodyRefusal(error: Error): Refusal {
  const status = 'status' in error ? error.status : undefined
  if (status === 413) {
    return new Refusal(
      'request_too_large',
      'The body is larger than 256 KiB. Send less, or fewer items at once.',
    )
  }
  if (status === 415) {
    return new Refusal(
      'unsupported_media_type',
      'The body has an encoding that is not supported. Send it as it is, or with gzip.',
    )
  }
  return new Refusal(
    'invalid_json',
    'The body is not valid JSON. It must be one JSON object in UTF-8, such as {"email":"ada@example.com"}.',
  )
}

async function answerErrors(ctx: Context, next: Next, options: ApiAppOptions): Promise<void> {
  const { runtime, clock, apiUrl, log } = options
  const startedMs = clock.nowMs()
  const requestId = runtime.newId('req_')
  ctx.state.requestId = requestId
  ctx.set(ownHeaders(requestId))
  let stack: string | undefined
  try {
    await next()
  } catch (error) {
    const isExpected = error instanceof Refusal && Object.hasOwn(ERRORS, error.code)
    if (!isExpected) stack = stackOf(error)
    const answer = toErrorAnswer(isExpected ? error : internalError(), { requestId, apiUrl })
    ctx.status = answer.status
    ctx.set(answer.headers)
    ctx.body = answer.body
  }
  log({
    at_ms: startedMs,
    level: stack === undefined ? 'info' : 'error',
    message: 'request',
    method: ctx.method,
    path: ctx.path,
    status: ctx.status,
    duration_ms: clock.nowMs() - startedMs,
    request_id: requestId,
    ...(stack === undefined ? {} : { stack }),
  })
}

function ownHeaders(requestId: string): Record<string, string> {
  return { 'Request-Id': requestId, 'Paycli-Version': '1' }
}

function answerUnreadable({ runtime, clock, apiUrl, log }: ApiAppOptions): PlainAnswer {
  const requestId = runtime.newId('req_')
  const refusal = new Refusal(
    'request_malformed',
    'The request is not valid HTTP, or its headers are larger than 16 KiB. Check the request line and the headers.',
  )
  const { status, body } = toErrorAnswer(refusal, { requestId, apiUrl })
  log({ at_ms: clock.nowMs(), level: 'info', message: 'unreadable request', status, request_id: requestId })
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  return { status, headers: { ...ownHeaders(requestId), ...type }, body: JSON.stringify(body) }
}

/** Logs what should not have happened, with its stack. */
export function logBug(
  log: Log,
  clock: Clock,
  { message, error }: { readonly message: string; readonly error: unknown },
): void {
  log({ at_ms: clock.nowMs(), level: 'error', message, stack: stackOf(error) })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function refuseRoute(ctx: Context, router: Router): void {
  const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)
  const allowed = [...new Set(methods)].filter((method) => method !== 'HEAD').sort()
  if (allowed.length === 0) {
    throw new Refusal(
      'route_not_found',
      `No operation has the path ${ctx.path.slice(0, 100)}. All of them start with /v1, such as POST /v1/customers.`,
    )
  }
  ctx.set('Allow', allowed.join(', '))
  throw new Refusal('method_not_allowed', `${ctx.method} is not possible here; use ${allowed.join(' or ')}.`)
}
