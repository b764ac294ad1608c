import { formatAmount, isCurrency } from '../../domain/currencies.ts'
import { isoOf } from '../../domain/moment-text.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { isMoment } from '../parse/timestamp.ts'

const AMOUNT_NAME = /^(?:amount|subtotal|tax|total)$|^amount_|_amount$/

/** Text on one line that cannot harm a terminal. */
export function onOneLine(text: string): string {
  return sanitizeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** An amount in its currency, such as `12.50 EUR`; null when the field holds none or the currency is not known. */
export function amountIn(name: string, value: unknown, currency: string | null): string | null {
  if (!AMOUNT_NAME.test(name) || currency === null || !isCurrency(currency)) return null
  return Number.isSafeInteger(value) ? formatAmount(Number(value), currency) : null
}

/** A moment in ISO 8601; null when the field holds none. */
export function momentIn(name: string, value: unknown): string | null {
  return Number.isSafeInteger(value) && isMoment(name) ? isoOf(Number(value)) : null
}

/** A single value as text: `-` for nothing, JSON for what has parts. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'string') return onOneLine(value)
  return typeof value === 'object' ? onOneLine(JSON.stringify(value)) : String(value)
}

/** What a field holds in as few letters as tell it: amounts with their currency, moments without what is nought. */
export function wordIn(path: string, value: unknown, currency: string | null): string {
  const name = path.split('.').at(-1) ?? path
  const moment = momentIn(name, value)
  if (moment !== null)
    return moment
      .replace(/T(?:00:00:00Z$)?/, ' ')
      .replace(/(?::00)?Z$/, '')
      .trimEnd()
  return amountIn(name, value, currency) ?? plainText(value)
}
