import { type Fields, isFields } from '../client/fields.ts'
import type { Event } from '../domain/events.ts'

/** One field of an object that an event changed. */
export interface FieldChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

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
  const now: Fields = { ...data.object }
  return Object.entries(data.previous_attributes ?? {}).flatMap(([field, from]) =>
    leafChanges({ field, from, to: now[field] }),
  )
}

// Inside objects only what differs is told, each by its path.
function leafChanges({ field, from, to }: FieldChange): FieldChange[] {
  if (!isFields(from) && !isFields(to)) return [{ field, from: from ?? null, to: to ?? null }]
  const before = isFields(from) ? from : {}
  const after = isFields(to) ? to : {}
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) => leafChanges({ field: `${field}.${name}`, from: before[name], to: after[name] }))
}
