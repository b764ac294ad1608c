import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import { followStream } from '../../client/follow-stream.ts'
import type { ServerConnection } from '../../client/server-connection.ts'
import { runWithTimeout, waitUnlessAborted } from '../../client/timing.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { createInvalidFlagError } from '../errors/usage-error.ts'
import { createUndeliveredError, listDeliveryAttempts } from './undelivered-event.ts'

const POLL_MS = 100

/** The condition that an event must meet. */
export interface EventCondition {
  readonly types: readonly EventType[]
  /** The required value of the field at each path. */
  readonly where: readonly (readonly [path: string, value: string])[]
  /** Whether every endpoint must have accepted the event too. */
  readonly isDelivered: boolean
  /** The endpoint that must have accepted the event; null without this condition. */
  readonly endpoint: string | null
  /** Only events after this sequence number match. */
  readonly after: number
}

/** Parses strings of the form `path=value`, such as `data.object.customer=cus_4bT9…`. */
export function parseWhere(texts: readonly string[], flag = 'where'): EventCondition['where'] {
  return texts.map((text) => {
    const end = text.indexOf('=')
    if (end > 0) return [text.slice(0, end), text.slice(end + 1)] as const
    throw createInvalidFlagError(flag, text, 'path=value', `For instance --${flag} data.object.currency=eur`)
  })
}

/** A client of the API, and the connection of its event stream. */
export interface ClientWithConnection {
  readonly client: Client
  readonly connection: ServerConnection
}

/** The event type and timeout as the user wrote them, and the timeout in seconds. */
interface EventWaitOptions {
  readonly glob: string
  /** The timeout as the user wrote it, such as `30s`. */
  readonly timeout: string
  readonly seconds: number
}

/**
 * Resolves with the first event that matches a condition. After the timeout, throws an error that states whether the
 * event occurred and the response of each endpoint.
 */
export async function waitForEventWithin(
  source: ClientWithConnection,
  condition: EventCondition,
  { glob, timeout, seconds }: EventWaitOptions,
): Promise<Event> {
  const { client, connection } = source
  const matches: Event[] = []
  const event = await runWithTimeout(seconds * 1000, async (signal) => {
    const match = await waitForMatchingEvent(connection, condition, signal)
    matches.push(match)
    return waitForDelivery(client, match, condition, signal)
  })
  if (event !== null) return event
  const [match] = matches
  if (match === undefined)
    throw new ExpectationError('timeout', `No ${glob} event occurred within ${timeout}.`)
  throw await createUndeliveredError(client, match, { endpoint: condition.endpoint, timeout })
}

/**
 * Resolves with the first event on the stream that matches a condition, even after a sandbox reset. Calls `onReady`
 * when the stream is open. Rejects with the reason of `signal` when `signal` aborts.
 */
export async function waitForMatchingEvent(
  connection: ServerConnection,
  { types, where, after }: EventCondition,
  signal: AbortSignal,
  onReady: () => void = () => {},
): Promise<Event> {
  const matches: Event[] = []
  const found = new AbortController()
  await followStream({
    ...connection,
    query: { types },
    after: String(after),
    signal: AbortSignal.any([signal, found.signal]),
    onMessage({ event, data }) {
      if (event !== 'event') return
      const candidate = JSON.parse(data) as Event
      if (!hasFieldValues(candidate, where)) return
      matches.push(candidate)
      found.abort()
    },
    onState: (state) => {
      if (state === 'ready') onReady()
    },
  })
  signal.throwIfAborted()
  // Without a matching event, the stream ends only with an error or an abort, which both throw.
  const [match] = matches
  if (match === undefined) throw new Error('the stream ended without an event')
  return match
}

async function waitForDelivery(
  client: Client,
  match: Event,
  { isDelivered, endpoint }: EventCondition,
  signal: AbortSignal,
): Promise<Event> {
  if (!isDelivered && endpoint === null) return match
  const { id } = match
  for (;;) {
    const event = await client.call(events.retrieve, { id })
    if (endpoint === null && event.pending_webhooks === 0) return event
    const attempts = endpoint === null ? [] : await listDeliveryAttempts(client, id, endpoint)
    if (attempts.some(({ status }) => status === 'succeeded')) return event
    await waitUnlessAborted(POLL_MS, signal)
  }
}

/** Returns whether an event has the required value at each path. */
export function hasFieldValues(event: object, where: EventCondition['where']): boolean {
  return where.every(([path, value]) => textAt(event, path) === value)
}

function textAt(event: object, path: string): string | undefined {
  let value: unknown = event
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    const isInner = isJsonObject(value) || Array.isArray(value)
    value = isInner ? new Map<string, unknown>(Object.entries(Object(value))).get(name) : undefined
  }
  if (value === undefined) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
