import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { createAuthenticate } from '../api/core/auth.ts'
import { checkParams, readParams } from '../api/core/execute.ts'
import { type StreamRoute, streams } from '../api/operations/streams.ts'
import type {
  LogsReady,
  StreamLeave,
  StreamReady,
  StreamResult,
  StreamTarget,
} from '../api/resources/streams.ts'
import type { Bounds } from '../api/schema/schema.ts'
import { type ApiKey, isOpenKey, requireScope } from '../domain/api-keys.ts'
import { DomainError } from '../domain/domain-error.ts'
import type { EventType } from '../domain/event-types.ts'
import type { KeyUses } from '../engine/key-uses.ts'
import type { RequestLogs } from '../engine/request-logs.ts'
import type { Runtime } from '../engine/runtime.ts'
import { createFairQueue } from './fair-queue.ts'
import { parseForwardParam } from './forward-param.ts'
import { closeListeners, keepSuccess, openListeners, skipFiltered } from './listeners.ts'
import type { Presence } from './presence.ts'
import { checkRate, type RateLimit } from './rate-limit.ts'
import { createBodyReader } from './request-body.ts'
import type { ContextRoute } from './routing.ts'
import { createStreamConnection } from './stream-connection.ts'
import { type StreamHub, targetOf } from './stream-hub.ts'
import { createStreamLimits } from './stream-limits.ts'
import {
  createStreamSources,
  newestLogPlace,
  type StreamSource,
  type StreamSources,
} from './stream-source.ts'

