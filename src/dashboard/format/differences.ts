import type { JsonObject } from '../../domain/core/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { isRedundantChange, listEventChanges } from '../../presentation/event-changes.ts'
import { findCurrency } from '../../presentation/field-values.ts'
import { diffObjects, type FieldChange } from '../../presentation/json-diff.ts'
import { humanizeName } from '../../presentation/words.ts'
import { createFieldText } from './format-field.ts'

/** Fields whose values the screen shows in another place. */
const SHOWN_ELSEWHERE =
  /^(?:(?:last_payment_error|next_action|payment_method_details|status_details)\..*|hosted_invoice_url|billing_cycle_anchor)$/

/**
 * Returns the fields that an event changed, important fields first. Minor fields repeat information of the event, of
 * another difference or of another part of the screen. The result is empty for the first event of an object.
 */
export function listEventDifferences(event: Pick<Event, 'data' | 'created'>) {
  const currency = findCurrency({ ...event.data.object })
  return listEventChanges(event)
    .map((change) => ({
      ...toDifference(change, currency),
      isMinor: isRedundantChange(change, event) || SHOWN_ELSEWHERE.test(change.field),
    }))
    .sort((a, b) => Number(a.isMinor) - Number(b.isMinor))
}

/** Returns the fields in which two JSON objects differ. A missing field equals a field without a value. */
export function listObjectDifferences(before: JsonObject, after: JsonObject) {
  const currency = findCurrency(after)
  return diffObjects(before, after)
    .map((change) => ({ ...toDifference(change, currency), isMinor: false }))
    .filter(({ from, to }) => from.text !== to.text)
}

function toDifference({ field, from, to }: FieldChange, currency: string | null) {
  const format = (value: unknown) => createFieldText(field, value, currency)
  return { field, label: getFieldLabel(field), from: format(from), to: format(to) }
}

/** Returns the label of a field: its first and last name, such as `Card, last4` of `card.details.last4`. */
export function getFieldLabel(path: string): string {
  const [first = '', ...inner] = path.replace(/_ms$/, '').split('.')
  const name = humanizeName(first).replace(/^(?:Api|Http|Id|Url)\b/, (word) => word.toUpperCase())
  return inner.length === 0 ? name : `${name}, ${inner.at(-1)?.replaceAll('_', ' ')}`
}
