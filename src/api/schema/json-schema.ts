import { isNullable, type Schema } from '../../domain/core/schema.ts'
import { FORMATS } from './formats.ts'

/** A schema with only the keywords of JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Converts schemas to JSON Schema; a schema with a title becomes a component that other schemas reference. */
export interface SchemaRegistry {
  readonly toJsonSchema: (schema: Schema<unknown>) => JsonSchema
  readonly components: Readonly<Record<string, JsonSchema>>
}

const CURRENCY: Schema<string> = {
  title: 'currency',
  type: 'string',
  format: 'currency',
  description: 'The lower-case code of a national currency of ISO 4217.',
}

/** Returns a registry without components. */
export function createSchemaRegistry(): SchemaRegistry {
  const components: Record<string, JsonSchema> = {}
  const toJsonSchema = (schema: Schema<unknown>): JsonSchema => {
    const named = schema.format === 'currency' && schema.title === undefined ? CURRENCY : schema
    if (named.title === undefined) return writeSchema(schema, toJsonSchema)
    components[named.title] ??= writeSchema(named, toJsonSchema)
    const own = named === schema ? {} : { description: schema.description }
    const reference = { $ref: `#/components/schemas/${named.title}` }
    return { ...(isNullable(schema) ? { anyOf: [reference, { type: 'null' }] } : reference), ...own }
  }
  return { toJsonSchema, components }
}

type ToJsonSchema = SchemaRegistry['toJsonSchema']

function writeSchema(schema: Schema<unknown>, toJsonSchema: ToJsonSchema): JsonSchema {
  const { title: _title, errorCodes: _codes, format = '', ...rest } = schema
  const { items, properties, anyOf, additionalProperties, required, ...plain } = rest
  const standard = FORMATS[format]?.jsonSchema ?? {}
  // With `anyOf`, only the alternatives have a type.
  const { type: _type, ...untyped } = plain
  return {
    ...('anyOf' in standard ? untyped : plain),
    ...standard,
    ...(required === undefined || required.length === 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: toJsonSchema(items) }),
    ...(properties === undefined ? {} : { properties: writeProperties(properties, toJsonSchema) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(toJsonSchema) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: toJsonSchema(additionalProperties) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  }
}

function writeProperties(
  properties: Readonly<Record<string, Schema<unknown>>>,
  toJsonSchema: ToJsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, toJsonSchema(inner)]))
}
