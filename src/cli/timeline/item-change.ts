import { isJsonObject } from '../../client/json-object.ts'
import { fieldAt, formatAmountField, formatValue } from '../output/format-values.ts'

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
  return changed.map(formatItem).join(' and ') || '-'
}

function formatItem(item: unknown): string {
  if (!isJsonObject(item)) return formatValue(item)
  const currency = fieldAt(item, 'price_data.currency')
  const unit = fieldAt(item, 'price_data.amount')
  const tax = fieldAt(item, 'price_data.tax_percent')
  const price = formatAmountField('amount', unit, typeof currency === 'string' ? currency : null)
  const { quantity } = item
  return [
    formatValue(item['description']),
    ...(quantity === 1 ? [] : [`${quantity} ×`]),
    price ?? formatValue(unit),
    ...(tax === 0 || tax === undefined ? [] : [`+ ${tax} % tax`]),
  ].join(' ')
}
