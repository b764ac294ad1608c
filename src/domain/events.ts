import type { Change, RuleContext, Stored } from './changes.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'

/** What caused an event: an API call, or null when time or a hosted page did. */
export interface EventRequest {
  readonly id: string
  readonly idempotency_key: string | null
}

export interface Event {
  readonly id: string
  readonly object: 'event'
  readonly type: EventType
  readonly api_version: '1'
  readonly created: number
  readonly livemode: false
  readonly data: { readonly object: Stored; readonly previous_attributes?: Readonly<Record<string, unknown>> }
  readonly pending_webhooks: number
  readonly request: EventRequest | null
  readonly sequence: number
  readonly test_clock: string | null
}

/** An event before the store gave it its place in the one gapless sequence. */
export type UnsequencedEvent = Omit<Event, 'sequence'>

/**
 * The values that `after` no longer has, by top-level field; arrays and objects are given whole.
 * Overlaying them on `after` gives `before` back.
 */
export function previousAttributes(before: Stored, after: Stored): Record<string, unknown> {
  const old: Record<string, unknown> = {}
  const next = new Map<string, unknown>(Object.entries(after))
  for (const [field, value] of Object.entries(before)) {
    if (JSON.stringify(value) !== JSON.stringify(next.get(field))) old[field] = value
  }
  return old
}

/** The event that tells of one change, or null for records that have none. A deletion carries the last full state. */
export function eventOf(
  change: Change,
  request: EventRequest | null,
  context: RuleContext,
): UnsequencedEvent | null {
  const { event, before, after } = change
  if (event === null) return null
  const isGone = after === null || 'deleted' in after
  const object = isGone ? before : after
  if (object === null) return null
  return {
    id: context.newId('evt_'),
    object: 'event',
    type: event,
    api_version: '1',
    // A clock's own story is told in real time: it is what moves the other time.
    created: object.object === 'test_clock' ? context.wallNow : context.now,
    livemode: false,
    data: before === null ? { object } : { object, previous_attributes: previousAttributes(before, object) },
    pending_webhooks: 0,
    request,
    test_clock: testClockOf(object),
  }
}

function testClockOf(object: Stored): string | null {
  return 'test_clock' in object && typeof object.test_clock === 'string' ? object.test_clock : null
}

/** Whether an endpoint's `enabled_events` cover a type: full names, `*`, and prefixes such as `subscription.*`. */
export function isEventWanted(type: EventType, enabledEvents: readonly string[]): boolean {
  return enabledEvents.some((wanted) => {
    if (wanted === '*' || wanted === type) return true
    return wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))
  })
}

/** Whether a pattern of `enabled_events` can ever match: a known type, `*`, or a known prefix with `.*`. */
export function isEventPattern(pattern: string): boolean {
  return EVENT_TYPES.some((type) => isEventWanted(type, [pattern]))
}
