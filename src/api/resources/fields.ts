import type { ObjectSchema, Schema } from '../schema/schema.ts'

/** The schema of exactly the values of a type: the compiler refuses one that allows more, and one that allows fewer. */
export interface Exactly<T> extends Schema<T> {
  /** Never set: has types compared both ways. */
  readonly takes?: (value: T) => void
}

/** An object with exactly the fields of a type. */
export interface Fields<T> extends Exactly<T> {
  readonly properties: ObjectSchema<T>['properties']
}

type FieldsOf<T> = { readonly [K in keyof T]-?: Exactly<Exclude<T[K], undefined>> }
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** An object inside a resource; every field is always there but the `optional` ones. */
export function group<T>(
  fields: FieldsOf<T>,
  description: string,
  optional: readonly OptionalKeys<T>[] = [],
): Fields<T> {
  const names = Object.keys(fields)
  return {
    type: 'object',
    description,
    properties: fields as ObjectSchema<T>['properties'],
    required: names.filter((name) => !optional.some((other) => other === name)),
    additionalProperties: false,
  }
}

/** A published object: what `GET` answers, under the name in its `object`. */
export function resource<T>(title: string, description: string, fields: FieldsOf<T>): Fields<T> {
  return { title, ...group(fields, description) }
}

/** The one value there is. */
export function only<const T extends string | boolean>(value: T, description: string): Exactly<T> {
  return { type: typeof value, const: value, description }
}

/** One of a closed list of words. */
export function oneOf<const T extends string>(words: readonly T[], description: string): Exactly<T> {
  return { type: 'string', enum: words, description }
}

/** Text of any length. */
export function words(description: string): Exactly<string> {
  return { type: 'string', description }
}

/** An opaque id, up to 255 characters. */
export function reference(description: string): Exactly<string> {
  return { type: 'string', maxLength: 255, description }
}

/** An absolute http or https URL. */
export function address(description: string): Exactly<string> {
  return { type: 'string', format: 'url', description }
}

/** A moment in Unix seconds. */
export function moment(description: string): Exactly<number> {
  return { type: 'integer', minimum: 0, description: `${description} In Unix seconds.` }
}

/** An amount of money in minor units. */
export function money(description: string): Exactly<number> {
  const words = `${description} In minor units: 1250 with eur is 12.50 EUR.`
  return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: words }
}

/** A whole number from `minimum`. */
export function count(minimum: number, description: string): Exactly<number> {
  return { type: 'integer', minimum, description }
}

/** Yes or no. */
export function yesNo(description: string): Exactly<boolean> {
  return { type: 'boolean', description }
}

/** A percentage from 0 to 100 with at most four decimals. */
export function percent(description: string): Exactly<number> {
  return { type: 'number', format: 'tax-percent', description }
}

/** The lower-case code of a currency of ISO 4217. */
export function currencyCode(description: string): Exactly<string> {
  return { type: 'string', format: 'currency', description }
}

/** Any number of values. */
export function many<T>(items: Exactly<T>, description: string): Exactly<readonly T[]> {
  return { type: 'array', items: items as Schema<unknown>, description }
}

/** Text by key. */
export function textByKey(description: string): Exactly<Readonly<Record<string, string>>> {
  return { type: 'object', additionalProperties: { type: 'string' }, description }
}

/** The value, or null where there is none. */
export function orNull<T>(schema: Exactly<T>): Exactly<T | null> {
  const { title, type, enum: values, description = '' } = schema
  if (title !== undefined) return { anyOf: [schema as Schema<unknown>, { type: 'null' }], description }
  const nullable = { ...schema, type: [type ?? [], 'null'].flat() }
  return (values === undefined ? nullable : { ...nullable, enum: [...values, null] }) as Exactly<T | null>
}

/** One of several shapes. */
export function either<A, B>(a: Exactly<A>, b: Exactly<B>): Exactly<A | B> {
  return { anyOf: [a as Schema<unknown>, b as Schema<unknown>] }
}

/** What every resource begins with. */
export function head<const T extends string>(object: T, owner: string) {
  return {
    id: reference(`The id of the ${owner}.`),
    object: only(object, 'The kind of object.'),
    created: moment('When it was created, on its own clock.'),
    livemode: only(false, 'Always false: no real money moves.'),
  }
}

/** What most resources end with. */
export const tail = {
  metadata: textByKey('Your own notes, as text by key.'),
  test_clock: orNull(reference('The test clock it lives on; null in real time.')),
}
