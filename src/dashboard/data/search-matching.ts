import { getCurrencyDecimals } from '../../domain/core/currencies.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { isAmountField } from '../../domain/text/field-names.ts'
import { findCurrency } from '../../presentation/field-values.ts'

/** An object that a search found, with the matching field. */
export interface SearchResult {
  readonly object: JsonObject & { readonly id: string }
  /** The name of the matching field; empty for the id. */
  readonly field: string
}

/** Matches an email address. */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The text fields that a search compares in addition to ids and amounts. */
const TEXT_FIELDS = ['email', 'customer_email', 'name', 'number', 'description', 'url', 'type']
const AMOUNT = /^(\d{1,13})(?:[.,](\d{1,3}))?(?:\s*([a-z]{3}))?$/i
const MIN_ID_CHARACTERS = 3

/**
 * Returns an object as a search result with the name of the matching field, empty for its id; null if nothing matches.
 */
export function findObjectMatch(text: string, object: SearchResult['object']): SearchResult | null {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return null
  if (wanted.length >= MIN_ID_CHARACTERS && object.id.toLowerCase().includes(wanted))
    return { object, field: '' }
  const amount = findAmount(wanted, object)
  if (amount !== null) return { object, field: amount }
  const field = TEXT_FIELDS.find((name) => {
    const value = object[name]
    return typeof value === 'string' && value.toLowerCase().includes(wanted)
  })
  return field === undefined ? null : { object, field }
}

/**
 * Returns the name of the first field with an amount such as `12.50`, `1250` (minor units) or `12.50 eur`; null if no
 * field has the amount.
 */
function findAmount(text: string, object: JsonObject): string | null {
  const currency = findCurrency(object)
  const amounts = currency === null ? [] : parsePossibleAmounts(text, currency)
  return (
    Object.keys(object).find((name) => isAmountField(name) && amounts.includes(Number(object[name]))) ?? null
  )
}

/** Returns the amounts in minor units that a text may mean in a currency: without decimals also whole units. */
export function parsePossibleAmounts(text: string, currency: string): readonly number[] {
  const [, whole, fraction = '', code = currency] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined || code.toLowerCase() !== currency) return []
  const decimals = getCurrencyDecimals(currency)
  if (fraction.length > decimals) return []
  const exact = Number(whole + fraction.padEnd(decimals, '0'))
  return fraction === '' ? [exact, Number(whole)] : [exact]
}

/** Returns the first `limit` results, each object once. Objects whose id or email address equals `text` come first. */
export function rankResults(text: string, results: readonly SearchResult[], limit: number): SearchResult[] {
  const wanted = text.trim().toLowerCase()
  const unique = new Map<string, SearchResult>()
  for (const result of results) if (!unique.has(result.object.id)) unique.set(result.object.id, result)
  const isExact = ({ object: { id, email } }: SearchResult) =>
    id.toLowerCase() === wanted || String(email).toLowerCase() === wanted
  return [...unique.values()].sort((a, b) => Number(isExact(b)) - Number(isExact(a))).slice(0, limit)
}
