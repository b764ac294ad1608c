import type { Context } from 'koa'
import { SECURITY_HEADERS } from '../api/core/security-headers.ts'
import { streams } from '../api/operations/streams.ts'
import { ERRORS, internalError, toErrorAnswer } from '../api/schema/errors.ts'
import { tooManyConnections, tooManyUnauthenticated } from '../api/schema/wire-refusals.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { RequestLogs } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { type Clock, unixSeconds } from './clock.ts'
import type { App, PlainAnswer } from './listen.ts'
import type { Log } from './log.ts'
import type { RateLimit } from './rate-limit.ts'
import { createSparseLog } from './sparse-log.ts'
import { visitorAddress } from './visitor-address.ts'

export interface AnsweringOptions {
  readonly runtime: Runtime
  readonly clock: Clock
  readonly apiUrl: string
  readonly log: Log
  /** How often a key may ask; null for as often as it likes. */
  readonly limit: RateLimit | null
  readonly requestLogs: RequestLogs
  /** How often an address may be refused for its key, host or origin; null for as often as it likes. */
  readonly unauthenticatedLimit: RateLimit | null
  /** Whether the addresses are those that a proxy names. */
  readonly isProxyTrusted: boolean
}

/** The path of the operations that show what was asked. */
export const LOGS_PATH = '/v1/request_logs'

/** Sends the answer that `work` gives, or what it threw as an error, and remembers the request. */
export async function answerWith(
  ctx: Context,
  options: AnsweringOptions,
  work: () => Promise<PlainAnswer | null> | PlainAnswer | null,
): Promise<void> {
  const { runtime, clock } = options
  const startedMs = clock.nowMs()
  const requestId = runtime.newId('req_')
  ctx.state.requestId = requestId
  ctx.state.allowance = options.limit?.whole
  let answer: PlainAnswer | null
  let stack: string | undefined
  try {
    answer = await work()
  } catch (error) {
    const isExpected = error instanceof DomainError && Object.hasOwn(ERRORS, error.code)
    if (!isExpected) stack = stackOf(error)
    const refusal = isExpected ? limited(ctx, error, options) : internalError()
    answer = errorAnswer(refusal, requestId, options)
  }
  if (answer !== null) send(ctx, answer)
  remember(ctx, { answer, startedMs, stack }, options)
}

// Whoever has no valid key costs a lookup, and a line in the log, each time.
function limited(
  { req }: Context,
  refusal: DomainError,
  { unauthenticatedLimit, isProxyTrusted }: AnsweringOptions,
): DomainError {
  const isUnauthenticated = ERRORS[refusal.code]?.[0] === 401 || refusal.code === 'host_not_allowed'
  if (unauthenticatedLimit === null || !isUnauthenticated) return refusal
  const { retryAfterSeconds } = unauthenticatedLimit.take(visitorAddress(req, isProxyTrusted))
  return retryAfterSeconds === null ? refusal : tooManyUnauthenticated(retryAfterSeconds)
}

/** The headers of every answer. */
export function ownHeaders({ requestId, allowance }: Context['state']): Record<string, string> {
  const own = {
    'Request-Id': requestId,
    'Paycli-Version': '1',
    'Content-Type': 'application/json; charset=utf-8',
    ...SECURITY_HEADERS,
  }
  return allowance === undefined ? own : { ...own, ...allowance }
}

// All at once: header by header, and with Koa's own look at the body, it takes several times as long.
function send(ctx: Context, { status, headers, body }: PlainAnswer): void {
  const { res, state } = ctx
  // To whoever hung up nothing can be sent, and Koa ends that.
  if (res.destroyed) return
  ctx.respond = false
  const own = ownHeaders(state)
  res.writeHead(status, { ...own, 'Content-Length': Buffer.byteLength(body), ...headers }).end(body)
}

interface Outcome {
  /** Null for one that was given to the context. */
  readonly answer: PlainAnswer | null
  readonly startedMs: number
  /** Of a bug. */
  readonly stack: string | undefined
}

// Who follows the log would write it by looking, so that is left out of it, like all that is not of the API.
function remember(
  ctx: Context,
  { answer, startedMs, stack }: Outcome,
  { log, clock, requestLogs }: AnsweringOptions,
): void {
  const { path, method } = ctx
  const { requestId, apiKey = null, replayOf = null } = ctx.state
  const status = answer?.status ?? ctx.status
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
  requestLogs.note({
    id: requestId,
    created: unixSeconds(clock),
    method,
    path,
    status,
    duration_ms,
    api_key: apiKey,
    replay_of: replayOf,
    errorBody: status >= 400 && answer !== null ? answer.body : null,
  })
}

/** The answers to requests that are not read. */
type UnreadAnswers = Pick<App, 'answerUnreadable' | 'answerCrowded'>

/** What to say to somebody whose request cannot be read as HTTP, or who has too many connections. */
export function createUnreadAnswers(options: AnsweringOptions): UnreadAnswers {
  const { runtime, clock, limit } = options
  const log = createSparseLog(options.log)
  const answerUnread = (refusal: DomainError, message: string) => {
    const requestId = runtime.newId('req_')
    const answer = errorAnswer(refusal, requestId, options)
    const { status } = answer
    log({ at_ms: clock.nowMs(), level: 'info', message, status, request_id: requestId })
    return {
      ...answer,
      headers: { ...ownHeaders({ requestId, allowance: limit?.whole }), ...answer.headers },
    }
  }
  return {
    answerUnreadable: () => answerUnread(malformed(), 'unreadable request'),
    answerCrowded: () => answerUnread(tooManyConnections(), 'too many connections from one address'),
  }
}

function malformed(): DomainError {
  return new DomainError(
    'request_malformed',
    'The request is not valid HTTP, or its headers are larger than 16 KiB. Check the request line and the headers.',
  )
}

function errorAnswer(refusal: DomainError, requestId: string, { apiUrl }: AnsweringOptions): PlainAnswer {
  const { status, headers, body } = toErrorAnswer(refusal, { requestId, apiUrl })
  return { status, headers, body: JSON.stringify(body) }
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
