import Koa, { type Context } from 'koa'
import { createAuthenticate, scopeOf } from '../api/core/auth.ts'
import { type Call, execute } from '../api/core/execute.ts'
import { type Answered, executeOnce } from '../api/core/execute-once.ts'
import { operations } from '../api/index.ts'
import { requireScope } from '../domain/api-keys.ts'
import { cutMasked } from '../domain/card-numbers.ts'
import { maskKeys } from '../domain/masking.ts'
import type { KeyUses } from '../engine/key-uses.ts'
import { drainDeadlines } from '../engine/real-time.ts'
import {
  type AnsweringOptions,
  answerWith,
  createUnreadAnswers,
  LOGS_PATH,
  logBug,
  ownHeaders,
} from './error-handler.ts'
import { type AllowedHosts, checkHost, checkOrigin, checkUrl } from './host-guard.ts'
import type { App, PlainAnswer } from './listen.ts'
import { checkRate, type RateLimit } from './rate-limit.ts'
import { referenceRoutes } from './reference.ts'
import { createBodyReader } from './request-body.ts'
import { type ContextRoute, createRouting, type Route } from './routing.ts'
import { createTurnEnd } from './ticker.ts'

export interface ApiAppOptions extends AnsweringOptions {
  readonly hosts: AllowedHosts
  readonly pid: number
  /** How often an address may ask for the reference; null for as often as it likes. */
  readonly referenceLimit: RateLimit | null
  readonly keyUses: KeyUses
  /** Whether parameters that are not known are ignored, and told in a header. */
  readonly isLenient: boolean
  /** Called after every operation that may have changed something. */
  readonly onChange: () => void
  /** What is asked at the same address and is no operation. */
  readonly routes?: readonly ContextRoute[]
}

/** The API over HTTP: every operation at its path, errors in one shape, an id on every answer. */
export function createApiApp(options: ApiAppOptions): App {
  const app = new Koa()
  const others = [...referenceRoutes(options), ...(options.routes ?? [])]
  const route = createRouting([...others.map(withOwnHeaders), ...operationRoutes(options)])
  app.use((ctx) =>
    answerWith(ctx, options, () => {
      checkHost(ctx.req, options.hosts)
      checkOrigin(ctx.req)
      checkUrl(ctx.req)
      return route(ctx)
    }),
  )
  return { answer: app.callback(), ...createUnreadAnswers(options) }
}

/** A route that tells its answer to the context, with the headers that the operations' answers get with theirs. */
function withOwnHeaders({ method, path, answer }: ContextRoute): Route {
  return {
    method,
    path,
    async answer(ctx) {
      ctx.set(ownHeaders(ctx.state))
      await answer(ctx)
      return null
    },
  }
}

function operationRoutes(options: ApiAppOptions): Route[] {
  const { runtime, keyUses } = options
  const authenticate = createAuthenticate()
  const turnEnd = createTurnEnd()
  const readBody = createBodyReader()
  return operations.map(({ operation }) => {
    const { method, path } = operation
    const scope = scopeOf(operation)
    return {
      method,
      path,
      async answer(ctx) {
        const { authorization } = ctx.req.headers
        const { key, idempotencyScope } = await authenticate(runtime.store, authorization, runtime.wallNow())
        ctx.state.apiKey = key.id
        ctx.state.idempotencyScope = idempotencyScope
        keyUses.note(key)
        requireScope(key, scope)
        if (options.limit !== null) checkRate(ctx, options.limit.take(key.id))
        const body = method === 'POST' ? await readBody(ctx) : undefined
        const answered = await run(ctx, { operation, body }, options)
        // Answers that leave together wake their readers once. Those to changes do anyway: they wait for one write.
        if (operation.kind === 'lookup') await turnEnd()
        return answerOf(ctx, answered)
      },
    }
  })
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
  const { requestId, idempotencyScope } = ctx.state
  const asked = { operation, id: ctx.params.id, search: ctx.querystring, body, requestId }
  const call: Call = isLenient ? { ...asked, onIgnored: (params) => warn(ctx, params) } : asked
  const idempotencyKey = operation.method === 'POST' ? ctx.req.headers['idempotency-key'] : undefined
  try {
    if (operation.kind !== 'lookup' && typeof idempotencyKey === 'string')
      return await executeOnce(runtime, { ...call, operation, idempotencyKey, idempotencyScope, apiUrl })
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
    const plain = cutMasked(maskKeys(name), MAX_NAME_CHARACTERS).toWellFormed()
    return encodeURI(plain).replaceAll('%5B', '[').replaceAll('%5D', ']')
  })
  ctx.append('Paycli-Warning', `unknown parameters ignored: ${names.join(', ')}`)
}

const NO_HEADERS = {}

function answerOf(ctx: Context, { status, body, replayOf }: Answered): PlainAnswer {
  if (replayOf === null) return { status, headers: NO_HEADERS, body }
  ctx.state.replayOf = replayOf
  return { status, headers: { 'Idempotent-Replayed': 'true', 'Original-Request': replayOf }, body }
}
