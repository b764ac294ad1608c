import type { Context } from 'koa'
import { parseParams } from '../../api/core/parse-params.ts'
import { validateParams } from '../../api/core/validate-params.ts'
import { DEFAULT_PATH_PATTERN } from '../../api/operations/request-logs.ts'
import { type StreamRoute, streamRoutes } from '../../api/operations/streams.ts'
import type {
  LogsReady,
  StreamLeaveResponse,
  StreamReady,
  StreamResultResponse,
} from '../../api/resources/stream-messages.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { isWithinBounds } from '../../domain/core/range-bounds.ts'
import { type ApiKey, requireScope } from '../../domain/sandboxes/api-keys.ts'
import { combineWithDefaultPattern, matchesPattern } from '../../domain/text/globs.ts'
import type { SendResult } from '../../webhooks/send.ts'
import { createApiKeyCredential } from '../jobs/invalid-streams.ts'
import type { OpenSandbox } from '../sandboxes/open-sandbox.ts'
import { createYieldingQueue } from '../streams/fair-queue.ts'
import { parseForwardParam } from '../streams/forward-param.ts'
import {
  enableListenerEndpoints,
  markEndpointsNotListening,
  skipFilteredDelivery,
} from '../streams/listener-endpoints.ts'
import { createStreamConnection } from '../streams/stream-connection.ts'
import { formatEndpointAsTarget } from '../streams/stream-hub.ts'
import { createStreamLimiter } from '../streams/stream-limits.ts'
import { loadNewestLogPosition, type StreamSource } from '../streams/stream-source.ts'
import type { KoaRoute } from './routing.ts'
import { setStandardHeaders } from './standard-headers.ts'

export interface StreamRoutesOptions {
  readonly nowMs: () => number
  /** Throws when a listener may not forward to the URL. */
  readonly requireTarget: (url: string) => void
  readonly yieldToEventLoop: () => Promise<void>
  readonly onError: (error: unknown) => void
}

interface StreamContext extends StreamRoutesOptions {
  readonly sandbox: OpenSandbox
  readonly key: ApiKey
}

/** The first message of a stream, and the records that follow it. */
interface StreamStart {
  readonly ready: StreamReady | LogsReady
  readonly source: StreamSource
  /** The position after which the stream starts. */
  readonly after: string
}

type StreamHandler<P, R = void> = (ctx: Context, params: P, context: StreamContext) => Promise<R>

/** Creates the routes of the event stream, the request log stream, delivery results and listeners that disconnect. */
export function createStreamRoutes(options: StreamRoutesOptions): KoaRoute[] {
  // Many simultaneous connections must not block the event loop.
  const runInTurn = createYieldingQueue(options.yieldToEventLoop)
  const countStream = createStreamLimiter()
  const createRoute = <P>(route: StreamRoute<P>, handle: StreamHandler<P>): KoaRoute => ({
    method: route.method,
    path: route.path,
    scope: route.scope,
    // Delivery results have no rate limit, because deliveries by the server itself have no limit.
    isUnlimited: route.method === 'POST',
    async handle(ctx) {
      const { apiKey: key, sandbox } = ctx.state
      if (key === undefined || sandbox === undefined) throw new Error(`${route.path} has no scope`)
      const { body } = ctx.request
      const raw = parseParams({ operation: route, id: undefined, search: ctx.querystring, body })
      const params = await validateParams(sandbox.runtime, route, raw)
      await handle(ctx, params, { ...options, sandbox, key })
    },
  })
  const createStream = <P>(route: StreamRoute<P>, prepare: StreamHandler<P, StreamStart>) =>
    createRoute(route, async (ctx, params, context) => {
      // A client that disconnected during authentication emits no further 'close' event.
      if (ctx.res.closed) {
        ctx.respond = false
        return
      }
      const { sandbox, key } = context
      const quota = sandbox.runtime.quotas?.streams
      const release = countStream(quota === undefined ? key.id : sandbox.id, quota)
      ctx.res.once('close', release)
      try {
        const start = await prepare(ctx, params, context)
        await runInTurn(async () => startStream(ctx, start, context))
        // Only an event stream has targets, and deliveries to the targets may be due.
        if ('targets' in start.ready) sandbox.jobs.wake()
      } catch (error) {
        // An error response is not a stream, and may wait behind an earlier response on its connection.
        release()
        throw error
      }
    })
  return [
    createStream(streamRoutes.events, prepareEventStream),
    createStream(streamRoutes.requestLogs, prepareRequestLogStream),
    createRoute(streamRoutes.report, async (ctx, report, { sandbox }) => {
      const { delivery, skipped } = report
      if (skipped === true) await skipFilteredDelivery(sandbox.runtime, delivery)
      const result = skipped === true ? 'skipped' : toSendResult(report)
      const taken = await sandbox.streams.hub.reportResult(delivery, result)
      ctx.body = { object: 'webhook_result', delivery, taken } satisfies StreamResultResponse
    }),
    createRoute(streamRoutes.leave, async (ctx, { reader, webhook_endpoints: left = [] }, { sandbox }) => {
      const { hub, presence } = sandbox.streams
      hub.disconnectReader(reader)
      const unserved = left.filter((id) => !hub.hasListener(id))
      await presence.withdraw(unserved)
      const webhook_endpoints = await presence.withoutListenerElsewhere(unserved)
      await markEndpointsNotListening(sandbox.runtime, webhook_endpoints)
      sandbox.jobs.wake()
      ctx.body = { object: 'webhook_leave', webhook_endpoints } satisfies StreamLeaveResponse
    }),
  ]
}

