import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'
import { operations, toSnakeCase } from '../api.ts'
import type { AnyOperation } from '../core/operation.ts'
import { EXAMPLE_IDS } from '../operations/example-requests.ts'
import type { ResourceName } from '../resources/catalog.ts'
import type { JsonSchema, SchemaRegistry } from '../schema/json-schema.ts'
import {
  createOperationResponses,
  type OpenApiMedia,
  type OpenApiReference,
  type OpenApiResponse,
} from './openapi-responses.ts'

/** A parameter of the path, the query or a header. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: string
  readonly style?: string
  readonly explode?: boolean
}

/** An operation, or the webhook of an event type. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly (OpenApiParameter | OpenApiReference)[]
  readonly requestBody?: {
    readonly description?: string
    readonly required: boolean
    readonly content: Readonly<Record<string, OpenApiMedia>>
  }
  readonly responses: Readonly<Record<string, OpenApiResponse | OpenApiReference>>
  readonly security?: readonly object[]
}

/** Returns all operations by path and lower-case method. */
export function createOpenApiPaths(
  registry: SchemaRegistry,
): Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>> {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const { name, operation } of operations) {
    const path = operation.path.replace(':id', '{id}')
    const described = {
      operationId: name,
      tags: [getResourceTag(name.slice(0, name.indexOf('.')))],
      parameters: toParameters(operation, registry),
      responses: createOperationResponses(operation, registry),
    }
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: createOpenApiOperation(described, operation, registry),
    }
  }
  return paths
}

/** Returns the tag of a resource and its operations, such as "Checkout sessions" for `checkoutSessions`. */
export function getResourceTag(group: string): string {
  const words = toSnakeCase(group).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the OpenAPI operation of an API operation or a stream route, with descriptions and request body. */
export function createOpenApiOperation(
  { operationId, tags, parameters = [], responses }: Omit<OpenApiOperation, 'summary' | 'description'>,
  operation: Pick<AnyOperation, 'method' | 'path' | 'summary' | 'description' | 'params' | 'example'>,
  registry: SchemaRegistry,
): OpenApiOperation {
  const { summary, description } = operation
  const requestBody = toRequestBody(operation, registry)
  return {
    operationId,
    summary,
    description,
    tags,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
  }
}

function toParameters(
  operation: AnyOperation,
  registry: SchemaRegistry,
): (OpenApiParameter | OpenApiReference)[] {
  const { id, ...others } = operation.params.properties
  const inPath: OpenApiParameter[] =
    id === undefined || !operation.path.includes(':id')
      ? []
      : [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: id.description ?? '',
            schema: withoutDescription(registry.toJsonSchema(id)),
            example: exampleIdIn(operation.path),
          },
        ]
  if (operation.method === 'POST') return [...inPath, { $ref: '#/components/parameters/idempotency_key' }]
  return [...inPath, ...createQueryParameters(operation.params, others, registry)]
}

// Returns the example id for a path: a customer id for `/v1/customers/:id/payment_methods`.
function exampleIdIn(path: string): string {
  const [, collection = ''] = /([^/]+)\/:id/.exec(path) ?? []
  return EXAMPLE_IDS[collection as ResourceName]
}

/** Returns the query parameters for properties of a schema. */
export function createQueryParameters(
  { required = [] }: ObjectSchema<unknown>,
  properties: ObjectSchema<unknown>['properties'],
  registry: SchemaRegistry,
): OpenApiParameter[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.format === 'range'
      ? rangeParameters(name, schema, registry)
      : [queryParameter(name, { schema, isRequired: required.includes(name) }, registry)],
  )
}

// `parseQuery` expects a list as `types[]=a&types[]=b`.
function queryParameter(
  name: string,
  { schema, isRequired }: { readonly schema: Schema<unknown>; readonly isRequired: boolean },
  { toJsonSchema }: SchemaRegistry,
): OpenApiParameter {
  const isList = schema.type === 'array'
  return {
    name: isList ? `${name}[]` : name,
    in: 'query',
    required: isRequired,
    description: schema.description ?? '',
    ...(isList ? { style: 'form', explode: true } : {}),
    schema: withoutDescription(toJsonSchema(schema)),
  }
}

const BOUND_DESCRIPTIONS = {
  gt: 'greater than this',
  gte: 'this or greater',
  lt: 'less than this',
  lte: 'this or less',
}

// One parameter per bound, such as `created[gte]`: few generated clients support the style `deepObject`.
function rangeParameters(
  name: string,
  range: Schema<unknown>,
  { toJsonSchema }: SchemaRegistry,
): OpenApiParameter[] {
  const bounds = Object.entries(BOUND_DESCRIPTIONS).map(
    ([bound, meaning]) => [`${name}[${bound}]`, meaning] as const,
  )
  const exact = [name, 'exactly this; use it without bounds'] as const
  const schema = withoutDescription(toJsonSchema(range.properties?.['gte'] ?? { type: 'integer' }))
  return [exact, ...bounds].map(([parameter, meaning]) => ({
    name: parameter,
    in: 'query',
    required: false,
    description: `Only objects whose \`${name}\` is ${meaning}.`,
    schema,
  }))
}

/**
 * Returns the request body of a POST; undefined for other methods. Without parameters, the body is an optional empty
 * object.
 */
function toRequestBody(
  operation: Pick<AnyOperation, 'method' | 'path' | 'params' | 'example'>,
  { toJsonSchema }: SchemaRegistry,
): OpenApiOperation['requestBody'] {
  if (operation.method !== 'POST') return undefined
  const { id: _id, ...others } = operation.params.properties
  const properties = operation.path.includes(':id') ? others : operation.params.properties
  const required = (operation.params.required ?? []).filter((name) => name !== 'id')
  const body: ObjectSchema<unknown> = { ...(operation.params as ObjectSchema<unknown>), properties, required }
  const isEmpty = Object.keys(properties).length === 0
  const example = operation.example === undefined ? {} : { example: operation.example }
  return {
    ...(isEmpty ? { description: 'There are no parameters: send no body or an empty object.' } : {}),
    required: required.length > 0,
    content: { 'application/json': { schema: toJsonSchema(body), ...example } },
  }
}

// Removes the description of a schema, because a parameter has its own description.
function withoutDescription({ description: _description, ...schema }: JsonSchema): JsonSchema {
  return schema
}
