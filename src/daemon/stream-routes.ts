import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { createAuthenticate } from '../api/auth.ts'
import { parseQuery } from '../api/query.ts'
import {
  choice,
  flag,
  id,
  integer,
  list,
  nullable,
  type ObjectSchema,
  type Schema,
  shape,
  text,
} from '../api/schema.ts'
import { validate } from '../api/validate.ts'
import { type ApiKey, requireScope } from '../domain/api-keys.ts'
import { EVENT_TYPES, type EventType } from '../domain/event-types.ts'
import { isEventPattern } from '../domain/events.ts'
import { Refusal } from '../domain/refusal.ts'
import { DELIVERY_ERRORS, type DeliveryError } from '../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS } from '../domain/webhook-endpoints.ts'
import type { KeyUses } from '../engine/key-uses.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { ForwardTarget } from './forwarding.ts'
import { closeListeners, openListeners, skipFiltered } from './listeners.ts'
import { createBodyReader } from './request-body.ts'
import type { ContextRoute } from './routing.ts'
import { createStreamConnection } from './stream-connection.ts'
import type { StreamHub } from './stream-hub.ts'

/** What it takes to send webhooks. */
const SENDING = 'webhook_endpoints:write'
const MAX_BODY_CHARACTERS = 65_536

const streamParams = shape(
  {},
  {
    types: list(choice(EVENT_TYPES, 'A type.'), EVENT_TYPES.length, 'Only events of these types.'),
    after: integer({ min: 0 }, 'Begin after this place in the sequence; with what comes unless given.'),
    secret: choice(['yes'], 'Say what signs what is forwarded.'),
    forward: list(
      text(8192, 'Types or patterns with commas between, =, and a URL.'),
      MAX_WEBHOOK_ENDPOINTS,
      'What this listener sends on, and where to.',
    ),
  },
)

const optionalText = (max: number, description: string) => ({
  ...nullable(text(max, description)),
  minLength: 0,
})

const answeredBody: Schema<string | null> = {
  type: ['string', 'null'],
  maxLength: MAX_BODY_CHARACTERS,
  description: 'What was answered.',
}

const resultParams = shape(
  { delivery: id('The delivery that was offered.') },
  {
    skipped: flag('Whether the listener leaves the event out.'),
    http_status: nullable(integer({ min: 100, max: 999 }, 'The status that was answered.')),
    error: { type: ['string', 'null'], enum: [...DELIVERY_ERRORS, null], description: 'Why it failed.' },
    error_message: optionalText(2000, 'The failure in a sentence.'),
    duration_ms: integer({ min: 0 }, 'How long it took.'),
    // What a receiver answers may hold anything; the sender has made it printable.
    response_body: answeredBody,
    response_body_truncated: flag('Whether that is only its beginning.'),
    retry_after: optionalText(200, 'The Retry-After header that was answered.'),
  },
)

const leaveParams = shape({
  reader: id('The reader that leaves, as the stream named it.'),
  webhook_endpoints: list(id('An endpoint.'), MAX_WEBHOOK_ENDPOINTS, 'Those that are not sent for any more.'),
})

