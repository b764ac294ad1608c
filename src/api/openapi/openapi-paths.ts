import type { AnyOperation } from '../core/operation.ts'
import type { JsonSchema, Publisher } from '../schema/json-schema.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { type OpenApiMedia, type OpenApiResponse, type Referred, responsesOf } from './openapi-responses.ts'
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.ts'

/** A parameter outside the body. */
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

/** One operation, or one kind of delivery. */
export interface OpenApiOperation {
  readonly operationId?: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Referred<OpenApiParameter>[]
  readonly requestBody?: {
    readonly description?: string
    readonly required: boolean
    readonly content: Readonly<Record<string, OpenApiMedia>>
  }
  readonly responses: Readonly<Record<string, Referred<OpenApiResponse>>>
  readonly security?: readonly object[]
}

/** Operations by path and method in lower case. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>

/** An operation with its name and the heading it stands under. */
export interface NamedOperation {
  readonly name: string
  readonly tag: string
  readonly operation: AnyOperation
  /** An id that could stand in its path. */
  readonly exampleId: string
}

/** Every operation at its path. */
export function pathsOf(named: readonly NamedOperation[], publisher: Publisher): OpenApiPaths {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const each of named) {
    const path = each.operation.path.replace(':id', '{id}')
    paths[path] = { ...paths[path], [each.operation.method.toLowerCase()]: entryOf(each, publisher) }
  }
  return paths
}

function entryOf(named: NamedOperation, publisher: Publisher): OpenApiOperation {
  const { name, tag, operation } = named
  const parameters = parametersOf(named, publisher)
  const requestBody = bodyOf(operation, publisher)
  return {
    operationId: name,
    summary: operation.summary,
    description: OPERATION_DESCRIPTIONS[name] ?? '',
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, publisher),
  }
}

function parametersOf(
  { operation, exampleId }: NamedOperation,
  publisher: Publisher,
): Referred<OpenApiParameter>[] {
  const { id, ...others } = operation.params.properties
  const inPath: OpenApiParameter[] =
    id === undefined
      ? []
      : [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: id.description ?? '',
            schema: wordless(publisher.publish(id)),
            example: exampleId,
          },
        ]
  if (operation.method === 'POST') return [...inPath, { $ref: '#/components/parameters/idempotency_key' }]
  return [...inPath, ...queryParameters(operation.params, others, publisher)]
}

/** The parameters of a query: these properties of a schema. */
export function queryParameters(
  { required = [] }: ObjectSchema<never>,
  properties: ObjectSchema<never>['properties'],
  publisher: Publisher,
): OpenApiParameter[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.format === 'range'
      ? rangeParameters(name, schema, publisher)
      : [queryParameter(name, { schema, isRequired: required.includes(name) }, publisher)],
  )
}

// As the query is read: `types[]=a&types[]=b` for a list.
function queryParameter(
  name: string,
  { schema, isRequired }: { readonly schema: Schema<unknown>; readonly isRequired: boolean },
  { publish }: Publisher,
): OpenApiParameter {
  const isList = schema.type === 'array'
  return {
    name: isList ? `${name}[]` : name,
    in: 'query',
    required: isRequired,
    description: schema.description ?? '',
    ...(isList ? { style: 'form', explode: true } : {}),
    schema: wordless(publish(schema)),
  }
}

/** The bounds of a range, as they are described. */
const BOUNDS = { gt: 'greater than this', gte: 'this or greater', lt: 'less than this', lte: 'this or less' }

// One parameter for each bound, such as `created[gte]`: few generated clients can write the style `deepObject`.
function rangeParameters(name: string, range: Schema<unknown>, { publish }: Publisher): OpenApiParameter[] {
  const bounds = Object.entries(BOUNDS).map(([bound, words]) => [`${name}[${bound}]`, words] as const)
  const exact = [name, 'exactly this; use it without bounds'] as const
  const schema = wordless(publish(range.properties?.['gte'] ?? { type: 'integer' }))
  return [exact, ...bounds].map(([parameter, words]) => ({
    name: parameter,
    in: 'query',
    required: false,
    description: `Only objects whose \`${name}\` is ${words}.`,
    schema,
  }))
}

/** The body of a POST, an optional empty object where there are no parameters; undefined for other methods. */
export function bodyOf(
  operation: Pick<AnyOperation, 'method' | 'params' | 'example'>,
  { publish }: Publisher,
): OpenApiOperation['requestBody'] {
  if (operation.method !== 'POST') return undefined
  const { id: _id, ...properties } = operation.params.properties
  const required = (operation.params.required ?? []).filter((name) => name !== 'id')
  const body: ObjectSchema<unknown> = { ...(operation.params as ObjectSchema<unknown>), properties, required }
  const isEmpty = Object.keys(properties).length === 0
  const example = operation.example === undefined ? {} : { example: operation.example }
  return {
    ...(isEmpty ? { description: 'There are no parameters: send no body or an empty object.' } : {}),
    required: required.length > 0,
    content: { 'application/json': { schema: publish(body), ...example } },
  }
}

// A parameter is described beside its schema.
function wordless({ description: _description, ...schema }: JsonSchema): JsonSchema {
  return schema
}
