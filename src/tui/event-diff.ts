import { diffObjects, type FieldChange } from '../presentation/json-diff.ts'
import type { EventFeed, EventRow } from './event-feed.ts'

/** Compares an event's object with the object's previous event, or with the event's `previous_attributes`. */
export function diffEvent({ rows }: EventFeed, row: EventRow): readonly FieldChange[] {
  const { object, previous_attributes } = row.event.data
  const previous = rows.findLast(
    (one) => one.position < row.position && one.event.data.object.id === object.id,
  )
  const own = previous_attributes === undefined ? {} : { ...object, ...previous_attributes }
  return diffObjects({ ...(previous?.event.data.object ?? own) }, { ...object })
}