export interface StreamRoutesOptions {
  readonly runtime: Runtime
  readonly hub: StreamHub
  readonly keyUses: KeyUses
  readonly nowMs: () => number
  /** What listeners' deliveries are signed with. */
  readonly secret: string
  /** Something that names the database and tells nothing else. */
  readonly salt: string
  readonly newToken: () => string
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** The live stream of events and deliveries, and where listeners report. */
export function streamRoutes(options: StreamRoutesOptions): ContextRoute[] {
  const { runtime, hub, keyUses, onChange } = options
  const authenticate = createAuthenticate()
  const readBody = createBodyReader()
  type Answer = (ctx: Context, key: ApiKey) => Promise<void>
  const guarded = (method: string, path: string, answer: Answer): ContextRoute => ({
    method,
    path,
    async answer(ctx) {
      const key = await authenticate(runtime.store, ctx.req.headers.authorization, runtime.wallNow())
      ctx.state.apiKey = key.id
      keyUses.note(key)
      requireScope(key, method === 'GET' ? 'events:read' : SENDING)
      await answer(ctx, key)
    },
  })
  return [
    guarded('GET', '/v1/stream', (ctx, key) => openStream(ctx, key, options)),
    guarded('POST', '/v1/stream/results', async (ctx) => {
      const result = checked<Result>(await readBody(ctx), resultParams)
      if (result.skipped === true) await skipFiltered(runtime, result.delivery)
      const isTaken = hub.settle(result.delivery, result.skipped === true ? 'skipped' : sendResultOf(result))
      ctx.body = { object: 'webhook_result', delivery: result.delivery, taken: isTaken }
    }),
    guarded('POST', '/v1/stream/leave', async (ctx) => {
      const { reader, webhook_endpoints } = checked<Leaving>(await readBody(ctx), leaveParams)
      hub.leave(reader)
      const left = webhook_endpoints.filter((endpoint) => !hub.isServed(endpoint))
      await closeListeners(runtime, left)
      onChange()
      ctx.body = { object: 'webhook_leave', webhook_endpoints: left }
    }),
  ]
}

type Result = NonNullable<(typeof resultParams)['valueType']>
type Leaving = NonNullable<(typeof leaveParams)['valueType']>
type StreamParams = NonNullable<(typeof streamParams)['valueType']>

function checked<T>(given: unknown, schema: ObjectSchema<T>): T {
  validate(given ?? {}, schema as ObjectSchema<never>)
  return given as T
}

function sendResultOf(result: Result) {
  return {
    http_status: result.http_status ?? null,
    error: (result.error ?? null) as DeliveryError | null,
    error_message: result.error_message ?? null,
    duration_ms: result.duration_ms ?? 0,
    response_body: result.response_body ?? null,
    response_body_truncated: result.response_body_truncated === true,
    retry_after: result.retry_after ?? null,
  }
}

async function openStream(ctx: Context, key: ApiKey, options: StreamRoutesOptions): Promise<void> {
  const { runtime, hub, nowMs, secret, salt, newToken, onChange, onError } = options
  const params: StreamParams = parseQuery(ctx.querystring, streamParams as ObjectSchema<never>)
  checked(params, streamParams)
  const given = positionOf(ctx.get('Last-Event-ID')) ?? params.after
  const targets = (params.forward ?? []).map(parseTarget)
  // Whoever reads events only need not be able to forge them.
  if (targets.length > 0 || params.secret !== undefined) requireScope(key, SENDING)
  const endpoints = targets.length === 0 ? [] : await openListeners(runtime, targets, secret)
  const sequence = given ?? (await runtime.store.newestSequence())
  const types = params.types === undefined ? null : new Set<EventType>(params.types)
  const { res: response } = ctx
  ctx.respond = false
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  response.writeHead(200)
  // Without a first byte the head would wait for it.
  response.write(': paycli\n\n')
  const connection = createStreamConnection({
    response,
    reader: runtime.store,
    nowMs,
    types,
    after: sequence,
  })
  const served = endpoints.map(({ id, url, enabled_events }) => ({
    webhook_endpoint: id,
    url,
    enabled_events,
  }))
  const isTold = key.kind === 'secret' || targets.length > 0 || params.secret !== undefined
  const database = hash('sha256', salt, 'hex').slice(0, 16)
  const reader = newToken()
  hub.join(
    reader,
    connection,
    endpoints.map((endpoint) => endpoint.id),
  )
  response.once('close', () => hub.leave(reader))
  connection.send('ready', {
    reader,
    sequence,
    database,
    webhook_secret: isTold ? secret : null,
    targets: served,
  })
  connection.pull().catch(onError)
  onChange()
}

function positionOf(lastEventId: string): number | undefined {
  if (lastEventId === '') return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw new Refusal(
    'parameter_invalid_integer',
    'The Last-Event-ID header is no place in the sequence. Send the last id of this stream, or none.',
  )
}

function parseTarget(text: string): ForwardTarget {
  const end = text.indexOf('=')
  const [events, url] = [text.slice(0, end).split(','), text.slice(end + 1)]
  if (end > 0 && events.every(isEventPattern) && /^https?:/.test(url) && URL.canParse(url))
    return { url, events }
  throw new Refusal(
    'parameter_invalid_string',
    'forward takes types=url, such as invoice.*=http://127.0.0.1:3000/.',
    {
      param: 'forward',
    },
  )
}
