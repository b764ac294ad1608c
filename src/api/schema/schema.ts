import { MAX_AMOUNT } from '../../domain/money.ts'

/** JSON Schema for one value, with the error codes that its constraints answer with where the general ones are too vague. */
export interface Schema<T> {
  /** The name it is published under, where it is published once and referred to. */
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema<unknown>[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema<unknown>
  readonly properties?: Readonly<Record<string, Schema<unknown>>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema<unknown>
  /** Error code by the JSON Schema keyword that failed. */
  readonly errorCodes?: Readonly<Record<string, string>>
  /** Never set: carries the type of the value. */
  readonly valueType?: T
}

type Shape = Readonly<Record<string, Schema<unknown>>>
type ValueOf<S> = S extends Schema<infer T> ? T : never

/** An object schema; `properties` is always there. */
export interface ObjectSchema<T> extends Schema<T> {
  readonly properties: Shape
}

/** An object with exactly these fields: a misspelt one is refused with the nearest name. */
export function shape<R extends Shape, O extends Shape = Record<never, never>>(
  required: R,
  optional?: O,
): ObjectSchema<{ readonly [K in keyof R]: ValueOf<R[K]> } & { readonly [K in keyof O]?: ValueOf<O[K]> }> {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }
}

/** Text of up to `max` characters, not empty, without control characters but tab and newline. */
export function text(max: number, description: string): Schema<string> {
  return { type: 'string', format: 'plain-text', minLength: 1, maxLength: max, description }
}

/** An e-mail address as HTML's `<input type=email>` takes it, 254 characters at most (RFC 5321). */
export function email(description: string): Schema<string> {
  const code = 'email_invalid'
  return {
    type: 'string',
    format: 'email',
    maxLength: 254,
    description,
    errorCodes: { format: code, maxLength: code },
  }
}

/** How long a URL may be. */
export const MAX_URL_CHARACTERS = 2048

/** An absolute http or https URL without credentials, 2048 characters at most. */
export function url(description: string): Schema<string> {
  const code = 'url_invalid'
  return {
    type: 'string',
    format: 'url',
    maxLength: MAX_URL_CHARACTERS,
    description,
    errorCodes: { format: code, maxLength: code },
  }
}

/** The lower-case code of a currency of ISO 4217. */
export function currency(description: string): Schema<string> {
  return { type: 'string', format: 'currency', description, errorCodes: { format: 'currency_invalid' } }
}

/** An id of another object; whether it exists is checked when it is loaded. */
export function id(description: string): Schema<string> {
  return { type: 'string', minLength: 1, maxLength: 255, description }
}

/** A safe integer from `min` to `max`; bounds may answer with codes of their own. */
export function integer(
  bounds: { readonly min: number; readonly max?: number; readonly errorCodes?: Record<string, string> },
  description: string,
): Schema<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, errorCodes = {} } = bounds
  return { type: 'integer', minimum: min, maximum: max, description, errorCodes }
}

/** An amount in minor units; the largest has 12 digits. */
export function amount(min: 0 | 1, description: string): Schema<number> {
  const errorCodes = { minimum: 'amount_too_small', maximum: 'amount_too_large' }
  return integer({ min, max: MAX_AMOUNT, errorCodes }, description)
}

/** A moment in Unix seconds; moments that look like milliseconds are told so. */
export function timestamp(description: string): Schema<number> {
  return integer({ min: 0, errorCodes: { minimum: 'timestamp_invalid' } }, description)
}

/** A percentage from 0 to 100 with at most four decimals. */
export function taxPercent(description: string): Schema<number> {
  return { type: 'number', format: 'tax-percent', description, errorCodes: { format: 'tax_percent_invalid' } }
}

/** Yes or no. */
export function flag(description: string): Schema<boolean> {
  return { type: 'boolean', description }
}

/** One of a closed list of words. */
export function choice<const T extends string>(
  values: readonly T[],
  description: string,
  errorCode?: string,
): Schema<T> {
  const schema = { type: 'string', enum: values, description }
  return errorCode === undefined ? schema : { ...schema, errorCodes: { enum: errorCode } }
}

/** A list of 1 to `max` values. */
export function list<T>(items: Schema<T>, max: number, description: string): Schema<readonly T[]> {
  return { type: 'array', items: items as Schema<unknown>, minItems: 1, maxItems: max, description }
}

/** Text by key: 50 keys of 40 characters, values of 500, no brackets in keys. */
export function metadata(): Schema<Readonly<Record<string, string>>> {
  const description = 'Your own notes on the object, as text by key.'
  return { type: 'object', format: 'metadata', description, errorCodes: { format: 'metadata_invalid' } }
}

/** Changes to metadata: null or empty text removes a key, or everything in place of the object. */
export function metadataUpdate(): Schema<Readonly<Record<string, string | null>> | '' | null> {
  const description = 'Merged by key; null or "" removes a key, or all of them in place of the object.'
  return {
    type: ['object', 'string', 'null'],
    format: 'metadata-update',
    description,
    errorCodes: { format: 'metadata_invalid' },
  }
}

/** The value, or null to unset it. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  const { type } = schema
  return {
    ...schema,
    type: [...(typeof type === 'string' ? [type] : (type ?? [])), 'null'],
  } as Schema<T | null>
}

export interface Bounds {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
}

/** Bounds such as `created[gte]=…`; a bare integer means exactly that. */
export function range(description: string): ObjectSchema<Bounds> & { readonly format: 'range' } {
  const bound = (words: string) => integer({ min: 0 }, words)
  const bounds = shape(
    {},
    { gt: bound('After.'), gte: bound('At or after.'), lt: bound('Before.'), lte: bound('At or before.') },
  )
  return { ...bounds, format: 'range', description }
}
