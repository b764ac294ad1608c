import { formatItem } from '../../presentation/field-values.ts'
import { formatValue } from '../output/format-values.ts'

/**
 * Formats both sides of a change of `items` of a subscription: only the items that differ, such as
 * `Seat 3 × 15.00 EUR`, or `-` where there is none. Returns null for other fields and for changes that these texts
 * do not show.
 */
export function formatItemChange(
  field: string,
  from: unknown,
  to: unknown,
): readonly [before: string, after: string] | null {
  if (field !== 'items' || !Array.isArray(from) || !Array.isArray(to)) return null
  const before = formatItems(from, to)
  const after = formatItems(to, from)
  return before === after ? null : [before, after]
}

function formatItems(items: readonly unknown[], others: readonly unknown[]): string {
  const same = new Set(others.map((item) => JSON.stringify(item)))
  const changed = items.filter((item) => !same.has(JSON.stringify(item)))
  return changed.map((item) => formatValue(formatItem(item))).join(' and ') || '-'
}
