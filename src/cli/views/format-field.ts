import type { JsonObject } from '../../domain/core/json-object.ts'
import {
  findFieldValue,
  formatAmountField,
  formatCompositeField,
  getFieldName,
} from '../../presentation/field-values.ts'
import { formatTimestampField, formatValue } from '../output/format-values.ts'
import { formatRelativeTime } from './relative-time.ts'
import { getStatusStyle } from './status-style.ts'
import { type Cell, createPlainCell } from './table.ts'
import type { ViewOptions } from './view-options.ts'

const STATUS_NAME = /(?:^|_)status$/

/** The properties of the containing objects that the format of a field depends on. */
export interface FieldContext {
  readonly currency: string | null
  /** Whether the times of the object are on a test clock, and therefore not comparable with the current time. */
  readonly isOnTestClock: boolean
}

/** A field with the properties that its format depends on. */
export interface DisplayField extends FieldContext {
  readonly name: string
  readonly value: unknown
}

const NO_CONTEXT: FieldContext = { currency: null, isOnTestClock: false }

/** Returns the context of an object's fields. An inner object inherits the context of the outer object. */
export function getFieldContext({ currency, test_clock }: JsonObject, outer = NO_CONTEXT): FieldContext {
  return {
    currency: typeof currency === 'string' ? currency : outer.currency,
    isOnTestClock: typeof test_clock === 'string' || outer.isOnTestClock,
  }
}

/** Returns the field at a path of an object, as `findFieldValue` does. */
export function getDisplayField(object: JsonObject, path: string): DisplayField {
  return { name: getFieldName(object, path), value: findFieldValue(object, path), ...getFieldContext(object) }
}

/** Returns the text of a field for a terminal, with its style. */
export function createFieldCell(field: DisplayField, view: ViewOptions): Cell {
  const { style, link, isWide } = view
  const { name, value, currency } = field
  const text = formatItems(formatCompositeField(name, value) ?? value)
  if ((typeof value === 'string' || typeof value === 'number') && STATUS_NAME.test(name)) {
    return { text, paint: getStatusStyle(value, style) }
  }
  if (typeof value === 'string' && /^https?:/.test(value)) return { text, paint: (cut) => link(cut, value) }
  const amount = formatAmountField(name, value, currency)
  if (amount !== null) return createPlainCell(amount)
  const iso = formatTimestampField(name, value)
  if (iso === null) return createPlainCell(text)
  if (isWide) return createPlainCell(iso)
  return createPlainCell(formatRelativeTimeField(field, view) ?? iso.replace('T', ' ').replace(/:\d\dZ$/, ''))
}

/** Returns a timestamp relative to the server time, or null for any other value and for times of a test clock. */
export function formatRelativeTimeField(
  { name, value, isOnTestClock }: DisplayField,
  { now }: ViewOptions,
): string | null {
  if (now === null || isOnTestClock || name === 'frozen_time') return null
  return formatTimestampField(name, value) === null ? null : formatRelativeTime(Number(value), now)
}

function formatItems(value: unknown): string {
  return Array.isArray(value) ? value.map(formatValue).join(', ') || '-' : formatValue(value)
}
