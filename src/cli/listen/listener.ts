import type { StreamReady, StreamTarget } from '../../api/resources/streams.ts'
import type { Client } from '../../client/client.ts'
import { type FollowOptions, follow, isPassing, type StreamState } from '../../client/follow.ts'
import type { Frame } from '../../client/frames.ts'
import type { ListenRecord } from '../../client/listen-records.ts'
import { pause } from '../../client/pause.ts'
import type { EventType } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import { type Farewell, LEAVE } from './delivery-process.ts'
import type { DeliveryProcess } from './delivery-process-client.ts'
import { type Awaited, hasValues } from './event-wait.ts'
import type { Forwarding } from './forward-flags.ts'
import { createForwarder } from './forwarder.ts'
import { targetTrouble } from './target-messages.ts'

const EVENTS_REMEMBERED = 5000
const PATIENCE_MS = 5000

/** What to listen to, and what to do with it. */
export interface Listening {
  /** Types to show; null for all. */
  readonly types: readonly EventType[] | null
  readonly filter: Awaited['where']
  readonly forwarding: readonly Forwarding[]
  readonly headers: Readonly<Record<string, string>>
  /** The place after which to begin; with what comes unless given. */
  readonly after: string | undefined
}

export interface ListenerOptions extends Pick<FollowOptions, 'apiBase' | 'apiKey'> {
  readonly client: Client
  readonly listening: Listening
  /** Who sends what is forwarded; none where nothing is. */
  readonly carrier?: DeliveryProcess
  /** Called with everything that happens, in order. */
  readonly onRecord: (record: ListenRecord) => void
  /** Called with the first `ready` of the service: the targets and what signs them. */
  readonly onReady?: (ready: StreamReady) => void
  /** How long it may take at the end to finish what is on its way, in milliseconds; 5 s unless given. */
  readonly patienceMs?: number
  readonly signal: AbortSignal
}

/**
 * Follows the stream, sends on what is offered, and tells everything, until `signal` aborts; what is on its way is then
 * finished and the service told that nobody listens any more, by the carrier if that takes too long. Rejects as `follow`
 * does.
 */
export async function listen(options: ListenerOptions): Promise<void> {
  const ending = new AbortController()
  const failed = new AbortController()
  const session = createSession(options, (error) => failed.abort(error))
  const { apiBase, apiKey, listening } = options
  // The stream stays open for what is on its way: without it nobody would be told that a target changed meanwhile.
  const end = () => void session.finish().then(() => ending.abort())
  for (const cause of [options.signal, failed.signal]) cause.addEventListener('abort', end, { once: true })
  if (options.signal.aborted) end()
  const query = {
    ...(listening.types === null ? {} : { types: listening.types }),
    forward: listening.forwarding.map(({ url, events }) => `${events.join(',')}=${url}`),
  }
  try {
    const { onFrame, onState } = session
    await follow({ apiBase, apiKey, query, onFrame, onState, signal: ending.signal, after: listening.after })
    if (failed.signal.aborted) throw failed.signal.reason
  } finally {
    await session.leave()
  }
}

async function leave(client: Client, farewell: Farewell): Promise<void> {
  await client.send(LEAVE, farewell).catch((error: unknown) => {
    // A service that is away will miss the listener by itself.
    if (!isPassing(error)) throw error
  })
}

interface Session extends Required<Pick<FollowOptions, 'onFrame' | 'onState'>> {
  /** Takes nothing more, and resolves when what was taken is done, or after five seconds. */
  readonly finish: () => Promise<void>
  /** Has the service told that nobody listens any more. */
  readonly leave: () => Promise<void>
}

function createSession(
  { client, listening, carrier, onRecord, onReady, patienceMs = PATIENCE_MS }: ListenerOptions,
  fail: (error: unknown) => void,
): Session {
  let ready: StreamReady | null = null
  let isFinishing = false
  const seen = new Set<string>()
  const isWanted = (event: Event) => hasValues(event, listening.filter)

  function onEvent(event: Event): void {
    if (seen.has(event.id) || !isWanted(event)) return
    seen.add(event.id)
    const [eldest] = seen
    if (seen.size > EVENTS_REMEMBERED && eldest !== undefined) seen.delete(eldest)
    onRecord({ type: 'event', event })
  }

  function enter(said: StreamReady): void {
    const before = ready
    ready = said
    const hasCarrier = said.targets.length > 0 && carrier !== undefined
    // Whoever is killed goes without a word: what it has not taken need not wait, what it has is reported first.
    if (hasCarrier) carrier.farewell({ reader: said.reader })
    tellReady(said)
    if (before === null) onReady?.(said)
    // What was offered on the connection before may never have come.
    else if (hasCarrier) leave(client, { reader: before.reader }).catch(fail)
  }

  function renew(target: StreamTarget): void {
    if (ready === null) return
    const isSame = ({ webhook_endpoint }: StreamTarget) => webhook_endpoint === target.webhook_endpoint
    ready = { ...ready, targets: ready.targets.map((one) => (isSame(one) ? target : one)) }
    tellReady(ready)
  }

  // A connection of which a target gets nothing is not as it should be.
  const tellReady = ({ targets }: StreamReady) => tellState('ready', targetTrouble(targets))

  function tellState(state: StreamState, reason: string | null): void {
    onRecord({ type: 'state', state, reason, targets: ready?.targets ?? [] })
  }

  const { headers } = listening
  const forwarder =
    carrier && createForwarder({ client, carrier, headers, isWanted, onEvent, onDelivery: onRecord })
  const onFrame = ({ event, data }: Frame) => {
    const value = JSON.parse(data)
    if (event === 'ready') enter(value)
    if (event === 'target') renew(value)
    if (event === 'event') onEvent(value)
    if (event === 'offer' && !isFinishing) forwarder?.take(value).catch(fail)
    if (event === 'reset')
      onRecord({
        type: 'reset',
        after: Number(value.after),
        continues_after: Number(value.continues_after),
      })
  }
  return {
    async finish() {
      isFinishing = true
      const done = new AbortController()
      const limit = pause(patienceMs, done.signal).catch(() => {})
      await Promise.race([forwarder?.idle(), limit]).finally(() => done.abort())
    },
    async leave() {
      const webhook_endpoints = (ready?.targets ?? []).map((target) => target.webhook_endpoint)
      if (ready === null || webhook_endpoints.length === 0) return
      const farewell = { reader: ready.reader, webhook_endpoints }
      const isIdle = forwarder?.isIdle() !== false
      carrier?.farewell(isIdle ? null : farewell)
      if (isIdle) await leave(client, farewell)
    },
    onFrame,
    // The first frame brings the targets with it, so ready is told from there.
    onState: (state, reason) => (state === 'ready' ? undefined : tellState(state, reason)),
  }
}

/** Asks the service what it signs forwarded webhooks with. */
export async function readWebhookSecret(
  connection: Pick<FollowOptions, 'apiBase' | 'apiKey'>,
): Promise<string> {
  const enough = new AbortController()
  let secret = ''
  await follow({
    ...connection,
    query: { secret: 'yes' },
    signal: enough.signal,
    onFrame({ event, data }) {
      if (event !== 'ready') return
      secret = (JSON.parse(data) as StreamReady).webhook_secret ?? ''
      enough.abort()
    },
  })
  return secret
}
