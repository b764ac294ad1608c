import { type StreamRoute, streams } from '../operations/streams.ts'
import type { JsonSchema, Publisher } from '../schema/json-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { bodyOf, type OpenApiOperation, type OpenApiParameter, queryParameters } from './openapi-paths.ts'
import {
  errorReferences,
  mediaOf,
  type OpenApiResponse,
  OWN_HEADERS,
  type Referred,
} from './openapi-responses.ts'
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.ts'

/** The heading that streams stand under. */
export const STREAMS_TAG = 'Streams'

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream'

const READ_STATUSES = [400, 401, 403, 414, 429, 500, 503]
const REPORT_STATUSES = [400, 401, 403, 413, 414, 415, 500, 503]

const LAST_EVENT_ID: OpenApiParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The last `id` that was read, to go on after it; leads before `after`.',
  schema: { type: 'string', maxLength: 255 },
}

/** The routes of the streams at their paths. */
export function streamPathsOf(
  publisher: Publisher,
): Record<string, Readonly<Record<string, OpenApiOperation>>> {
  return Object.fromEntries(
    Object.entries(streams).map(([name, route]) => [
      route.path,
      { [route.method.toLowerCase()]: entryOf(name, route as StreamRoute<never>, publisher) },
    ]),
  )
}

function entryOf(name: string, route: StreamRoute<never>, publisher: Publisher): OpenApiOperation {
  const { method, params, summary, answers } = route
  const isRead = method === 'GET'
  const requestBody = isRead ? undefined : bodyOf(route, publisher)
  return {
    operationId: `streams.${name}`,
    summary,
    description: OPERATION_DESCRIPTIONS[`streams.${name}`] ?? '',
    tags: [STREAMS_TAG],
    ...(isRead
      ? { parameters: [...queryParameters(params, params.properties, publisher), LAST_EVENT_ID] }
      : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      200: 'events' in answers ? streamed(answers.events, publisher) : answered(answers.json, publisher),
      ...errorReferences(isRead ? READ_STATUSES : REPORT_STATUSES),
    },
  }
}

function answered(schema: Schema<unknown>, { publish }: Publisher): Referred<OpenApiResponse> {
  return {
    description: 'Done.',
    headers: OWN_HEADERS,
    content: { 'application/json': mediaOf(publish(schema)) },
  }
}

// OpenAPI 3.1 cannot describe single events of a stream: `contentSchema` lists their data, `x-events` names them.
function streamed(
  events: Readonly<Record<string, Schema<unknown>>>,
  { publish }: Publisher,
): OpenApiResponse {
  const published = Object.entries(events).map(([name, schema]): [string, JsonSchema] => [
    name,
    publish(schema),
  ])
  const lines = published.map(
    ([name], index) => `- \`${name}\`: ${Object.values(events)[index]?.description ?? ''}`,
  )
  const schema = {
    type: 'string',
    contentMediaType: EVENT_STREAM,
    contentSchema: { anyOf: published.map(([, data]) => data) },
  }
  return {
    description: `Server-sent events, without end. Every 15 seconds of silence there is a comment; a stream that is not read for 45 seconds is closed. One key may have 100 streams open, and the server 500 in all; one more is refused with 429 \`stream_limit\`. The data of each is JSON:\n\n${lines.join('\n')}`,
    headers: OWN_HEADERS,
    content: { [EVENT_STREAM]: { schema, 'x-events': Object.fromEntries(published) } },
  }
}
