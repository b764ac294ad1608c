import type { JsonObject } from '../../domain/core/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { listEventChanges } from '../../presentation/event-changes.ts'

/** Converts an event to its JSON form in a timeline. The first event of an object has no changes. */
export function toTimelineEntry(event: Event) {
  return {
    /** The time of the event on the clock of its object, in Unix seconds. */
    time: eventTime(event),
    type: event.type,
    object: event.data.object.id,
    changes: listEventChanges(event),
    /** The API request that caused the event; null when the scheduler or a hosted page caused it. */
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
