import Koa, { type Context } from 'koa'
import { checkScope, createAuthenticate } from '../api/auth.ts'
import { ERRORS, internalError, toErrorAnswer } from '../api/errors.ts'
import { type Call, execute } from '../api/execute.ts'
import { type Answered, executeOnce } from '../api/execute-once.ts'
import { operations } from '../api/index.ts'
import { streams } from '../api/streams.ts'
import { maskCardNumbers } from '../domain/card-checks.ts'
import { Refusal } from '../domain/refusal.ts'
import type { KeyUses } from '../engine/key-uses.ts'
import { drainDeadlines } from '../engine/real-time.ts'
import type { RequestLogs } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { type Clock, unixSeconds } from './clock.ts'
import { type AllowedHosts, checkHost, checkOrigin } from './host-guard.ts'
import type { App, PlainAnswer } from './listen.ts'
import type { Log } from './log.ts'
import { type Allowance, checkAllowance, type RateLimit } from './rate-limit.ts'
import { referenceRoutes } from './reference.ts'
import { createBodyReader } from './request-body.ts'
import { createRouting, type Route } from './routing.ts'
import { createTurnEnd } from './ticker.ts'

export interface ApiAppOptions {
  readonly runtime: Runtime
  readonly clock: Clock
  readonly apiUrl: string
  readonly hosts: AllowedHosts
  readonly log: Log
  readonly pid: number
  /** How often a key may ask; null for as often as it likes. */
  readonly limit: RateLimit | null
  readonly requestLogs: RequestLogs
  readonly keyUses: KeyUses
  /** Whether parameters that are not known are ignored, and told in a header. */
  readonly isLenient: boolean
  /** Called after every operation that may have changed something. */
  readonly onChange: () => void
  /** What is asked at the same address and is no operation. */
  readonly routes?: readonly Route[]
}

/** The API over HTTP: every operation at its path, errors in one shape, an id on every answer. */
export function createApiApp(options: ApiAppOptions): App {
  const app = new Koa()
  const route = createRouting([
    ...referenceRoutes(options),
    ...operationRoutes(options),
    ...(options.routes ?? []),
  ])
  app.use((ctx) =>
    answerErrors(ctx, options, () => {
      checkHost(ctx.req, options.hosts)
      checkOrigin(ctx.req)
      return route(ctx)
    }),
  )
  return { answer: app.callback(), answerUnreadable: () => answerUnreadable(options) }
}

function operationRoutes(options: ApiAppOptions): Route[] {
  const { runtime, keyUses } = options
  const authenticate = createAuthenticate()
  const turnEnd = createTurnEnd()
  const readBody = createBodyReader()
  return operations.map(({ operation }) => ({
    method: operation.method,
    path: operation.path,
    async answer(ctx) {
      const key = await authenticate(runtime.store, ctx.req.headers.authorization, runtime.wallNow())
      ctx.state.apiKey = key.id
      keyUses.note(key)
      checkScope(key, operation)
      if (options.limit !== null) checkRate(ctx, options.limit(key.id))
      const body = operation.method === 'POST' ? await readBody(ctx) : undefined
      const answered = await run(ctx, { operation, body }, options)
      // Answers that leave together wake their readers once. Those to changes do anyway: they wait for one write.
      if (operation.kind === 'lookup') await turnEnd()
      answer(ctx, answered)
    },
  }))
}

function checkRate(ctx: Context, allowance: Allowance): void {
  ctx.set(allowance.headers)
  checkAllowance(allowance)
}

