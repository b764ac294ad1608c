/** JSON Schema of one value, with error codes that are more specific than the general codes. */
export interface Schema<T> {
  /** Name of the component in the OpenAPI document; a schema without a name is written inline. */
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
  readonly properties?: Properties
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema<unknown>
  /** Error code by the JSON Schema keyword that failed. */
  readonly errorCodes?: Readonly<Record<string, string>>
  /** Never set; the property exists only to infer the type of the value. */
  readonly valueType?: T
}

/** Schemas by property name. */
export type Properties = Readonly<Record<string, Schema<unknown>>>

/** The type of the values of a schema. */
export type ValueOf<S> = S extends Schema<infer T> ? T : never

/** An object schema, which always has `properties`. */
export interface ObjectSchema<T> extends Schema<T> {
  readonly properties: Properties
}

/** Returns the schema of an object in which every property is required. */
export function object<P extends Properties>(
  properties: P,
  description: string,
): ObjectSchema<{ readonly [K in keyof P]: ValueOf<P[K]> }> {
  const required = Object.keys(properties)
  return { type: 'object', description, properties, required, additionalProperties: false }
}

/** Returns the properties of an object with the given names. */
export function pickProperties<T, K extends keyof T & string>(
  { properties }: ObjectSchema<T>,
  names: readonly K[],
): { readonly [N in K]: Schema<T[N]> } {
  const picked = names.map((name) => [name, properties[name]])
  return Object.fromEntries(picked) as { readonly [N in K]: Schema<T[N]> }
}

/** Returns the schema of an object that OpenAPI publishes once under its title. */
export function titledObject<P extends Properties>(title: string, description: string, properties: P) {
  return { title, ...object(properties, description) }
}

/** Returns the schema of the objects of a resource, with the fields that every resource has. */
export function resourceObject<const O extends string, P extends Properties>(
  name: O,
  description: string,
  properties: P,
) {
  const common = {
    id: id(`The id of the ${name.replaceAll('_', ' ')}.`),
    object: constant(name, 'The type of the object.'),
    created: timestamp('Creation time of the object, on its test clock or in real time.'),
    livemode: constant(false, 'Always false: no real money moves.'),
  }
  return titledObject(name, description, { ...common, ...properties })
}

/** Returns the schema of a deleted object: `id`, `object` and `deleted: true`. */
export function deletedObject<const O extends string>(name: O, description: string) {
  return titledObject(`deleted_${name}`, description, {
    id: id(`The id of the ${name.replaceAll('_', ' ')}.`),
    object: constant(name, 'The type of the object.'),
    deleted: constant(true, 'Always true.'),
  })
}

/** Returns the schema of a constant. */
export function constant<const T extends string | boolean>(value: T, description: string): Schema<T> {
  return { type: typeof value, const: value, description }
}

/** Returns the schema of one of several strings or integers. */
export function enumOf<const T extends string | number>(
  values: readonly T[],
  description: string,
): Schema<T> {
  return { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: values, description }
}

/** Returns the schema of a string. */
export function text(description: string): Schema<string> {
  return { type: 'string', description }
}

/** Returns the schema of an opaque id of up to 255 characters. */
export function id(description: string): Schema<string> {
  return { type: 'string', maxLength: 255, description }
}

/** Returns the schema of an absolute http or https URL. */
export function url(description: string): Schema<string> {
  return { type: 'string', format: 'url', description }
}

/** Returns the schema of a timestamp in Unix seconds. */
export function timestamp(description: string): Schema<number> {
  return { type: 'integer', minimum: 0, description: `${description} In Unix seconds.` }
}

/** Returns the schema of an amount in minor units. */
export function amount(description: string): Schema<number> {
  const unit = 'In minor units: 1250 with eur is 12.50 EUR.'
  return {
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description} ${unit}`,
  }
}

/** Returns the schema of an amount in minor units that may be negative, such as a credit. */
export function signedAmount(description: string): Schema<number> {
  return { ...amount(description), minimum: -Number.MAX_SAFE_INTEGER }
}

/** Returns the schema of an integer with a minimum. */
export function integer(minimum: number, description: string): Schema<number> {
  return { type: 'integer', minimum, description }
}

/** Returns the schema of a boolean. */
export function boolean(description: string): Schema<boolean> {
  return { type: 'boolean', description }
}

/** Returns the schema of a percentage from 0 to 100 with at most four decimals. */
export function percent(description: string): Schema<number> {
  return { type: 'number', format: 'tax-percent', description }
}

/** Returns the schema of a percentage over 0, up to 100, with at most two decimals. */
export function percentOff(description: string): Schema<number> {
  return { type: 'number', format: 'percent-off', description }
}

/** Returns the schema of a lower-case ISO 4217 currency code. */
export function currencyCode(description: string): Schema<string> {
  return { type: 'string', format: 'currency', description }
}

/** Returns the schema of an array. */
export function arrayOf<T>(items: Schema<T>, description: string): Schema<readonly T[]> {
  return { type: 'array', items: items as Schema<unknown>, description }
}

/** Returns the schema of an object with one credit per currency: negative amounts in minor units. */
export function creditsByCurrency(description: string): Schema<Readonly<Record<string, number>>> {
  const additionalProperties = { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: -1 }
  return { type: 'object', additionalProperties, description }
}

/** Returns the schema of an object with string values, such as metadata. */
export function textMap(description: string): Schema<Readonly<Record<string, string>>> {
  return { type: 'object', additionalProperties: { type: 'string' }, description }
}

/** Returns the schema of a value or null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  const { title, type, enum: values, description = '' } = schema
  if (title !== undefined) return { anyOf: [schema as Schema<unknown>, { type: 'null' }], description }
  const either = { ...schema, type: [type ?? [], 'null'].flat() }
  return (values === undefined ? either : { ...either, enum: [...values, null] }) as Schema<T | null>
}

/** Returns whether the schema of a single value allows null; returns false if the schema is undefined. */
export function isNullable(schema: Schema<unknown> | undefined): boolean {
  return [schema?.type].flat().includes('null')
}

/** Returns the schema of one of two types. */
export function anyOf<A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> {
  return { anyOf: [a as Schema<unknown>, b as Schema<unknown>] }
}

/** The schema of `metadata`. */
export const metadata = textMap('Your own data: string values by key.')

/** The last fields of most resources. */
export const metadataAndClockProperties = {
  metadata,
  test_clock: nullable(id('The test clock of the object; null for real time.')),
}

/** Returns the schema of an object with its secrets, which only some responses contain. */
export function withSecrets<T, P extends Properties>(
  { properties }: ObjectSchema<T>,
  title: string,
  description: string,
  secrets: P,
): ObjectSchema<T & { readonly [K in keyof P]: ValueOf<P[K]> }> {
  return titledObject(title, description, { ...properties, ...secrets }) as ObjectSchema<
    T & { readonly [K in keyof P]: ValueOf<P[K]> }
  >
}
