import type { Context, Middleware } from 'koa'
import { operations } from '../../api/api.ts'
import { getRequiredScope } from '../../api/core/auth.ts'
import { executeRequest, type SerializedResponse } from '../../api/core/execute.ts'
import type { OperationRequest } from '../../api/core/operation-request.ts'
import { FAULTABLE_OPERATIONS } from '../../api/resources/faultable-operations.ts'
import { maskAndTruncate } from '../../domain/text/card-number-masking.ts'
import { maskKeysAndSecrets } from '../../domain/text/secret-masking.ts'
import { runDueJobs } from '../../engine/real-time-jobs.ts'
import type { SandboxRegistry } from '../sandboxes/sandbox-registry.ts'
import { logInternalError } from '../system/log.ts'
import { createSingleFlight, waitForNextTurn } from '../system/task-scheduling.ts'
import {
  createConnectionErrorResponder,
  createErrorHandler,
  type ErrorHandlerOptions,
} from './error-handler.ts'
import { createEventLoopScheduler } from './event-loop-scheduler.ts'
import { type AllowedHosts, checkOrigin, createHostGuard } from './host-guard.ts'
import type { HttpApp } from './http-listener.ts'
import { createAccessLog, createKoaApp } from './koa-app.ts'
import { createPublicRoutes, type PublicRoutesOptions } from './public-routes.ts'
import { createRequestFaultInjector } from './request-fault-injector.ts'
import { createRequestLogger, REQUEST_LOGS_PATH } from './request-log.ts'
import { createRouteGuards } from './route-guards.ts'
import { createRoutingMiddleware, type KoaRoute, rejectUnrouted } from './routing.ts'
import { createRequestIdMiddleware, respondWithJson } from './standard-headers.ts'

export interface ApiAppOptions extends ErrorHandlerOptions, Omit<PublicRoutesOptions, 'runtime'> {
  readonly sandboxes: Pick<SandboxRegistry, 'default' | 'opened' | 'find' | 'findActive' | 'newRequestId'>
  readonly hosts: AllowedHosts
  /** Whether unknown parameters are ignored and listed in the `Paycli-Warning` header instead of rejected. */
  readonly isLenient: boolean
  /** Additional routes on the same port that are not API operations. */
  readonly routes?: readonly KoaRoute[]
  /** Creates the middleware of the dashboard (default: the server has no dashboard). */
  readonly createDashboard?: (respond: OperationResponder) => Middleware
}

/** Creates the HTTP app of the API: one route per operation, the reference and the additional routes. */
export function createApiApp(options: ApiAppOptions): HttpApp {
  const { sandboxes, limit } = options
  const app = createKoaApp(options)
  const faults = createRequestFaultInjector()
  const respond = createResponder(options)
  const routes = [
    ...createPublicRoutes({ ...options, runtime: sandboxes.default.runtime }),
    ...(options.routes ?? []),
    ...createOperationRoutes(faults, respond),
  ]
  app.use(createRequestIdMiddleware(sandboxes, limit?.unusedHeaders))
  app.use(createAccessLog(options, 'request', createRequestLogger(sandboxes, options.clock)))
  app.use(createErrorHandler(options))
  app.use(createHostGuard(options.hosts, checkOrigin))
  if (options.createDashboard !== undefined) app.use(options.createDashboard(respond))
  app.use(createRoutingMiddleware(routes.map(createRouteGuards(sandboxes, limit))))
  app.use(rejectUnrouted)
  const createErrorResponse = createConnectionErrorResponder(options)
  return { handle: app.callback(), createErrorResponse, stop: faults.stop }
}

/** Executes an operation in the sandbox of `ctx.state`, and sets the response. */
export type OperationResponder = (ctx: Context, operation: OperationRequest['operation']) => Promise<void>

function createResponder(options: ApiAppOptions): OperationResponder {
  const turnEnd = createSingleFlight(waitForNextTurn)
  const takeTurn = createEventLoopScheduler()
  return async (ctx, operation) => {
    const { id } = ctx.state.sandbox ?? options.sandboxes.default
    const isLong = operation.kind === 'lookup' && !operation.path.endsWith('/:id')
    const execute = () => executeOperation(ctx, operation, options)
    const { status, body, replayOf } = await takeTurn(id, isLong, execute)
    // Responses that are ready in one turn of the event loop are written together. Otherwise the client's process would
    // sleep and wake up for each response, which takes longer than a create request.
    await turnEnd()
    if (replayOf !== null) {
      ctx.state.replayOf = replayOf
      ctx.set({ 'Idempotent-Replayed': 'true', 'Original-Request': replayOf })
    }
    respondWithJson(ctx, status, body)
  }
}

function createOperationRoutes(
  faults: ReturnType<typeof createRequestFaultInjector>,
  respond: OperationResponder,
): KoaRoute[] {
  return operations.map(({ operation, wireName }) => ({
    method: operation.method,
    path: operation.path,
    scope: getRequiredScope(operation),
    handle: FAULTABLE_OPERATIONS.includes(wireName)
      ? (ctx) => faults.serve(ctx, wireName, () => respond(ctx, operation))
      : (ctx) => respond(ctx, operation),
  }))
}

async function executeOperation(
  ctx: Context,
  operation: OperationRequest['operation'],
  { sandboxes, log, clock, apiUrl, isLenient }: ApiAppOptions,
): Promise<SerializedResponse> {
  const { requestId = '', idempotencyScope = '', apiKey, sandbox = sandboxes.default } = ctx.state
  const { runtime, requestLogs, jobs } = sandbox
  for (const { error, record } of await runDueJobs(runtime)) {
    logInternalError(log, clock, `due job of ${record.id} failed`, error)
  }
  if (operation.path.startsWith(REQUEST_LOGS_PATH)) await requestLogs.flush()
  const { body } = ctx.request
  const idempotencyKey = operation.method === 'POST' ? ctx.req.headers['idempotency-key'] : undefined
  const request: OperationRequest = {
    ...{ operation, id: ctx.params.id, search: ctx.querystring, body, requestId },
    isSecretKey: apiKey?.kind === 'secret',
    ...(operation.cost === 'expensive' && { isDisconnected: () => ctx.req.socket.destroyed }),
    ...(isLenient && { onIgnored: (params) => warnOfIgnored(ctx, params) }),
    ...(typeof idempotencyKey === 'string' && {
      idempotencyHeader: { value: idempotencyKey, scope: idempotencyScope, apiUrl },
    }),
  }
  try {
    return await executeRequest(runtime, request)
  } finally {
    if (operation.kind !== 'lookup') {
      if (runtime.faults.has('delivery')) await jobs.deliverEarly(requestId)
      jobs.wake()
    }
  }
}

const MAX_WARNING_NAMES = 10
const MAX_NAME_CHARACTERS = 80

// Parameter names come from the client, so they may contain secrets and characters that a header does not allow.
function warnOfIgnored(ctx: Context, params: readonly string[]): void {
  const names = params.slice(0, MAX_WARNING_NAMES).map((name) => {
    const plain = maskAndTruncate(maskKeysAndSecrets(name), MAX_NAME_CHARACTERS).toWellFormed()
    return encodeURI(plain).replaceAll('%5B', '[').replaceAll('%5D', ']')
  })
  ctx.append('Paycli-Warning', `unknown parameters ignored: ${names.join(', ')}`)
}