async function run(
  ctx: Context,
  { operation, body }: Pick<Call, 'operation' | 'body'>,
  { runtime, onChange, log, clock, apiUrl, isLenient, requestLogs }: ApiAppOptions,
): Promise<Answered> {
  for (const { error, record } of await drainDeadlines(runtime)) {
    logBug(log, clock, { message: `deadline of ${record.id} failed`, error })
  }
  if (operation.path.startsWith(LOGS_PATH)) await requestLogs.flush()
  const { requestId } = ctx.state
  const call = {
    ...{ operation, id: ctx.params.id, search: ctx.querystring, body, requestId },
    ...(isLenient ? { onIgnored: (params: readonly string[]) => warn(ctx, params) } : {}),
  }
  const idempotencyKey = operation.method === 'POST' ? ctx.req.headers['idempotency-key'] : undefined
  try {
    if (operation.kind !== 'lookup' && typeof idempotencyKey === 'string')
      return await executeOnce(runtime, { ...call, operation, idempotencyKey, apiUrl })
    return { status: 200, body: JSON.stringify(await execute(runtime, call)), replayOf: null }
  } finally {
    if (operation.kind !== 'lookup') onChange()
  }
}

const MAX_NAMES_WARNED_OF = 10
const MAX_NAME_CHARACTERS = 80

// A name is whatever a client sent, and a header takes only some of it.
function warn(ctx: Context, params: readonly string[]): void {
  const names = params.slice(0, MAX_NAMES_WARNED_OF).map((name) => {
    const plain = maskCardNumbers(name.slice(0, MAX_NAME_CHARACTERS)).toWellFormed()
    return encodeURI(plain).replaceAll('%5B', '[').replaceAll('%5D', ']')
  })
  ctx.append('Paycli-Warning', `unknown parameters ignored: ${names.join(', ')}`)
}

function answer(ctx: Context, { status, body, replayOf }: Answered): void {
  ctx.status = status
  ctx.body = body
  ctx.state.replayOf = replayOf
  if (replayOf !== null) ctx.set({ 'Idempotent-Replayed': 'true', 'Original-Request': replayOf })
}

async function answerErrors(
  ctx: Context,
  options: ApiAppOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  const { runtime, clock, apiUrl, log } = options
  const startedMs = clock.nowMs()
  const requestId = runtime.newId('req_')
  ctx.state.requestId = requestId
  ctx.set(ownHeaders(requestId))
  let stack: string | undefined
  try {
    await work()
  } catch (error) {
    const isExpected = error instanceof Refusal && Object.hasOwn(ERRORS, error.code)
    if (!isExpected) stack = stackOf(error)
    const answer = toErrorAnswer(isExpected ? error : internalError(), { requestId, apiUrl })
    ctx.status = answer.status
    ctx.set(answer.headers)
    ctx.body = JSON.stringify(answer.body)
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
  noteRequest(ctx, startedMs, options)
}

const LOGS_PATH = '/v1/request_logs'

// Who follows the log would write it by looking, so that is left out, like all that is not of the API.
function noteRequest(ctx: Context, startedMs: number, { requestLogs, clock }: ApiAppOptions): void {
  const { path, method, status, body, state } = ctx
  if (!path.startsWith('/v1') || path.startsWith(LOGS_PATH) || path === streams.requestLogs.path) return
  const { requestId: id, apiKey = null, replayOf = null } = state
  requestLogs.note({
    ...{ id, method, path, status, api_key: apiKey, replay_of: replayOf },
    created: unixSeconds(clock),
    duration_ms: clock.nowMs() - startedMs,
    errorBody: status >= 400 && typeof body === 'string' ? body : null,
  })
}

function ownHeaders(requestId: string): Record<string, string> {
  return {
    'Request-Id': requestId,
    'Paycli-Version': '1',
    'Content-Type': 'application/json; charset=utf-8',
  }
}

function answerUnreadable({ runtime, clock, apiUrl, log }: ApiAppOptions): PlainAnswer {
  const requestId = runtime.newId('req_')
  const refusal = new Refusal(
    'request_malformed',
    'The request is not valid HTTP, or its headers are larger than 16 KiB. Check the request line and the headers.',
  )
  const { status, body } = toErrorAnswer(refusal, { requestId, apiUrl })
  log({ at_ms: clock.nowMs(), level: 'info', message: 'unreadable request', status, request_id: requestId })
  return { status, headers: ownHeaders(requestId), body: JSON.stringify(body) }
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
