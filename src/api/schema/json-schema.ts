import { FORMATS } from './formats.ts'
import type { Schema } from './schema.ts'

/** A schema in the words of JSON Schema 2020-12 alone. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Writes schemas for others to read: what has a title is written once, in `components`, and referred to. */
export interface Publisher {
  readonly publish: (schema: Schema<unknown>) => JsonSchema
  readonly components: Readonly<Record<string, JsonSchema>>
}

const CURRENCY: Schema<string> = {
  title: 'currency',
  type: 'string',
  format: 'currency',
  description: 'The lower-case code of a national currency of ISO 4217.',
}

/** A publisher with no components yet. */
export function createPublisher(): Publisher {
  const components: Record<string, JsonSchema> = {}
  const publish = (schema: Schema<unknown>): JsonSchema => {
    const named = schema.format === 'currency' && schema.title === undefined ? CURRENCY : schema
    if (named.title === undefined) return written(schema, publish)
    components[named.title] ??= written(named, publish)
    const own = named === schema ? {} : { description: schema.description }
    return { $ref: `#/components/schemas/${named.title}`, ...own }
  }
  return { publish, components }
}

type Publish = Publisher['publish']

function written(schema: Schema<unknown>, publish: Publish): JsonSchema {
  const { title: _title, errorCodes: _codes, format = '', ...rest } = schema
  const { items, properties, anyOf, additionalProperties, required, ...plain } = rest
  const standard = FORMATS[format]?.standard ?? {}
  // A choice between shapes has its types inside.
  const { type: _type, ...untyped } = plain
  return {
    ...('anyOf' in standard ? untyped : plain),
    ...standard,
    ...(required === undefined || required.length === 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: publish(items) }),
    ...(properties === undefined ? {} : { properties: publishedAll(properties, publish) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(publish) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: publish(additionalProperties) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  }
}

function publishedAll(
  properties: Readonly<Record<string, Schema<unknown>>>,
  publish: Publish,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, publish(inner)]))
}
