import type { Schema } from '../../domain/core/schema.ts'
import { type StreamRoute, streamRoutes } from '../operations/streams.ts'
import type { JsonSchema, SchemaRegistry } from '../schema/json-schema.ts'
import {
  createOpenApiOperation,
  createQueryParameters,
  type OpenApiOperation,
  type OpenApiParameter,
} from './openapi-paths.ts'
import { COMMON_HEADERS, createErrorReferences, createOpenApiResponse } from './openapi-responses.ts'

/** The tag of streams. */
export const STREAMS_TAG = 'Streams'

/** The media type of server-sent events. */
export const EVENT_STREAM_MEDIA_TYPE = 'text/event-stream'

const READ_STATUSES = [400, 401, 403, 414, 429, 500, 503]
const REPORT_STATUSES = [400, 401, 403, 413, 414, 415, 500, 503]

const LAST_EVENT_ID: OpenApiParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Resumes after this `id`, the last `id` that the client received; overrides `after`.',
  schema: { type: 'string', maxLength: 255 },
}

/** Returns the stream routes by path and method. */
export function createStreamPaths(
  registry: SchemaRegistry,
): Record<string, Readonly<Record<string, OpenApiOperation>>> {
  return Object.fromEntries(
    Object.entries(streamRoutes).map(([name, route]) => [
      route.path,
      { [route.method.toLowerCase()]: toOpenApiOperation(name, route, registry) },
    ]),
  )
}

function toOpenApiOperation(
  name: string,
  route: StreamRoute<unknown>,
  registry: SchemaRegistry,
): OpenApiOperation {
  const { params, responses } = route
  const isRead = route.method === 'GET'
  const success =
    'events' in responses
      ? streamResponse(responses.events, registry)
      : createOpenApiResponse(COMMON_HEADERS, responses.json, registry)
  const described = {
    operationId: `streams.${name}`,
    tags: [STREAMS_TAG],
    parameters: isRead ? [...createQueryParameters(params, params.properties, registry), LAST_EVENT_ID] : [],
    responses: { 200: success, ...createErrorReferences(isRead ? READ_STATUSES : REPORT_STATUSES) },
  }
  return createOpenApiOperation(described, route, registry)
}

// OpenAPI 3.1 cannot describe the events of a stream: `contentSchema` lists their data, `x-events` has their names.
function streamResponse(events: Readonly<Record<string, Schema<unknown>>>, { toJsonSchema }: SchemaRegistry) {
  const schemas: Record<string, JsonSchema> = {}
  for (const [name, data] of Object.entries(events)) schemas[name] = toJsonSchema(data)
  const lines = Object.entries(events).map(([name, { description = '' }]) => `- \`${name}\`: ${description}`)
  const schema = {
    type: 'string',
    contentMediaType: EVENT_STREAM_MEDIA_TYPE,
    contentSchema: { anyOf: Object.values(schemas) },
  }
  return {
    description: `An endless stream of server-sent events. After 15 seconds without an event, the server sends a comment; it closes a stream whose client does not read for 45 seconds. The limit is 100 open streams per key of the default sandbox, 50 per other sandbox, and 500 in total; above it the response is 429 \`stream_limit\`. The data of each event is JSON:\n\n${lines.join('\n')}`,
    headers: COMMON_HEADERS,
    content: { [EVENT_STREAM_MEDIA_TYPE]: { schema, 'x-events': schemas } },
  }
}
