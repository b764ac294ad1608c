import type { ObjectSchema, Schema, ValueOf } from '../schema/schema.ts'

/** A schema of exactly the values of a type: a wider and a narrower schema are both compile errors. */
export interface Exactly<T> extends Schema<T> {
  /** Never set: makes the compiler compare the type in both directions. */
  readonly takes?: (value: T) => void
}

/** A schema of an object with exactly the fields of a type. */
export interface ExactObject<T> extends Exactly<T> {
  readonly properties: ObjectSchema<T>['properties']
}

/** A schema for each field of a type. */
export type ExactFields<T> = { readonly [K in keyof T]-?: Exactly<Exclude<T[K], undefined>> }
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** Returns the schema of an object inside another one; every field is required unless it is in `optional`. */
export function object<T>(
  fields: ExactFields<T>,
  description: string,
  optional: readonly OptionalKeys<T>[] = [],
): ExactObject<T> {
  const names = Object.keys(fields)
  return {
    type: 'object',
    description,
    properties: fields as ObjectSchema<T>['properties'],
    required: names.filter((name) => !optional.some((other) => other === name)),
    additionalProperties: false,
  }
}

/** Returns the schema of an object that OpenAPI publishes once under its title. */
export function titledObject<T>(title: string, description: string, fields: ExactFields<T>): ExactObject<T> {
  return { title, ...object(fields, description) }
}

/** Returns the schema of an object that OpenAPI publishes once under its title; the type follows from the fields. */
export function inferredObject<F extends ObjectSchema<unknown>['properties']>(
  title: string,
  description: string,
  properties: F,
): ExactObject<{ readonly [K in keyof F]: ValueOf<F[K]> }> {
  const required = Object.keys(properties)
  return { title, type: 'object', description, properties, required, additionalProperties: false }
}

/** Returns the schema of a single value. */
export function constant<const T extends string | boolean>(value: T, description: string): Exactly<T> {
  return { type: typeof value, const: value, description }
}

/** Returns the schema of one of several texts. */
export function oneOf<const T extends string>(values: readonly T[], description: string): Exactly<T> {
  return { type: 'string', enum: values, description }
}

/** Returns the schema of a text. */
export function text(description: string): Exactly<string> {
  return { type: 'string', description }
}

/** Returns the schema of an opaque id of up to 255 characters. */
export function id(description: string): Exactly<string> {
  return { type: 'string', maxLength: 255, description }
}

/** Returns the schema of an absolute http or https URL. */
export function url(description: string): Exactly<string> {
  return { type: 'string', format: 'url', description }
}

/** Returns the schema of a timestamp in Unix seconds. */
export function timestamp(description: string): Exactly<number> {
  return { type: 'integer', minimum: 0, description: `${description} In Unix seconds.` }
}

/** Returns the schema of an amount in minor units. */
export function amount(description: string): Exactly<number> {
  const unit = 'In minor units: 1250 with eur is 12.50 EUR.'
  return {
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description} ${unit}`,
  }
}

/** Returns the schema of an integer from a minimum. */
export function integer(minimum: number, description: string): Exactly<number> {
  return { type: 'integer', minimum, description }
}

/** Returns the schema of true or false. */
export function boolean(description: string): Exactly<boolean> {
  return { type: 'boolean', description }
}

/** Returns the schema of a percentage from 0 to 100 with at most four decimals. */
export function percent(description: string): Exactly<number> {
  return { type: 'number', format: 'tax-percent', description }
}

/** Returns the schema of a lower-case ISO 4217 currency code. */
export function currencyCode(description: string): Exactly<string> {
  return { type: 'string', format: 'currency', description }
}

/** Returns the schema of an array. */
export function arrayOf<T>(items: Exactly<T>, description: string): Exactly<readonly T[]> {
  return { type: 'array', items: items as Schema<unknown>, description }
}

/** Returns the schema of an object with text values, such as metadata. */
export function textMap(description: string): Exactly<Readonly<Record<string, string>>> {
  return { type: 'object', additionalProperties: { type: 'string' }, description }
}

/** Returns the schema of a value or null. */
export function nullable<T>(schema: Exactly<T>): Exactly<T | null> {
  const { title, type, enum: values, description = '' } = schema
  if (title !== undefined) return { anyOf: [schema as Schema<unknown>, { type: 'null' }], description }
  const either = { ...schema, type: [type ?? [], 'null'].flat() }
  return (values === undefined ? either : { ...either, enum: [...values, null] }) as Exactly<T | null>
}

/** Returns the schema of one of two types. */
export function anyOf<A, B>(a: Exactly<A>, b: Exactly<B>): Exactly<A | B> {
  return { anyOf: [a as Schema<unknown>, b as Schema<unknown>] }
}

/** The schema of `metadata`. */
export const metadata = textMap('Your own data, as text by key.')

/** The last fields of most resources. */
export const metadataAndClock = {
  metadata,
  test_clock: nullable(id('The test clock of the object; null if it is in real time.')),
}