type ParamsOf<R> = R extends StreamRoute<infer P> ? P : never

function toSendResult(result: ParamsOf<typeof streamRoutes.report>): SendResult {
  return {
    http_status: result.http_status ?? null,
    error: result.error ?? null,
    error_message: result.error_message ?? null,
    duration_ms: result.duration_ms ?? 0,
    response_body: result.response_body ?? null,
    response_body_truncated: result.response_body_truncated === true,
    retry_after: result.retry_after ?? null,
  }
}

async function prepareEventStream(
  ctx: Context,
  params: ParamsOf<typeof streamRoutes.events>,
  { sandbox, key, requireTarget }: StreamContext,
): Promise<StreamStart> {
  const { runtime, pages } = sandbox
  const { hub, presence, secret, database, sources } = sandbox.streams
  const after = parseLastEventId(ctx.get('Last-Event-ID')) ?? params.after
  const forwardTargets = parseForwardParam(params.forward ?? [], requireTarget)
  const isSigner = forwardTargets.length > 0 || params.secret !== undefined
  // A client that can only read events must not receive the secret, because it could then forge events.
  if (isSigner) requireScope(key, streamRoutes.report.scope)
  const endpoints =
    forwardTargets.length === 0 ? [] : await enableListenerEndpoints(runtime, forwardTargets, secret)
  // Announce the endpoints now; otherwise another process could disable them because they have no listener.
  await presence.announce([...hub.servedEndpoints(), ...endpoints.map(({ id }) => id)])
  const sequence = after ?? (await runtime.store.newestSequence())
  const types = params.types === undefined ? null : new Set<EventType>(params.types)
  const targets = endpoints.map(formatEndpointAsTarget)
  const webhook_secret = key.kind === 'secret' || isSigner ? secret : null
  const ready = { reader: pages.newNonce(), sequence, database, webhook_secret, targets }
  return { ready, source: sources.events(types), after: String(sequence) }
}

async function prepareRequestLogStream(
  ctx: Context,
  { method, path = DEFAULT_PATH_PATTERN, status, ...params }: ParamsOf<typeof streamRoutes.requestLogs>,
  { sandbox }: StreamContext,
): Promise<StreamStart> {
  const { runtime, requestLogs, pages } = sandbox
  const { sources, database } = sandbox.streams
  // Flush the request logs first, so that the stream starts after all requests that already have a response.
  await requestLogs.flush()
  const patterns = combineWithDefaultPattern(path, DEFAULT_PATH_PATTERN)
  const source = sources.requestLogs(
    (log) =>
      (method === undefined || log.method === method) &&
      patterns.every((pattern) => matchesPattern(pattern, log.path)) &&
      (status === undefined || isWithinBounds(log.status, status)),
  )
  const resumeAfter = ctx.get('Last-Event-ID') || params.after
  const after = resumeAfter ?? (await loadNewestLogPosition(runtime.store))
  return { ready: { reader: pages.newNonce(), database }, source, after }
}

function startStream(
  ctx: Context,
  { ready, source, after }: StreamStart,
  { sandbox, key, nowMs, onError }: StreamContext,
): void {
  const { res: response } = ctx
  ctx.respond = false
  // A client that is already disconnected emits no 'close' event, so the hub would never remove it.
  if (response.closed) return
  ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  setStandardHeaders(ctx)
  response.writeHead(200)
  // Node.js sends the headers with the first byte of the body.
  response.write(': paycli\n\n')
  const { hub } = sandbox.streams
  const { streamCredential: credential = createApiKeyCredential(sandbox.runtime, key.id) } = ctx.state
  const connection = createStreamConnection({
    ...{ response, source, nowMs, after },
    findKeyEnd: credential.findEnd,
  })
  hub.addReader(ready.reader, { connection, credential, targets: 'targets' in ready ? ready.targets : [] })
  response.once('close', () => hub.removeReader(ready.reader))
  connection.send('ready', ready)
  connection.pull().catch(onError)
}

function parseLastEventId(lastEventId: string): number | undefined {
  if (lastEventId === '') return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw new DomainError(
    'parameter_invalid_integer',
    'The Last-Event-ID header is not an event sequence number. Send the last id of this stream, or omit the header.',
  )
}
