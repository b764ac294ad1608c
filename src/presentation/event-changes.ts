import type { JsonObject } from '../domain/core/json-object.ts'
import type { Event } from '../domain/events/events.ts'
import { isTimestampField } from '../domain/text/field-names.ts'
import { diffFields, type FieldChange } from './json-diff.ts'

/** Matches fields that repeat other fields or other events. */
const REPEATED =
  /^(?:outcome\..*|failure_message|last_payment_error\.message|next_action\.type|attempted|auto_advance|refunded|period_index|month_steps_start|amount_remaining|amount_capturable|starting_balance|ending_balance|latest_invoice|latest_payment|subscription|payment|payment_method)$/
/** Fields inside these objects are cleared when the status changes, so their change repeats the change of the status. */
const DETAILS = /^(?:last_payment_error|status_details|next_action)\./

/** Returns the fields that an event changed; empty for the first event of an object. */
export function listEventChanges({ data }: Pick<Event, 'data'>): FieldChange[] {
  const before: JsonObject = data.previous_attributes ?? {}
  return diffFields(Object.keys(before), before, { ...data.object })
}

/** Returns whether a change only repeats the event or another change, such as `paid_at` of `invoice.paid`. */
export function isRedundantChange(
  { field, to }: FieldChange,
  { created, data }: Pick<Event, 'created' | 'data'>,
): boolean {
  if (REPEATED.test(field) || (to === null && DETAILS.test(field))) return true
  // The field with the decline code is more specific than `card_declined`.
  if (to === 'card_declined' && field.endsWith('code')) return true
  // The captured amount repeats the amount of the payment, unless only a part is captured.
  if (field === 'amount_captured' && 'amount' in data.object && to === data.object.amount) return true
  return to === created && isTimestampField(field.split('.').at(-1) ?? field)
}
