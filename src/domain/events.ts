import type { Change, RuleContext, StoredObject } from './changes.ts'
import { EVENT_TYPES, type EventType } from './event-types.ts'

/** The API request that caused an event. Events caused by the scheduler or a hosted page have none. */
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
  readonly data: {
    readonly object: StoredObject
    readonly previous_attributes?: Readonly<Record<string, unknown>>
  }
  readonly pending_webhooks: number
  readonly request: EventRequest | null
  readonly sequence: number
  readonly test_clock: string | null
}

/** An event before the store assigns its number in the gapless sequence. The field exists, because its order counts. */
export type UnsequencedEvent = Event & { readonly sequence: 0 }

/**
 * Returns the previous values of all changed top-level fields, with arrays and objects in full. Merging them into
 * `after` restores `before`.
 */
export function computePreviousAttributes(
  before: StoredObject,
  after: StoredObject,
): Record<string, unknown> {
  const old: Record<string, unknown> = {}
  const next = new Map<string, unknown>(Object.entries(after))
  for (const [field, value] of Object.entries(before)) {
    if (JSON.stringify(value) !== JSON.stringify(next.get(field))) old[field] = value
  }
  return old
}

/**
 * Returns the event of a change, or null for records without events. The event of a deletion contains the last state.
 */
export function toEvent(
  change: Change,
  request: EventRequest | null,
  context: RuleContext,
): UnsequencedEvent | null {
  const { event, before, after } = change
  if (event === null) return null
  const isDeletion = after === null || 'deleted' in after
  const object = isDeletion ? before : after
  if (object === null) return null
  return {
    id: context.newId('evt_'),
    object: 'event',
    type: event,
    api_version: '1',
    // Events of a test clock itself use real time, because the clock's own time is what changes.
    created: object.object === 'test_clock' ? context.wallNow : context.now,
    livemode: false,
    data:
      before === null
        ? { object }
        : { object, previous_attributes: computePreviousAttributes(before, object) },
    pending_webhooks: 0,
    request,
    sequence: 0,
    test_clock: testClockOf(object),
  }
}

function testClockOf(object: StoredObject): string | null {
  return 'test_clock' in object && typeof object.test_clock === 'string' ? object.test_clock : null
}

/** Returns whether `enabled_events` include a type: by name, `*`, or a prefix such as `subscription.*`. */
export function isEventEnabled(type: EventType, enabledEvents: readonly string[]): boolean {
  return enabledEvents.some((pattern) => {
    if (pattern === '*' || pattern === type) return true
    return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))
  })
}

/**
 * Returns whether a pattern of `enabled_events` matches any event type: a known type, `*`, or a known prefix with `.*`.
 */
export function isValidEventPattern(pattern: string): boolean {
  return EVENT_TYPES.some((type) => isEventEnabled(type, [pattern]))
}
