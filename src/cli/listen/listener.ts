import { streamRoutes } from '../../api/operations/streams.ts'
import type { StreamReady, StreamTarget } from '../../api/resources/stream-messages.ts'
import type { Client } from '../../client/client.ts'
import {
  type FollowStreamOptions,
  followStream,
  isTransientError,
  type StreamState,
} from '../../client/follow-stream.ts'
import type { ListenOutputRecord } from '../../client/listen-records.ts'
import type { ServerConnection } from '../../client/server-connection.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { evictOldest } from '../../domain/core/evict-oldest.ts'
import type { Event } from '../../domain/events/events.ts'
import { type EventCondition, hasFieldValues } from './event-condition.ts'
import type { ForwardRule } from './forward-flags.ts'
import { createForwarder, type SendToTarget } from './forwarder.ts'

const MAX_SEEN_EVENTS = 5000

/** The events to listen to, and the targets to forward them to. */
export interface ListenSettings {
  /** Event types to show; null for all matches. */
  readonly types: readonly EventType[] | null
  readonly filter: EventCondition['where']
  readonly forwardRules: readonly ForwardRule[]
  readonly headers: Readonly<Record<string, string>>
}

export interface ListenOptions extends ServerConnection {
  readonly client: Client
  readonly settings: ListenSettings
  /** Sequence number after which the stream starts (default: only new events). */
  readonly after?: string | undefined
  /** Sends a webhook to a target; required for forwarding. */
  readonly send?: SendToTarget
  /** Called with every record, in order. */
  readonly onRecord: (record: ListenOutputRecord) => void
  /** Called with the first `ready` message of the server. */
  readonly onReady?: (ready: StreamReady) => void
  readonly signal: AbortSignal
}

/**
 * Follows the event stream and forwards offered deliveries until `signal` aborts. The promise resolves after running
 * deliveries have finished and the listener has left the stream. Rejects with the errors of `followStream`.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const ending = new AbortController()
  const failed = new AbortController()
  const session = createListenSession(options, (error) => failed.abort(error))
  const { settings } = options
  // The stream stays open for running deliveries, so that changes to their targets are still shown.
  const end = () => void session.finish().then(() => ending.abort())
  for (const { signal } of [options, failed]) signal.addEventListener('abort', end, { once: true })
  if (options.signal.aborted) end()
  const query = {
    ...(settings.types === null ? {} : { types: settings.types }),
    forward: settings.forwardRules.map(({ url, events }) => `${events.join(',')}=${url}`),
  }
  try {
    const { onMessage, onState } = session
    await followStream({ ...options, query, onMessage, onState, signal: ending.signal })
    failed.signal.throwIfAborted()
  } finally {
    await session.finish()
    await session.leave()
  }
}

function createListenSession(
  { client, settings, send, onRecord, onReady }: ListenOptions,
  fail: (error: unknown) => void,
) {
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
    const isFirst = ready === null
    ready = message
    recordReady(message)
    if (isFirst) onReady?.(message)
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
    send && createForwarder({ client, send, headers, isWanted, onEvent, onDelivery: onRecord })
  return {
    /** Stops accepting offers. Resolves when running deliveries have finished. */
    async finish(): Promise<void> {
      isFinishing = true
      await forwarder?.waitUntilIdle()
    },
    async leave(): Promise<void> {
      const webhook_endpoints = (ready?.targets ?? []).map((target) => target.webhook_endpoint)
      if (ready === null || webhook_endpoints.length === 0) return
      try {
        await client.send(streamRoutes.leave, { reader: ready.reader, webhook_endpoints })
      } catch (error) {
        // Ignore a connection error, because the server detects the disconnected listener without this request.
        if (!isTransientError(error)) throw error
      }
    },
    onMessage({ event, data }: Parameters<FollowStreamOptions['onMessage']>[0]): void {
      const value = JSON.parse(data)
      if (event === 'ready') handleReady(value)
      if (event === 'target') handleTarget(value)
      if (event === 'event') onEvent(value)
      if (event === 'offer' && !isFinishing) forwarder?.accept(value).catch(fail)
      if (event === 'reset') {
        const [after, continues_after] = [Number(value.after), Number(value.continues_after)]
        onRecord({ type: 'reset', after, continues_after })
      }
      if (event === 'sandbox.reset')
        onRecord({ type: 'sandbox_reset', continues_after: Number(value.continues_after) })
    },
    // The `ready` message has the targets, so its handler records the ready state.
    onState(state: StreamState, reason: string | null): void {
      if (state !== 'ready') recordState(state, reason)
    },
  }
}

/** Describes the targets that are not enabled, with a fix for each target; null when all are enabled. */
function describeTargetProblems(targets: readonly StreamTarget[]): string | null {
  const problems = targets.flatMap((target) => (target.status === 'enabled' ? [] : [describeProblem(target)]))
  return problems.length === 0 ? null : problems.join(' ')
}

function describeProblem({ url, status, webhook_endpoint: id }: StreamTarget): string {
  switch (status) {
    case 'disabled':
      return `${url} gets no events: its endpoint is disabled. Enable it with \`paycli webhooks endpoints update ${id} --status enabled\`.`
    case 'taken':
      return `${url} gets no events from this listener: another listener forwards to it. Stop one of the two listeners.`
    default:
      return `${url} gets no events: its endpoint was deleted or replaced. Restart this listener.`
  }
}

/** Reads the signing secret of forwarded webhooks from the server. */
export async function readWebhookSecret(connection: ServerConnection): Promise<string> {
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
