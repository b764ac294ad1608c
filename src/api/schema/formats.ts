import { domainToASCII } from 'node:url'
import { catchLogoErrorMessage, isBrandColor, LOGO_HINT } from '../../domain/branding/branding.ts'
import { decodeAndSanitizeLogo } from '../../domain/branding/logos/logo.ts'
import { CURRENCY_CODES, isCurrency, suggestCurrency } from '../../domain/core/currencies.ts'
import { MAX_METADATA_KEYS } from '../../domain/core/metadata.ts'
import { isPercentOff, isTaxPercent } from '../../domain/core/money.ts'
import { maskAndTruncate } from '../../domain/text/card-number-masking.ts'

const MAX_METADATA_KEY_CHARACTERS = 40
const MAX_METADATA_VALUE_CHARACTERS = 500
/** An update can remove every metadata key and set the same number of new keys. */
const MAX_METADATA_ENTRIES = 2 * MAX_METADATA_KEYS
const MAX_QUOTED_CHARACTERS = 80
const MAX_EMAIL_BYTES = 254
const MAX_LABEL_CHARACTERS = 63
const CODE = /^[A-Za-z0-9_-]{1,64}$/
const ITEM_TYPE = /^[a-z][a-z0-9_]{0,39}$/

interface Format {
  /** The JavaScript types that the format checks. */
  readonly appliesTo: readonly string[]
  readonly isValid: (value: never) => boolean
  /** Completes an error message that starts with the parameter name. */
  readonly describeError: (value: unknown) => string
  /** JSON Schema keywords for the format, which may accept more values than `isValid`. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
}

const PLAIN_CHARACTER = '[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]'
const PLAIN_TEXT_PATTERN = new RegExp(`^${PLAIN_CHARACTER}*$`)
// The published pattern accepts CR in a body, because CR is converted to LF before the check.
const PLAIN_TEXT = { pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$' }
const METADATA_KEYS = {
  maxProperties: MAX_METADATA_ENTRIES,
  propertyNames: {
    minLength: 1,
    maxLength: MAX_METADATA_KEY_CHARACTERS,
    pattern: `^(?:(?![\\[\\]])${PLAIN_CHARACTER})*$`,
  },
}
const METADATA_VALUE = { type: 'string', maxLength: MAX_METADATA_VALUE_CHARACTERS, ...PLAIN_TEXT }

/** Every format of the API's schemas. Each check takes linear time, so that no input is slow to validate. */
export const FORMATS: Readonly<Record<string, Format>> = {
  'plain-text': {
    appliesTo: ['string'],
    isValid: isPlainText,
    describeError: () => 'has control characters; only tab and newline are allowed.',
    jsonSchema: PLAIN_TEXT,
  },
  email: {
    appliesTo: ['string'],
    isValid: isEmail,
    describeError: (value) => `${quoteValue(value)} is not an email address such as ada@example.com.`,
    jsonSchema: { pattern: '^[^\\s@]+@[^\\s@]+$' },
  },
  url: {
    appliesTo: ['string'],
    isValid: isWebUrl,
    describeError: (value) =>
      `${quoteValue(value)} is not an absolute http or https URL without credentials, such as https://example.com/return.`,
    jsonSchema: { pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$' },
  },
  currency: {
    appliesTo: ['string'],
    isValid: isCurrency,
    describeError: describeCurrencyError,
    jsonSchema: { enum: CURRENCY_CODES },
  },
  'tax-percent': {
    appliesTo: ['number'],
    isValid: isTaxPercent,
    describeError: (value) =>
      `${quoteValue(value)} is not a percentage from 0 to 100 with at most four decimals, such as 20 or 5.5.`,
    jsonSchema: { minimum: 0, maximum: 100 },
  },
  'list-or-off': {
    appliesTo: ['string'],
    isValid: (value: string) => value === 'off',
    describeError: (value) => `${quoteValue(value)} is neither a list nor 'off'.`,
    jsonSchema: { pattern: '^off$' },
  },
  'percent-off': {
    appliesTo: ['number'],
    isValid: isPercentOff,
    describeError: (value) =>
      `${quoteValue(value)} is not a percentage over 0 and up to 100 with at most two decimals, such as 25 or 12.5.`,
    jsonSchema: { exclusiveMinimum: 0, maximum: 100 },
  },
  code: {
    appliesTo: ['string'],
    isValid: (value: string) => CODE.test(value),
    describeError: (value) =>
      `${quoteValue(value)} is not a code of 1 to 64 letters, digits, hyphens and underscores, such as SPRING-25.`,
    jsonSchema: { pattern: CODE.source },
  },
  'time-or-now': {
    appliesTo: ['string', 'number'],
    isValid: (value: string | number) => value === 'now' || (typeof value === 'number' && value >= 0),
    describeError: (value) => `${quoteValue(value)} is neither a time in Unix seconds nor 'now'.`,
    jsonSchema: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', const: 'now' },
      ],
    },
  },
  'item-type': {
    appliesTo: ['string'],
    isValid: (value: string) => ITEM_TYPE.test(value),
    describeError: (value) =>
      `${quoteValue(value)} is not a label of up to 40 lower-case letters, digits and underscores that starts with a letter, such as rent.`,
    jsonSchema: { pattern: ITEM_TYPE.source },
  },
  'brand-color': {
    appliesTo: ['string'],
    isValid: isBrandColor,
    describeError: (value) => `${quoteValue(value)} is not a color such as #7a3b1d.`,
    jsonSchema: { pattern: '^#[0-9a-fA-F]{6}$' },
  },
  logo: {
    appliesTo: ['string'],
    isValid: (value: string) => catchLogoErrorMessage(() => decodeAndSanitizeLogo(value)) === null,
    describeError: describeLogoError,
    jsonSchema: { pattern: '^data:image/(svg\\+xml|png)[;,]' },
  },
  metadata: {
    appliesTo: ['object'],
    isValid: (value: object) => findMetadataError(value, false) === null,
    describeError: (value) => describeMetadataError(value, false),
    jsonSchema: { ...METADATA_KEYS, additionalProperties: METADATA_VALUE },
  },
  'metadata-update': {
    appliesTo: ['object', 'string'],
    isValid: (value: unknown) => value === null || value === '' || findMetadataError(value, true) === null,
    describeError: (value) => describeMetadataError(value, true),
    jsonSchema: {
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

/** Quotes a value for an error message, with at most 80 characters and with masked card numbers. */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value))
  return maskAndTruncate(text, MAX_QUOTED_CHARACTERS)
}

