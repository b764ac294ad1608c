import Koa, { type Context } from 'koa'
import { operations } from '../api/api.ts'
import { createAuthenticator, requiredScope } from '../api/core/auth.ts'
import { execute, type OperationCall } from '../api/core/execute.ts'
import { executeOnce, type SerializedResponse } from '../api/core/execute-once.ts'
import { requireScope } from '../domain/api-keys.ts'
import { truncateMasked } from '../domain/card-number-masking.ts'
import { maskKeys } from '../domain/secret-masking.ts'
import type { ApiKeyUsage } from '../engine/api-key-usage.ts'
import { runDueJobs } from '../engine/real-time.ts'
import {
  createConnectionErrors,
  createStandardHeaders,
  handleRequest,
  LOGS_PATH,
  logInternalError,
  type RequestHandlingOptions,
} from './error-handler.ts'
import { type AllowedHosts, checkHost, checkOrigin, checkUrl } from './host-guard.ts'
import type { HttpApp, TextResponse } from './http-listener.ts'
import { applyRateLimit, type RateLimiter } from './rate-limit.ts'
import { createReferenceRoutes } from './reference.ts'
import { createBodyReader } from './request-body.ts'
import { type ApiRoute, createRouter, type KoaRoute } from './routing.ts'
import { createTurnEnd } from './ticker.ts'

export interface ApiAppOptions extends RequestHandlingOptions {
  readonly hosts: AllowedHosts
  readonly pid: number
  /** Limits requests for the reference by client address; null disables the limit. */
  readonly referenceLimit: RateLimiter | null
  readonly keyUsage: ApiKeyUsage
  /** Whether unknown parameters are ignored and listed in the `Paycli-Warning` header instead of rejected. */
  readonly isLenient: boolean
  /** Called after every operation that can write to the store. */
  readonly onChange: () => void
  /** Additional routes on the same port that are no API operations. */
  readonly routes?: readonly KoaRoute[]
}

/** Creates the HTTP app of the API: one route per operation, the reference and the additional routes. */
export function createApiApp(options: ApiAppOptions): HttpApp {
  const app = new Koa()
  const koaRoutes = [...createReferenceRoutes(options), ...(options.routes ?? [])]
  const route = createRouter([...koaRoutes.map(withStandardHeaders), ...createOperationRoutes(options)])
  app.use((ctx) =>
    handleRequest(ctx, options, () => {
      checkHost(ctx.req, options.hosts)
      checkOrigin(ctx.req)
      checkUrl(ctx.req)
      return route(ctx)
    }),
  )
  return { handle: app.callback(), ...createConnectionErrors(options) }
}

function withStandardHeaders({ method, path, handle }: KoaRoute): ApiRoute {
  return {
    method,
    path,
    async handle(ctx) {
      ctx.set(createStandardHeaders(ctx.state))
      await handle(ctx)
      return null
    },
  }
}

function createOperationRoutes(options: ApiAppOptions): ApiRoute[] {
  const { runtime, keyUsage } = options
  const authenticate = createAuthenticator()
  const turnEnd = createTurnEnd()
  const readBody = createBodyReader()
  return operations.map(({ operation }) => {
    const { method, path } = operation
    const scope = requiredScope(operation)
    return {
      method,
      path,
      async handle(ctx) {
        const { authorization } = ctx.req.headers
        const { key, idempotencyScope } = await authenticate(runtime.store, authorization, runtime.wallNow())
        ctx.state.apiKey = key.id
        ctx.state.idempotencyScope = idempotencyScope
        keyUsage.record(key)
        requireScope(key, scope)
        if (options.limit !== null) applyRateLimit(ctx, options.limit.take(key.id))
        const body = method === 'POST' ? await readBody(ctx) : undefined
        const response = await executeOperation(ctx, { operation, body }, options)
        // Responses written in the same turn of the event loop share one flush. Writes are batched by the store already.
        if (operation.kind === 'lookup') await turnEnd()
        return toTextResponse(ctx, response)
      },
    }
  })
}

async function executeOperation(
  ctx: Context,
  { operation, body }: Pick<OperationCall, 'operation' | 'body'>,
  { runtime, onChange, log, clock, apiUrl, isLenient, requestLogs }: ApiAppOptions,
): Promise<SerializedResponse> {
  for (const { error, record } of await runDueJobs(runtime)) {
    logInternalError(log, clock, `due job of ${record.id} failed`, error)
  }
  if (operation.path.startsWith(LOGS_PATH)) await requestLogs.flush()
  const { requestId, idempotencyScope } = ctx.state
  const base = { operation, id: ctx.params.id, search: ctx.querystring, body, requestId }
  const call: OperationCall = isLenient
    ? { ...base, onIgnored: (params) => warnOfIgnored(ctx, params) }
    : base
  const idempotencyKey = operation.method === 'POST' ? ctx.req.headers['idempotency-key'] : undefined
  try {
    if (operation.kind !== 'lookup' && typeof idempotencyKey === 'string')
      return await executeOnce(runtime, { ...call, operation, idempotencyKey, idempotencyScope, apiUrl })
    return { status: 200, body: JSON.stringify(await execute(runtime, call)), replayOf: null }
  } finally {
    if (operation.kind !== 'lookup') onChange()
  }
}

const MAX_WARNING_NAMES = 10
const MAX_NAME_CHARACTERS = 80

// Names come from the client, so they may contain secrets and characters that a header does not allow.
function warnOfIgnored(ctx: Context, params: readonly string[]): void {
  const names = params.slice(0, MAX_WARNING_NAMES).map((name) => {
    const plain = truncateMasked(maskKeys(name), MAX_NAME_CHARACTERS).toWellFormed()
    return encodeURI(plain).replaceAll('%5B', '[').replaceAll('%5D', ']')
  })
  ctx.append('Paycli-Warning', `unknown parameters ignored: ${names.join(', ')}`)
}

const NO_HEADERS = {}

function toTextResponse(ctx: Context, { status, body, replayOf }: SerializedResponse): TextResponse {
  if (replayOf === null) return { status, headers: NO_HEADERS, body }
  ctx.state.replayOf = replayOf
  return { status, headers: { 'Idempotent-Replayed': 'true', 'Original-Request': replayOf }, body }
}
