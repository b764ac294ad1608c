import { formatAmount, isCurrency } from '../domain/core/currencies.ts'
import { isJsonObject, type JsonObject } from '../domain/core/json-object.ts'
import { isAmountField } from '../domain/text/field-names.ts'
import { formatCard } from './card-brands.ts'

/**
 * Returns the value at a path such as `card.brand`. For alternatives, such as `decline_code|failure_code`, returns the
 * first value that is neither missing nor empty, or undefined.
 */
export function findFieldValue(object: JsonObject, path: string): unknown {
  return valueAt(object, alternativeOf(object, path))
}

/** Returns the name of the field whose value `findFieldValue` returns, such as `brand` of `card.brand`. */
export function getFieldName(object: JsonObject, path: string): string {
  return alternativeOf(object, path).split('.').at(-1) ?? path
}

// Without a value, the first alternative names the field.
function alternativeOf(object: JsonObject, path: string): string {
  const paths = path.split('|')
  return paths.find((one) => hasValue(object, one)) ?? paths[0] ?? path
}

// Before a capture, the amount of a payment is more useful than the captured 0.
function hasValue(object: JsonObject, path: string): boolean {
  const value = valueAt(object, path)
  return value !== undefined && !(path === 'amount_captured' && value === 0)
}

function valueAt(object: JsonObject, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), object)
  return value === null || value === '' ? undefined : value
}

/** Returns the URL of the page of an object, such as a session or an invoice; null without a page. */
export function findPageUrl(object: JsonObject): string | null {
  const url = findFieldValue(object, 'hosted_invoice_url|url')
  return typeof url === 'string' ? url : null
}

/** Returns the currency of an object, or null for a missing or unknown currency. */
export function findCurrency({ currency }: JsonObject): string | null {
  return typeof currency === 'string' && isCurrency(currency) ? currency : null
}

/** Formats the amount at a path of an object, such as `12.50 EUR`; null without an amount. */
export function formatAmountAtPath(object: JsonObject, path: string): string | null {
  return formatAmountField(getFieldName(object, path), findFieldValue(object, path), findCurrency(object))
}

/** Formats an amount such as `12.50 EUR`. Returns null when the field is not an amount or the currency is unknown. */
export function formatAmountField(name: string, value: unknown, currency: string | null): string | null {
  if (!isAmountField(name) || currency === null || !isCurrency(currency)) return null
  return Number.isSafeInteger(value) ? formatAmount(Number(value), currency) : null
}

/** Formats a card, a bank account, the items of a subscription or the balances of a customer as one text; null for other and empty values. */
export function formatCompositeField(name: string, value: unknown): string | null {
  if (name === 'card' && isCard(value)) return formatCard(value)
  if (name === 'sepa_debit' && isJsonObject(value))
    return formatCard({ brand: name, last4: textOf(value['last4']) })
  if (name === 'items' && Array.isArray(value)) return value.map(formatSubscriptionItem).join(', ') || null
  return name === 'balances' && isJsonObject(value) ? formatBalances(value) || null : null
}

/** Formats an item of a subscription, such as `Seat 3 × 15.00 EUR + 19 % tax`. */
export function formatSubscriptionItem(item: unknown): string {
  if (!isJsonObject(item) || !isJsonObject(item['price_data'])) return JSON.stringify(item) ?? '-'
  const { description, quantity = 1, price_data: price } = item
  const { amount, tax_percent: tax } = price
  return [
    ...(typeof description === 'string' && description !== '' ? [description] : []),
    ...(quantity === 1 ? [] : [`${textOf(quantity)} ×`]),
    formatAmountField('amount', amount, findCurrency(price)) ?? textOf(amount),
    ...(typeof tax === 'number' && tax !== 0 ? [`+ ${tax} % tax`] : []),
  ].join(' ')
}

function formatBalances(balances: JsonObject): string {
  return Object.entries(balances)
    .map(([currency, amount]) => formatAmountField('amount', amount, currency) ?? textOf(amount))
    .join(', ')
}

// Responses of other servers may have values of any type.
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isCard(value: unknown): value is { readonly brand: string; readonly last4: string } {
  return isJsonObject(value) && typeof value['brand'] === 'string' && typeof value['last4'] === 'string'
}
