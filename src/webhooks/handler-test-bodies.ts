import type { Event } from '../domain/events/events.ts'

/** Returns the fields of an event whose object has this description. */
export function eventDataWithDescription(event: Event, description: string): Pick<Event, 'data'> {
  const object = { ...event.data.object, description }
  return { data: { ...event.data, object } }
}

/** Formats an event as other JSON serializers do; the values of `previous_attributes` have no fixed types. */
export function formatLikeOtherSerializers(event: Event): string {
  const { data } = eventDataWithDescription(event, 'ESCAPES')
  const text = JSON.stringify(
    { ...event, data: { ...data, previous_attributes: { total: 'NUMBERS' } } },
    null,
    2,
  )
  return `${text
    .replace('ESCAPES', String.raw`Rent \/ caf\u00e9 \ud83e\uddfe`)
    .replace('"NUMBERS"', '[1.0, 1e2, -0, 12345678901234567890]')}\n`
}
