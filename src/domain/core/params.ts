import { MAX_AMOUNT } from './money.ts'
import type { RangeBounds } from './range-bounds.ts'
import { enumOf, type ObjectSchema, type Properties, type Schema, type ValueOf } from './schema.ts'

/** Returns the schema of an object with exactly these properties. */
export function shape<R extends Properties, O extends Properties = Record<never, never>>(
  required: R,
  optional?: O,
  description?: string,
): ObjectSchema<{ readonly [K in keyof R]: ValueOf<R[K]> } & { readonly [K in keyof O]?: ValueOf<O[K]> }> {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  }
}

/** Returns the schema of a string of 1 to `max` characters without control characters other than tab and newline. */
export function text(max: number, description: string): Schema<string> {
  return { type: 'string', format: 'plain-text', minLength: 1, maxLength: max, description }
}

/** Returns the schema of an email address in any language (RFC 6531), at most 254 bytes in UTF-8 (RFC 5321). */
export function email(description: string): Schema<string> {
  return addressSchema('email', 254, 'email_invalid', description)
}

/** Maximum length of a URL in characters. */
export const MAX_URL_CHARACTERS = 2048

/** Returns the schema of an absolute http or https URL without credentials, at most 2048 characters. */
export function url(description: string): Schema<string> {
  return addressSchema('url', MAX_URL_CHARACTERS, 'url_invalid', description)
}

function addressSchema(format: string, maxLength: number, code: string, description: string): Schema<string> {
  return { type: 'string', format, maxLength, description, errorCodes: { format: code, maxLength: code } }
}

/** Returns the schema of a lower-case ISO 4217 currency code. */
export function currency(description: string): Schema<string> {
  return { type: 'string', format: 'currency', description, errorCodes: { format: 'currency_invalid' } }
}

/** Returns the schema of an id; loading the object checks whether the object exists. */
export function id(description: string): Schema<string> {
  return { type: 'string', minLength: 1, maxLength: 255, description }
}

/** Returns the schema of a safe integer from `min` to `max`. */
export function integer(
  bounds: { readonly min: number; readonly max?: number; readonly errorCodes?: Record<string, string> },
  description: string,
): Schema<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, errorCodes = {} } = bounds
  return { type: 'integer', minimum: min, maximum: max, description, errorCodes }
}

/** Returns the schema of an amount in minor units, at most 12 digits. */
export function amount(min: 0 | 1, description: string): Schema<number> {
  const errorCodes = { minimum: 'amount_too_small', maximum: 'amount_too_large' }
  return integer({ min, max: MAX_AMOUNT, errorCodes }, description)
}

/** Returns the schema of a timestamp in Unix seconds. */
export function timestamp(description: string): Schema<number> {
  return integer({ min: 0, errorCodes: { minimum: 'timestamp_invalid' } }, description)
}

/** Returns the schema of a percentage from 0 to 100 with at most four decimals. */
export function taxPercent(description: string): Schema<number> {
  return { type: 'number', format: 'tax-percent', description, errorCodes: { format: 'tax_percent_invalid' } }
}

/** Returns the schema of a percentage over 0, up to 100, with at most two decimals. */
export function percentOff(description: string): Schema<number> {
  return { type: 'number', format: 'percent-off', description, errorCodes: { format: 'percent_off_invalid' } }
}

/** Returns the schema of a string of 1 to 64 letters, digits, hyphens and underscores. */
export function code(description: string): Schema<string> {
  return { type: 'string', format: 'code', description }
}

/** Returns the schema of a boolean. */
export function boolean(description: string): Schema<boolean> {
  return { type: 'boolean', description }
}

/** Returns the schema of one of several strings or integers. */
export const choice = enumOf

/** Returns the schema of a list of 1 to `max` values. */
export function list<T>(items: Schema<T>, max: number, description: string): Schema<readonly T[]> {
  return { type: 'array', items: items as Schema<unknown>, minItems: 1, maxItems: max, description }
}

/** Returns the schema of metadata: up to 50 keys of 40 characters without brackets, values of up to 500 characters. */
export function metadata(): Schema<Readonly<Record<string, string>>> {
  const description =
    'Your own key-value pairs: up to 50 keys of 40 characters, values of up to 500 characters. An empty value is dropped.'
  return { type: 'object', format: 'metadata', description, errorCodes: { format: 'metadata_invalid' } }
}

/** Returns the schema of a change to metadata. */
export function metadataUpdate(): Schema<Readonly<Record<string, string | null>> | '' | null> {
  const description =
    'Key-value pairs, merged by key: up to 50 keys after merging. A value of null or "" removes its key. null or "" instead of the object removes all keys.'
  return {
    type: ['object', 'string', 'null'],
    format: 'metadata-update',
    description,
    errorCodes: { format: 'metadata_invalid' },
  }
}

/** Returns the schema of bounds such as `created[gte]`; an integer without bounds is an exact value. */
export function range(description: string): ObjectSchema<RangeBounds> & { readonly format: 'range' } {
  const bound = (meaning: string) => integer({ min: 0 }, meaning)
  const bounds = shape(
    {},
    {
      gt: bound('Greater than.'),
      gte: bound('Greater or equal.'),
      lt: bound('Less than.'),
      lte: bound('Less or equal.'),
    },
  )
  return { ...bounds, format: 'range', description }
}
