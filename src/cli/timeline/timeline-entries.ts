import type { JsonObject } from '../../domain/core/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { findChanges } from '../../presentation/event-changes.ts'
import type { FieldChange } from '../../presentation/json-diff.ts'

/** The JSON form of an event of a timeline. */
export interface TimelineEntry {
  /** Unix seconds on the clock of the object. */
  readonly time: number
  readonly type: string
  /** The id of the changed object. */
  readonly object: string
  /** Empty for the first event of an object. */
  readonly changes: readonly FieldChange[]
  /** The id of the API request that caused the event; null when the scheduler or a hosted page caused it. */
  readonly request: string | null
  readonly event: string
  readonly sequence: number
}

/** Converts an event to its JSON form. */
export function toTimelineEntry(event: Event): TimelineEntry {
  return {
    time: eventTime(event),
    type: event.type,
    object: event.data.object.id,
    changes: findChanges(event),
    request: event.request?.id ?? null,
    event: event.id,
    sequence: event.sequence,
  }
}

// `created` of a clock's own events is real time, so its `frozen_time` is used instead.
function eventTime({ created, data }: Event): number {
  const object: JsonObject = { ...data.object }
  const { frozen_time } = object
  return object['object'] === 'test_clock' && typeof frozen_time === 'number' ? frozen_time : created
}
