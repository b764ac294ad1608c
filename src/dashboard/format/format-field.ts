import { findResourceOfId, getResource, RESOURCES, type ResourceKind } from '../../api/resources/catalog.ts'
import { isTimestampField } from '../../domain/text/field-names.ts'
import { formatAmountField, formatCompositeField } from '../../presentation/field-values.ts'
import { formatDateTime, formatMilliseconds } from './format-time.ts'

/** The value of a field, formatted as text. */
export interface FieldText {
  /** The kind of the text; ids and URLs of hosted pages are shown as links. */
  readonly kind: 'text' | 'id' | 'url' | 'none'
  readonly text: string
  /** The time in Unix seconds, if the value is a time. */
  readonly at?: number
}

// API keys have no screen.
const PREFIXES = RESOURCES.filter(({ name }) => name !== 'api_keys').map(({ idPrefix }) => idPrefix)
const OBJECT_ID = new RegExp(`^(?:${PREFIXES.join('|')})[0-9A-Za-z]{24}$`)
const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/
/** The latest time that `Date` can show, in Unix seconds. */
const MAX_SECONDS = 8_640_000_000_000

/**
 * Formats the value of a field: amounts with their currency, times in UTC, prices of items, and other objects as JSON.
 */
export function createFieldText(path: string, value: unknown, currency: string | null): FieldText {
  const name = path.split('.').at(-1) ?? path
  if (value === null || value === undefined || value === '') return { kind: 'none', text: '–' }
  if (typeof value === 'string') return formatText(path, value)
  if (typeof value === 'boolean') return toText(value ? 'yes' : 'no')
  if (typeof value === 'number') return formatNumber(name, value, currency)
  if (Object.keys(value).length === 0) return { kind: 'none', text: '–' }
  return toText(isolateRightToLeft(formatCompositeField(name, value) ?? JSON.stringify(value)))
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]+(?:\s+[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]+)*/g

/** Isolates right-to-left words in a left-to-right string, so that they do not change the order of adjacent amounts. */
export function isolateRightToLeft(text: string): string {
  const isolated = text.replace(RIGHT_TO_LEFT, '\u2068$&\u2069')
  return isolated === text ? text : `\u200E${isolated}`
}

/** Fields whose values are names such as `charge_automatically`, which the merchant does not choose. */
const NAMED_VALUE =
  /^(?!metadata\.)(?:.*\.)?(?:(?:.*_)?(?:status|reason)|payment_method_collection|collection_method|missing_payment_method|advice|behavior|cancel|error|origin)$/

function formatText(path: string, text: string): FieldText {
  if (isObjectId(text) || isCouponReference(path, text)) return { kind: 'id', text }
  if (path === 'hosted_invoice_url') return { kind: 'url', text }
  return toText(NAMED_VALUE.test(path) ? text.replaceAll('_', ' ') : text)
}

/** Returns whether a text is the id of an object that has a screen. Returns false for a placeholder in a projection. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text)
}

/** Returns whether a field contains the id of a coupon, which the merchant may choose, such as SPRING-25. */
export function isCouponReference(path: string, value: string): boolean {
  return (path === 'coupon' || path.endsWith('.coupon')) && OWN_ID.test(value)
}

/** Returns the resource of the id of an object that has a screen. An id without a known form is a coupon id. */
export function findResourceByObjectId(id: string): ResourceKind | undefined {
  if (isObjectId(id)) return findResourceOfId(id)
  return OWN_ID.test(id) ? getResource('coupons') : undefined
}

function toText(text: string): FieldText {
  return text === '' ? { kind: 'none', text: '–' } : { kind: 'text', text }
}

function formatNumber(name: string, value: number, currency: string | null): FieldText {
  if (!Number.isSafeInteger(value)) return toText(String(value))
  if (name.endsWith('_ms')) return toText(formatMilliseconds(value))
  if (name.includes('percent')) return toText(`${value} %`)
  if (isTimestampField(name) && Math.abs(value) <= MAX_SECONDS)
    return { kind: 'text', text: formatDateTime(value), at: value }
  return toText(formatAmountField(name, value, currency) ?? String(value))
}