function isPlainText(value: string): boolean {
  return PLAIN_TEXT_PATTERN.test(value)
}

// Returns whether a string matches the pattern of HTML's <input type=email>, with letters of all languages (RFC 6531).
// Checking each part separately takes linear time.
function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  const local = value.slice(0, at)
  const labels = value.slice(at + 1).split('.')
  return (
    at > 0 &&
    Buffer.byteLength(value) <= MAX_EMAIL_BYTES &&
    /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u.test(local) &&
    labels.every(isDomainLabel)
  )
}

function isDomainLabel(label: string): boolean {
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u.test(label)) return false
  // Do not convert ASCII labels, because `domainToASCII` parses a numeric label as an IPv4 address.
  const ascii = /^[a-z0-9-]+$/i.test(label) ? label : domainToASCII(label)
  return ascii !== '' && ascii.length <= MAX_LABEL_CHARACTERS
}

/** Returns whether a string of any length is an absolute http or https URL without credentials. */
export function isWebUrl(value: string): boolean {
  // `URL` ignores tabs and newlines, which are not allowed in a redirect.
  if (/\s/.test(value) || !isPlainText(value) || !/^https?:\/\//i.test(value)) return false
  if (!URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}

function describeCurrencyError(value: unknown): string {
  const hint = typeof value === 'string' ? suggestCurrency(value) : null
  const use = hint === null ? 'Use a code of ISO 4217 such as eur, usd or jpy.' : `Use '${hint}'.`
  return `${quoteValue(value)} is not the lower-case code of a current currency. ${use}`
}

function describeLogoError(value: unknown): string {
  const problem = catchLogoErrorMessage(() => decodeAndSanitizeLogo(String(value))) ?? 'is not valid'
  return `${quoteValue(value)} ${problem}. ${LOGO_HINT}`
}

/** Returns whether a string has at most `max` code points, the unit of `maxLength` in JSON Schema. */
function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max)
}

function isMetadataEntry(key: string, value: unknown, mayUnset: boolean): boolean {
  if (key === '' || !hasAtMost(key, MAX_METADATA_KEY_CHARACTERS) || /[[\]]/.test(key) || !isPlainText(key))
    return false
  if (value === null) return mayUnset
  return typeof value === 'string' && hasAtMost(value, MAX_METADATA_VALUE_CHARACTERS) && isPlainText(value)
}

function describeMetadataError(value: unknown, mayUnset: boolean): string {
  const rules = `an object of string values: at most ${MAX_METADATA_KEYS} keys of 1 to ${MAX_METADATA_KEY_CHARACTERS} characters without brackets, values of at most ${MAX_METADATA_VALUE_CHARACTERS} characters`
  return `must be ${rules}, but ${findMetadataError(value, mayUnset)}.`
}

function findMetadataError(value: unknown, mayUnset: boolean): string | null {
  if (typeof value !== 'object' || value === null) return `${quoteValue(value)} was given`
  const entries = Object.entries(value)
  const kept = entries.filter(([, text]) => text !== '' && text !== null).length
  if (kept > MAX_METADATA_KEYS) return `${kept} keys were given`
  if (entries.length > MAX_METADATA_ENTRIES) return `${entries.length} keys were given`
  const [key] = entries.find(([name, text]) => !isMetadataEntry(name, text, mayUnset)) ?? []
  return key === undefined ? null : `the entry ${quoteValue(key)} is invalid`
}
