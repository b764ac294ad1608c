import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import { isFields } from '../../client/fields.ts'
import { pause } from '../../client/pause.ts'
import type { EventType } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import { UsageError } from '../errors/usage-error.ts'
import { eventsAfter } from '../request/newest-event.ts'

const POLL_MS = 100

/** What to wait for. */
export interface Awaited {
  readonly types: readonly EventType[]
  /** Fields of the event, by path, and the text each must have. */
  readonly where: readonly (readonly [path: string, value: string])[]
  /** Whether every endpoint must have taken it too. */
  readonly isDelivered: boolean
  /** The place in the sequence after which events count. */
  readonly after: number
}

/** Reads `--where` texts such as `data.object.customer=cus_4bT9…`, or those of another flag. */
export function parseWhere(texts: readonly string[], flag = 'where'): Awaited['where'] {
  return texts.map((text) => {
    const end = text.indexOf('=')
    if (end > 0) return [text.slice(0, end), text.slice(end + 1)] as const
    throw new UsageError('flag_invalid', `--${flag} takes path=value, not '${text}'.`, {
      param: flag,
      hint: `For instance --${flag} data.object.currency=eur`,
    })
  })
}

/** Resolves with the first event there is of what is awaited; rejects with the signal's reason when it aborts. */
export async function waitForEvent(client: Client, awaited: Awaited, signal: AbortSignal): Promise<Event> {
  let { after } = awaited
  for (;;) {
    const happened = await eventsAfter(client, after)
    const found = happened.find((event) => isAwaited(event, awaited))
    if (found) return awaited.isDelivered ? untilDelivered(client, found, signal) : found
    after = happened.at(-1)?.sequence ?? after
    await pause(POLL_MS, signal)
  }
}

async function untilDelivered(client: Client, { id }: Event, signal: AbortSignal): Promise<Event> {
  for (;;) {
    const event = await client.call(events.retrieve, { id })
    if (event.pending_webhooks === 0) return event
    await pause(POLL_MS, signal)
  }
}

function isAwaited(event: Event, { types, where }: Awaited): boolean {
  return types.includes(event.type) && hasValues(event, where)
}

/** Whether an event has each of these texts at its path. */
export function hasValues(event: object, where: Awaited['where']): boolean {
  return where.every(([path, value]) => textAt(event, path) === value)
}

/** The value at a path as text; nothing when there is no such field, which another event may well have. */
function textAt(event: object, path: string): string | undefined {
  let value: unknown = event
  for (const step of path.split(/[.[\]]+/).filter((name) => name !== '')) {
    const isInner = isFields(value) || Array.isArray(value)
    value = isInner ? new Map<string, unknown>(Object.entries(Object(value))).get(step) : undefined
  }
  if (value === undefined) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
