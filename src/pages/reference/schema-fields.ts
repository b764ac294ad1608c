import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import type { JsonSchema } from '../../api/schema/json-schema.ts'

/** A field of an object or a parameter of a request, as a row of the reference. */
export interface FieldRow {
  /** The path of the field, such as `items[].price_data.amount`. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

/** Maximum number of shown values; a longer list is shortened. */
const MAX_VALUES = 12

/** Returns the component to which a reference refers; returns any other value unchanged. */
export function resolveOpenApiReference<Value extends object>(
  value: Value | { readonly $ref: string },
  document: OpenApiDocument,
): Value {
  if (!('$ref' in value)) return value
  const [, , kind = '', name = ''] = String(value.$ref).split('/')
  const components = document.components as unknown as Record<string, Record<string, Value>>
  return { ...components[kind]?.[name], ...value } as Value
}

/** Returns the fields of a schema and of its nested objects. */
export function listFields(schema: JsonSchema, document: OpenApiDocument, prefix = ''): FieldRow[] {
  const { properties = {}, required = [] } = resolveOpenApiReference(schema, document)
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(([key, reference]) => {
    const property = resolveOpenApiReference(reference, document)
    const name = prefix + key
    const row = {
      name,
      type: describeType(property),
      isRequired: (required as readonly string[]).includes(key),
      description: String(property['description'] ?? ''),
    }
    const isList = property['type'] === 'array'
    const nested = isList ? (property['items'] as JsonSchema) : property
    return [row, ...listFields(nested, document, isList ? `${name}[].` : `${name}.`)]
  })
}

/** Describes the type of a schema with its values, such as `string or null: month, year`. */
export function describeType({ type, enum: values, const: value, anyOf }: JsonSchema): string {
  if (anyOf !== undefined) return 'any of several types'
  const name = [type].flat().join(' or ')
  const listed = ((values ?? (value === undefined ? [] : [value])) as readonly unknown[]).filter(
    (one) => one !== null,
  )
  if (listed.length === 0) return name
  return `${name}: ${listed.slice(0, MAX_VALUES).join(', ')}${listed.length > MAX_VALUES ? ', …' : ''}`
}