export interface StreamRoutesOptions {
  readonly runtime: Runtime
  readonly hub: StreamHub
  readonly presence: Presence
  readonly keyUses: KeyUses
  readonly requestLogs: RequestLogs
  /** How often a key may ask; null for as often as it likes. */
  readonly limit: RateLimit | null
  readonly nowMs: () => number
  /** Refuses an address that a listener may not forward to. */
  readonly requireTarget: (url: string) => void
  /** What listeners' deliveries are signed with. */
  readonly secret: string
  /** Something that names the database and tells nothing else. */
  readonly salt: string
  readonly newToken: () => string
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** What the routes of one daemon share. */
interface Shared extends StreamRoutesOptions {
  readonly sources: StreamSources
  /** Runs what many clients ask for at once one after the other. */
  readonly inTurn: (task: () => Promise<void>) => Promise<void>
}

/** The live streams, and where listeners report. */
export function streamRoutes(options: StreamRoutesOptions): ContextRoute[] {
  const { runtime, hub, presence, keyUses, limit, onChange } = options
  const { yieldToEventLoop, store } = runtime
  const inTurn = createFairQueue(yieldToEventLoop)
  const shared = { ...options, sources: createStreamSources(store, yieldToEventLoop), inTurn }
  const limits = createStreamLimits()
  const authenticate = createAuthenticate()
  const readBody = createBodyReader()
  type Answer<P> = (ctx: Context, params: P, key: ApiKey) => Promise<void>
  const mounted = <P extends object>(route: StreamRoute<P>, answer: Answer<P>): ContextRoute => ({
    method: route.method,
    path: route.path,
    async answer(ctx) {
      const { key } = await authenticate(runtime.store, ctx.req.headers.authorization, runtime.wallNow())
      ctx.state.apiKey = key.id
      keyUses.note(key)
      requireScope(key, route.scope)
      // What a report tells stands in for the service's own sending, which no limit holds up either.
      if (limit !== null && route.method === 'GET') {
        const allowance = limit.take(key.id)
        checkRate(ctx, allowance)
        ctx.set(allowance.headers)
      }
      const body = route.method === 'POST' ? await readBody(ctx) : undefined
      const asked = { operation: route as StreamRoute<never>, id: undefined, search: ctx.querystring, body }
      const params = await checkParams(runtime, asked, readParams(asked))
      await answer(ctx, params as P, key)
    },
  })
  const counted = async (ctx: Context, key: ApiKey, open: () => Promise<void>) => {
    // Its client left during authentication, and no event would tell of it again.
    if (ctx.res.closed) {
      ctx.respond = false
      return
    }
    const leave = limits.open(key.id)
    ctx.res.once('close', leave)
    await open().catch((error: unknown) => {
      leave()
      throw error
    })
  }
  return [
    mounted(streams.events, (ctx, params, key) =>
      counted(ctx, key, () => openEvents(ctx, { params, key }, shared)),
    ),
    mounted(streams.requestLogs, (ctx, params, key) =>
      counted(ctx, key, () => openLogs(ctx, { params, key }, shared)),
    ),
    mounted(streams.report, async (ctx, result) => {
      if (result.skipped === true) await skipFiltered(runtime, result.delivery)
      const made = result.skipped === true ? 'skipped' : sendResultOf(result)
      const due = await runtime.store.get('webhook_deliveries', result.delivery)
      const isAwaited = await hub.settle(result.delivery, made)
      const taken = isAwaited || (made !== 'skipped' && (await keepSuccess(runtime, due, made)))
      const answer: StreamResult = { object: 'webhook_result', delivery: result.delivery, taken }
      ctx.body = answer
    }),
    mounted(streams.leave, async (ctx, { reader, webhook_endpoints = [] }) => {
      hub.leave(reader)
      const unserved = webhook_endpoints.filter((id) => !hub.isServed(id))
      await presence.leave(unserved)
      const left = await presence.withoutOthers(unserved)
      await closeListeners(runtime, left)
      onChange()
      const answer: StreamLeave = { object: 'webhook_leave', webhook_endpoints: left }
      ctx.body = answer
    }),
  ]
}

type ParamsOf<R> = R extends StreamRoute<infer P> ? P : never
type Result = ParamsOf<typeof streams.report>
type EventsParams = ParamsOf<typeof streams.events>
type LogsParams = ParamsOf<typeof streams.requestLogs>

function sendResultOf(result: Result) {
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

async function openEvents(
  ctx: Context,
  { params, key }: { readonly params: EventsParams; readonly key: ApiKey },
  options: Shared,
): Promise<void> {
  const { runtime, hub, presence, secret, salt, newToken, onChange, sources } = options
  const given = positionOf(ctx.get('Last-Event-ID')) ?? params.after
  const targets = parseForwardParam(params.forward ?? [], options.requireTarget)
  const isSigner = targets.length > 0 || params.secret !== undefined
  // Whoever reads events only need not be able to forge them.
  if (isSigner) requireScope(key, streams.report.scope)
  const endpoints = targets.length === 0 ? [] : await openListeners(runtime, targets, secret)
  // Before anybody else could find that nobody listens.
  await presence.keep([...hub.served(), ...endpoints.map(({ id }) => id)])
  const sequence = given ?? (await runtime.store.newestSequence())
  const types = params.types === undefined ? null : new Set<EventType>(params.types)
  const served = endpoints.map(targetOf)
  const isTold = key.kind === 'secret' || isSigner
  const reader = newToken()
  const database = nameOf(salt)
  const ready: StreamReady = {
    ...{ reader, sequence, database },
    webhook_secret: isTold ? secret : null,
    targets: served,
  }
  const source = sources.events(types)
  const beginning = { ready, source, after: String(sequence), key, targets: served }
  await options.inTurn(async () => begin(ctx, beginning, options))
  onChange()
}

async function openLogs(
  ctx: Context,
  { params, key }: { readonly params: LogsParams; readonly key: ApiKey },
  options: Shared,
): Promise<void> {
  const { runtime, requestLogs, salt, newToken, sources } = options
  const { method, path, status } = params
  // What was answered before is no news.
  await requestLogs.flush()
  const source = sources.requestLogs(
    (log) =>
      (method === undefined || log.method === method) &&
      (path === undefined || log.path === path) &&
      isWithin(log.status, status),
  )
  const given = ctx.get('Last-Event-ID') || params.after
  const after = given ?? (await newestLogPlace(runtime.store))
  const ready: LogsReady = { reader: newToken(), database: nameOf(salt) }
  await options.inTurn(async () => begin(ctx, { ready, source, after, key, targets: [] }, options))
}

function isWithin(value: number, { gt, gte, lt, lte }: Bounds = {}): boolean {
  return (
    value > (gt ?? -Infinity) &&
    value >= (gte ?? -Infinity) &&
    value < (lt ?? Infinity) &&
    value <= (lte ?? Infinity)
  )
}

interface Beginning {
  readonly ready: StreamReady | LogsReady
  readonly source: StreamSource
  readonly after: string
  readonly key: ApiKey
  readonly targets: readonly StreamTarget[]
}

function begin(
  ctx: Context,
  { ready, source, after, key, targets }: Beginning,
  { runtime, hub, nowMs, onError }: Shared,
): void {
  const { res: response } = ctx
  ctx.respond = false
  // Nothing would ever take a client off the hub that disconnected while its stream was opened.
  if (response.closed) return
  ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  response.writeHead(200)
  // Without a first byte the head would wait for it.
  response.write(': paycli\n\n')
  const { store, wallNow } = runtime
  const isKeyOpen = async () => {
    const now = await store.get('api_keys', key.id)
    return now !== null && isOpenKey(now, wallNow())
  }
  const connection = createStreamConnection({ response, source, nowMs, after, isKeyOpen })
  hub.join(ready.reader, { connection, key: key.id, targets })
  response.once('close', () => hub.lose(ready.reader))
  connection.send('ready', ready)
  connection.pull().catch(onError)
}

// Something that tells databases apart and gives nothing away.
function nameOf(salt: string): string {
  return hash('sha256', salt, 'hex').slice(0, 16)
}

function positionOf(lastEventId: string): number | undefined {
  if (lastEventId === '') return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw new DomainError(
    'parameter_invalid_integer',
    'The Last-Event-ID header is no place in the sequence. Send the last id of this stream, or none.',
  )
}
