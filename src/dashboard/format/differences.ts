import { diffFields } from '../../client/json-diff.ts'
import type { JsonObject } from '../../client/json-object.ts'
import type { Event } from '../../domain/events/events.ts'
import { isTimestampField } from '../../domain/text/field-names.ts'
import { currencyOf, type FieldText, formatField } from './format-field.ts'
import { toWords } from './format-words.ts'

/** A field that an event changed. */
export interface Difference {
  /** The path of the field, such as `outcome.advice`. */
  readonly field: string
  readonly label: string
  readonly from: FieldText
  readonly to: FieldText
  /** Whether the event or another difference says the same. */
  readonly isMinor: boolean
}

/** Fields that repeat other fields or other events. */
const MINOR_FIELDS =
  /^(?:outcome\..*|failure_message|last_payment_error\..*|next_action\..*|attempted|auto_advance|refunded|period_index|month_steps_start|amount_remaining|starting_balance|ending_balance|latest_invoice|latest_payment|payment_method_details\..*|hosted_invoice_url|billing_cycle_anchor|status_details\..*)$/

/** Returns the fields that an event changed, the important ones first. Empty for the first event of an object. */
export function findDifferences({ data, created }: Pick<Event, 'data' | 'created'>): Difference[] {
  const before = data.previous_attributes
  if (before === undefined) return []
  const object: JsonObject = { ...data.object }
  const currency = currencyOf(object)
  return diffFields(Object.keys(before), before, object)
    .map(({ field, from, to }) => ({
      field,
      label: labelOf(field),
      from: formatField(field, from, currency),
      to: formatField(field, to, currency),
      isMinor:
        MINOR_FIELDS.test(field) || to === 'card_declined' || (to === created && isTimestampField(field)),
    }))
    .sort((a, b) => Number(a.isMinor) - Number(b.isMinor))
}

/** Returns the label of a field: its first and last name, such as `Card, last4` of `card.details.last4`. */
export function labelOf(path: string): string {
  const [first = '', ...inner] = path.split('.')
  return inner.length === 0 ? toWords(first) : `${toWords(first)}, ${inner.at(-1)?.replaceAll('_', ' ')}`
}
