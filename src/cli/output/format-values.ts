import { isTimestampField } from '../../domain/text/field-names.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { formatAmountField } from '../../presentation/field-values.ts'

/** Sanitizes text for a terminal and escapes its line breaks and tabs. */
export function toSingleLine(text: string): string {
  return escapeUnsafeCharacters(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** Formats a timestamp as ISO 8601. Returns null when the field is not a timestamp. */
export function formatTimestampField(name: string, value: unknown): string | null {
  return Number.isSafeInteger(value) && isTimestampField(name) ? toIsoTimestamp(Number(value)) : null
}

/** Formats a value on one line: `-` for a missing value, JSON for objects and lists. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'string') return toSingleLine(value)
  return typeof value === 'object' ? toSingleLine(JSON.stringify(value)) : String(value)
}

/** Returns the shortest form of a field: amounts with their currency, timestamps without zero hours or seconds. */
export function formatCompactField(path: string, value: unknown, currency: string | null): string {
  const name = path.split('.').at(-1) ?? path
  const timestamp = formatTimestampField(name, value)
  if (timestamp !== null)
    return timestamp
      .replace(/T(?:00:00:00Z$)?/, ' ')
      .replace(/(?::00)?Z$/, '')
      .trimEnd()
  return formatAmountField(name, value, currency) ?? formatValue(value)
}
