import { isJsonObject, type JsonObject } from '../../client/json-object.ts'
import { formatAmount, isCurrency } from '../../domain/core/currencies.ts'
import { isAmountField, isTimestampField } from '../../domain/text/field-names.ts'
import { formatTime } from './format-time.ts'

/** The value of a field, as text for readers. */
export interface FieldText {
  /** An id is shown as a link. */
  readonly kind: 'text' | 'id' | 'none'
  readonly text: string
}

const OBJECT_ID = /^(?:[a-z]{2,5}_)+(?:[0-9A-Za-z]{24}|projected_\d+)$/
/** The latest time that `Date` can show, in Unix seconds. */
const MAX_SECONDS = 8_640_000_000_000

/** Formats the value of a field: amounts with their currency, times in UTC, prices of items, anything else as JSON. */
export function formatField(path: string, value: unknown, currency: string | null): FieldText {
  const name = path.split('.').at(-1) ?? path
  if (value === null || value === undefined || value === '') return { kind: 'none', text: '–' }
  if (typeof value === 'string')
    return { kind: isObjectId(value) && !value.includes('projected') ? 'id' : 'text', text: value }
  if (typeof value === 'boolean') return toText(value ? 'yes' : 'no')
  if (typeof value === 'number') return toText(formatNumber(name, value, currency))
  if (name === 'items' && Array.isArray(value)) return toText(value.map(formatItem).join(', '))
  if (name === 'balances' && isJsonObject(value)) return toText(formatBalances(value))
  return toText(JSON.stringify(value))
}

/** Returns whether a text is the id of an object, or its placeholder in a projection. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text)
}

/** Returns the currency of an object, or null. */
export function currencyOf(object: JsonObject): string | null {
  const { currency } = object
  return typeof currency === 'string' && isCurrency(currency) ? currency : null
}

function toText(text: string): FieldText {
  return text === '' ? { kind: 'none', text: '–' } : { kind: 'text', text }
}

function formatNumber(name: string, value: number, currency: string | null): string {
  if (!Number.isSafeInteger(value)) return String(value)
  if (currency !== null && isAmountField(name)) return formatAmount(value, currency)
  return isTimestampField(name) && Math.abs(value) <= MAX_SECONDS ? formatTime(value) : String(value)
}

function formatBalances(balances: JsonObject): string {
  return Object.entries(balances)
    .map(([currency, amount]) =>
      isCurrency(currency) ? formatAmount(Number(amount), currency) : String(amount),
    )
    .join(', ')
}

// `Seat, 3 × 15.00 EUR`
function formatItem(item: unknown): string {
  if (!isJsonObject(item) || !isJsonObject(item['price_data'])) return JSON.stringify(item)
  const { description, quantity = 1, price_data: price } = item
  const unit = formatField('amount', price['amount'], currencyOf(price)).text
  const amount = quantity === 1 ? unit : `${quantity} × ${unit}`
  return typeof description === 'string' ? `${description} ${amount}` : amount
}
