import { cutMasked } from '../../domain/card-numbers.ts'
import { CURRENCIES, currencyHint, isCurrency } from '../../domain/currencies.ts'
import { MAX_METADATA_KEYS } from '../../domain/metadata.ts'
import { isTaxPercent } from '../../domain/money.ts'

const MAX_METADATA_KEY_CHARACTERS = 40
const MAX_METADATA_VALUE_CHARACTERS = 500
const MAX_ECHOED_CHARACTERS = 80
const ITEM_TYPE = /^[a-z][a-z0-9_]{0,39}$/

interface Format {
  /** The JavaScript types it checks; values of other types fail by their type alone. */
  readonly appliesTo: readonly string[]
  readonly isValid: (value: never) => boolean
  /** Completes "`param` …" with what is wrong and what is expected. */
  readonly complaint: (value: unknown) => string
  /** The same in the words of JSON Schema, as far as they go. */
  readonly standard: Readonly<Record<string, unknown>>
}

const NO_CONTROLS = '[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]'
const PLAIN_TEXT = { pattern: `^${NO_CONTROLS}*$` }
const EMAIL_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const METADATA_KEYS = {
  maxProperties: MAX_METADATA_KEYS,
  propertyNames: {
    minLength: 1,
    maxLength: MAX_METADATA_KEY_CHARACTERS,
    pattern: `^(?:(?![\\[\\]])${NO_CONTROLS})*$`,
  },
}
const METADATA_VALUE = { type: 'string', maxLength: MAX_METADATA_VALUE_CHARACTERS, ...PLAIN_TEXT }

/** Every format the API's schemas name. The checks are linear: no input can make one slow. */
export const FORMATS: Readonly<Record<string, Format>> = {
  'plain-text': {
    appliesTo: ['string'],
    isValid: isPlainText,
    complaint: () => 'has control characters; only tab and newline are allowed.',
    standard: PLAIN_TEXT,
  },
  email: {
    appliesTo: ['string'],
    isValid: isEmail,
    complaint: (value) => `${echo(value)} is not an e-mail address such as ada@example.com.`,
    standard: { pattern: `^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${EMAIL_LABEL}(?:\\.${EMAIL_LABEL})*$` },
  },
  url: {
    appliesTo: ['string'],
    isValid: isWebUrl,
    complaint: (value) =>
      `${echo(value)} is not an absolute http or https URL without credentials, such as https://example.com/return.`,
    standard: { pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$' },
  },
  currency: {
    appliesTo: ['string'],
    isValid: isCurrency,
    complaint: currencyComplaint,
    standard: { enum: CURRENCIES },
  },
  'tax-percent': {
    appliesTo: ['number'],
    isValid: isTaxPercent,
    complaint: (value) =>
      `${echo(value)} is not a percentage from 0 to 100 with at most four decimals, such as 20 or 5.5.`,
    standard: { minimum: 0, maximum: 100 },
  },
  'item-type': {
    appliesTo: ['string'],
    isValid: (value: string) => ITEM_TYPE.test(value),
    complaint: (value) =>
      `${echo(value)} is not a label of up to 40 lower-case letters, digits and underscores that starts with a letter, such as rent.`,
    standard: { pattern: ITEM_TYPE.source },
  },
  metadata: {
    appliesTo: ['object'],
    isValid: (value: object) => isMetadata(value, false),
    complaint: metadataComplaint,
    standard: { ...METADATA_KEYS, additionalProperties: METADATA_VALUE },
  },
  'metadata-update': {
    appliesTo: ['object', 'string'],
    isValid: (value: unknown) => value === null || value === '' || isMetadata(value, true),
    complaint: metadataComplaint,
    standard: {
      anyOf: [
        {
          type: 'object',
          ...METADATA_KEYS,
          additionalProperties: { ...METADATA_VALUE, type: ['string', 'null'] },
        },
        { type: 'string', const: '' },
        { type: 'null' },
      ],
    },
  },
}

/** A value as an error message may repeat it: quoted, cut short. */
export function echo(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value))
  return cutMasked(text, MAX_ECHOED_CHARACTERS)
}

function isPlainText(value: string): boolean {
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i)
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0)
    if (isControl && code !== 0x09 && code !== 0x0a) return false
  }
  return true
}

// The pattern of HTML's <input type=email>, taken apart so that it stays linear.
function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  const local = value.slice(0, at)
  const labels = value.slice(at + 1).split('.')
  return (
    at > 0 &&
    /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+$/.test(local) &&
    labels.every((label) => label.length <= 63 && /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(label))
  )
}

/** Whether a text is an absolute http or https URL without credentials, whatever its length. */
export function isWebUrl(value: string): boolean {
  // The parser drops tabs and newlines, which a redirect must never carry.
  if (/\s/.test(value) || !isPlainText(value) || !/^https?:\/\//i.test(value)) return false
  if (!URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}

function currencyComplaint(value: unknown): string {
  const hint = typeof value === 'string' ? currencyHint(value) : null
  const use = hint === null ? 'Use a code of ISO 4217 such as eur, usd or jpy.' : `Use '${hint}'.`
  return `${echo(value)} is not the lower-case code of a currency in use. ${use}`
}

function isMetadata(value: unknown, mayUnset: boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  return entries.length <= MAX_METADATA_KEYS && entries.every(([key, text]) => isEntry(key, text, mayUnset))
}

function isEntry(key: string, value: unknown, mayUnset: boolean): boolean {
  if (key === '' || key.length > MAX_METADATA_KEY_CHARACTERS || /[[\]]/.test(key) || !isPlainText(key))
    return false
  if (value === null) return mayUnset
  return typeof value === 'string' && value.length <= MAX_METADATA_VALUE_CHARACTERS && isPlainText(value)
}

function metadataComplaint(value: unknown): string {
  const rules = `an object of text by key: at most ${MAX_METADATA_KEYS} keys of 1 to ${MAX_METADATA_KEY_CHARACTERS} characters without brackets, values of at most ${MAX_METADATA_VALUE_CHARACTERS} characters`
  return `must be ${rules}, but ${metadataFault(value)}.`
}

function metadataFault(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${echo(value)} was given`
  const entries = Object.entries(value)
  if (entries.length > MAX_METADATA_KEYS) return `${entries.length} keys were given`
  const [key = ''] = entries.find(([key, text]) => !isEntry(key, text, true)) ?? []
  return `the entry ${echo(key)} does not fit`
}
