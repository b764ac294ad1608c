import type { StreamReady, StreamTarget } from '../../api/resources/streams.ts'
import type { Client } from '../../client/client.ts'
import {
  type FollowStreamOptions,
  followStream,
  isTransient,
  type StreamState,
} from '../../client/follow-stream.ts'
import type { ListenRecord } from '../../client/listen-records.ts'
import { pause } from '../../client/pause.ts'
import type { SseMessage } from '../../client/sse-parser.ts'
import type { EventType } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import { LEAVE_STREAM, type LeaveRequest } from './delivery-process.ts'
import type { DeliveryProcess } from './delivery-process-client.ts'
import { type EventCondition, hasFieldValues } from './event-wait.ts'
import { evictOldest } from './evict-oldest.ts'
import type { ForwardRule } from './forward-flags.ts'
import { createForwarder } from './forwarder.ts'
import { describeTargetProblems } from './target-messages.ts'

const MAX_SEEN_EVENTS = 5000
const FINISH_TIMEOUT_MS = 5000

/** The events to listen to, and the targets to forward them to. */
export interface ListenSettings {
  /** Event types to show; null for all. */
  readonly types: readonly EventType[] | null
  readonly filter: EventCondition['where']
  readonly forwardRules: readonly ForwardRule[]
  readonly headers: Readonly<Record<string, string>>
}

export interface ListenOptions extends Pick<FollowStreamOptions, 'apiBase' | 'apiKey'> {
  readonly client: Client
  readonly settings: ListenSettings
  /** Start after this sequence number (default: with new events). */
  readonly after?: string | undefined
  /** Required for forwarding. */
  readonly deliveryProcess?: DeliveryProcess
  /** Called with every record, in order. */
  readonly onRecord: (record: ListenRecord) => void
  /** Called with the first `ready` message of the service. */
  readonly onReady?: (ready: StreamReady) => void
  /** Maximum time to finish running deliveries at the end, in milliseconds (default: 5,000). */
  readonly finishTimeoutMs?: number
  readonly signal: AbortSignal
}

/**
 * Follows the event stream and forwards offered deliveries until `signal` aborts. Then finishes running deliveries and
 * leaves the stream; after the timeout the delivery process does both. Rejects with the errors of `follow`.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const ending = new AbortController()
  const failed = new AbortController()
  const session = createListenSession(options, (error) => failed.abort(error))
  const { apiBase, apiKey, settings, after } = options
  // The stream stays open for running deliveries, so that changes of their targets are still shown.
  const end = () => void session.finish().then(() => ending.abort())
  for (const { signal } of [options, failed]) signal.addEventListener('abort', end, { once: true })
  if (options.signal.aborted) end()
  const query = {
    ...(settings.types === null ? {} : { types: settings.types }),
    forward: settings.forwardRules.map(({ url, events }) => `${events.join(',')}=${url}`),
  }
  try {
    const { onMessage: onFrame, onState } = session
    await followStream({ apiBase, apiKey, query, onMessage: onFrame, onState, signal: ending.signal, after })
    if (failed.signal.aborted) throw failed.signal.reason
  } finally {
    await session.leave()
  }
}

async function leaveStream(client: Client, request: LeaveRequest): Promise<void> {
  await client.send(LEAVE_STREAM, request).catch((error: unknown) => {
    // An unavailable service notices the disconnected listener by itself.
    if (!isTransient(error)) throw error
  })
}

interface ListenSession extends Required<Pick<FollowStreamOptions, 'onMessage' | 'onState'>> {
  /** Accepts no more offers. Resolves when running deliveries have finished, or after the timeout. */
  readonly finish: () => Promise<void>
  readonly leave: () => Promise<void>
}

function createListenSession(
  {
    client,
    settings,
    deliveryProcess,
    onRecord,
    onReady,
    finishTimeoutMs = FINISH_TIMEOUT_MS,
  }: ListenOptions,
  fail: (error: unknown) => void,
): ListenSession {
  let ready: StreamReady | null = null
  let isFinishing = false
  const seen = new Set<string>()
  const isWanted = (event: Event) => hasFieldValues(event, settings.filter)

  function onEvent(event: Event): void {
    if (seen.has(event.id) || !isWanted(event)) return
    seen.add(event.id)
    evictOldest(seen, MAX_SEEN_EVENTS)
    onRecord({ type: 'event', event })
  }

  function handleReady(message: StreamReady): void {
    const previous = ready
    ready = message
    const isForwarding = message.targets.length > 0 && deliveryProcess !== undefined
    // If this process is killed, the delivery process reports its results before it releases the other offers.
    if (isForwarding) deliveryProcess.setLeaveRequest({ reader: message.reader })
    recordReady(message)
    if (previous === null) onReady?.(message)
    // Offers on the lost connection may not have arrived, so the service must offer them again.
    else if (isForwarding) leaveStream(client, { reader: previous.reader }).catch(fail)
  }

  function handleTarget(target: StreamTarget): void {
    if (ready === null) return
    const isSame = ({ webhook_endpoint }: StreamTarget) => webhook_endpoint === target.webhook_endpoint
    ready = { ...ready, targets: ready.targets.map((one) => (isSame(one) ? target : one)) }
    recordReady(ready)
  }

  const recordReady = ({ targets }: StreamReady) => recordState('ready', describeTargetProblems(targets))

  function recordState(state: StreamState, reason: string | null): void {
    onRecord({ type: 'state', state, reason, targets: ready?.targets ?? [] })
  }

  const { headers } = settings
  const forwarder =
    deliveryProcess &&
    createForwarder({ client, deliveryProcess, headers, isWanted, onEvent, onDelivery: onRecord })
  const onFrame = ({ event, data }: SseMessage) => {
    const value = JSON.parse(data)
    if (event === 'ready') handleReady(value)
    if (event === 'target') handleTarget(value)
    if (event === 'event') onEvent(value)
    if (event === 'offer' && !isFinishing) forwarder?.accept(value).catch(fail)
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
      const timeout = pause(finishTimeoutMs, done.signal).catch(() => {})
      await Promise.race([forwarder?.waitUntilIdle(), timeout]).finally(() => done.abort())
    },
    async leave() {
      const webhook_endpoints = (ready?.targets ?? []).map((target) => target.webhook_endpoint)
      if (ready === null || webhook_endpoints.length === 0) return
      const request = { reader: ready.reader, webhook_endpoints }
      const isIdle = forwarder?.isIdle() !== false
      deliveryProcess?.setLeaveRequest(isIdle ? null : request)
      if (isIdle) await leaveStream(client, request)
    },
    onMessage: onFrame,
    // The `ready` frame has the targets, so it records that state.
    onState: (state, reason) => (state === 'ready' ? undefined : recordState(state, reason)),
  }
}

/** Reads the signing secret of forwarded webhooks from the service. */
export async function readWebhookSecret(
  connection: Pick<FollowStreamOptions, 'apiBase' | 'apiKey'>,
): Promise<string> {
  const stopping = new AbortController()
  let secret = ''
  await followStream({
    ...connection,
    query: { secret: 'yes' },
    signal: stopping.signal,
    onMessage({ event, data }) {
      if (event !== 'ready') return
      secret = (JSON.parse(data) as StreamReady).webhook_secret ?? ''
      stopping.abort()
    },
  })
  return secret
}
