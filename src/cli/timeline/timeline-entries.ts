import type { Fields } from '../../client/fields.ts'
import type { Event } from '../../domain/events.ts'
import { changesOfFields, type FieldChange } from '../output/field-changes.ts'

/** One event of a timeline, as programs read it. */
export interface TimelineEntry {
  /** When it happened on the object's own clock, in Unix seconds. */
  readonly time: number
  readonly type: string
  /** The id of what it happened to. */
  readonly object: string
  /** Empty for the first event of an object. */
  readonly changes: readonly FieldChange[]
  /** The call that caused it; null when time or a page did. */
  readonly request: string | null
  readonly event: string
  readonly sequence: number
}

/** What a timeline tells of an event. */
export function entryOf(event: Event): TimelineEntry {
  return {
    time: timeOf(event),
    type: event.type,
    object: event.data.object.id,
    changes: changesOf(event),
    request: event.request?.id ?? null,
    event: event.id,
    sequence: event.sequence,
  }
}

// Events of a clock are told in real time; in its own, it is where it stands.
function timeOf({ created, data }: Event): number {
  const object: Fields = { ...data.object }
  const { frozen_time } = object
  return object['object'] === 'test_clock' && typeof frozen_time === 'number' ? frozen_time : created
}

function changesOf({ data }: Event): FieldChange[] {
  const before = data.previous_attributes ?? {}
  return changesOfFields(Object.keys(before), before, { ...data.object })
}
