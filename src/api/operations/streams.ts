import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import * as p from '../../domain/core/params.ts'
import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'
import { nullable } from '../../domain/core/schema.ts'
import { eventSchema } from '../../domain/events/events.ts'
import { DELIVERY_ERRORS, type DeliveryError } from '../../domain/events/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS } from '../../domain/events/webhook-endpoints.ts'
import { requestLogSchema } from '../../domain/requests/request-logs.ts'
import type { HttpMethod } from '../core/operation.ts'
import {
  logsGapSchema,
  logsReadySchema,
  streamCloseSchema,
  streamGapSchema,
  streamLeaveResponseSchema,
  streamOfferSchema,
  streamReadySchema,
  streamResultResponseSchema,
  streamSandboxResetSchema,
  streamTargetSchema,
} from '../resources/stream-messages.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import { requestLogFilters } from './request-logs.ts'

const MAX_BODY_CHARACTERS = 65_536

/** A route of the streaming API, which is not an operation of the typed client. */
export interface StreamRoute<P> {
  readonly method: HttpMethod
  readonly path: string
  /** The scope that a restricted key needs. */
  readonly scope: string
  readonly summary: string
  readonly params: ObjectSchema<P>
  readonly description: string
  /** In the body of a stream route, null is a value of a parameter instead of an omitted parameter. */
  readonly nulls: 'unset'
  readonly responses: StreamResponseSchemas
  readonly example?: object
}

/** The schema of a JSON response, or of the server-sent events of a stream by event name. */
export type StreamResponseSchemas =
  | { readonly json: Schema<unknown> }
  | { readonly events: Readonly<Record<string, Schema<unknown>>> }

function streamRoute<P>(route: Omit<StreamRoute<P>, 'nulls'>): StreamRoute<P> {
  return { ...route, nulls: 'unset' }
}

const optionalText = (max: number, description: string) => ({
  ...nullable(p.text(max, description)),
  minLength: 0,
})

// Unlike other strings, a response body may contain control characters.
const responseBody: Schema<string | null> = {
  type: ['string', 'null'],
  maxLength: MAX_BODY_CHARACTERS,
  description: 'Response body of your handler.',
}

const deliveryError: Schema<DeliveryError | null> = {
  type: ['string', 'null'],
  enum: [...DELIVERY_ERRORS, null],
  description: 'Error code of a failed attempt.',
}

/** The event stream, the request log stream, and the routes with which listeners report the results of deliveries. */
export const streamRoutes = {
  events: streamRoute({
    method: 'GET',
    path: '/v1/stream',
    scope: 'events:read',
    summary: 'Streams events as server-sent events; `id` is the `sequence` of the event.',
    description:
      'Keeps the connection open and sends each new event. To resume after a disconnection without a gap, send the last `id` as `Last-Event-ID`. `types[]` limits the types. `paycli listen` uses the `forward[]` parameter to receive webhook deliveries.',
    params: p.shape(
      {},
      {
        types: p.list(
          p.choice(EVENT_TYPES, 'An event type.'),
          EVENT_TYPES.length,
          'Only events of these types.',
        ),
        after: p.integer(
          { min: 0 },
          'Starts after the event with this `sequence` (default: only new events).',
        ),
        secret: p.choice(
          ['yes'],
          'Includes the signing secret of the forwarded deliveries. Requires webhook_endpoints:write.',
        ),
        forward: p.list(
          p.text(8192, 'Comma-separated event types or prefixes, an equals sign, and a URL.'),
          MAX_WEBHOOK_ENDPOINTS,
          'Forwarding rules of this listener, such as `invoice.*=http://127.0.0.1:3000/`. Requires webhook_endpoints:write.',
        ),
      },
    ),
    responses: {
      events: {
        ...{
          ready: streamReadySchema,
          event: eventSchema,
          offer: streamOfferSchema,
          target: streamTargetSchema,
        },
        ...{ reset: streamGapSchema, 'sandbox.reset': streamSandboxResetSchema, close: streamCloseSchema },
      },
    },
  }),
  requestLogs: streamRoute({
    method: 'GET',
    path: '/v1/stream/request_logs',
    scope: 'request_logs:read',
    summary: 'Streams request log entries as server-sent events; `id` is the id of the request.',
    description:
      'Keeps the connection open and sends an entry for each completed request. To resume after a disconnection, send the last `id` as `Last-Event-ID`. `paycli logs tail` uses this stream.',
    params: p.shape(
      {},
      {
        after: p.id(
          'Starts after the request with this id (default: only new requests). 0 starts with the oldest request.',
        ),
        ...requestLogFilters,
        status: p.range('Bounds of `status`.'),
      },
    ),
    responses: {
      events: {
        ready: logsReadySchema,
        request_log: requestLogSchema,
        reset: logsGapSchema,
        close: streamCloseSchema,
      },
    },
  }),
  report: streamRoute({
    method: 'POST',
    path: '/v1/stream/results',
    scope: 'webhook_endpoints:write',
    summary: 'Reports the result of a forwarded delivery.',
    description:
      'Programs that forward deliveries, such as `paycli listen`, post the response of the handler or the error. The result counts as an ordinary delivery attempt.',
    params: p.shape(
      { delivery: p.id('The id of the delivery.') },
      {
        skipped: p.boolean('Whether the listener skipped the event.'),
        http_status: nullable(p.integer({ min: 100, max: 999 }, 'HTTP status of the response.')),
        error: deliveryError,
        error_message: optionalText(2000, 'Message of a failed attempt.'),
        duration_ms: p.integer({ min: 0 }, 'Duration of the attempt in milliseconds.'),
        response_body: responseBody,
        response_body_truncated: p.boolean('Whether `response_body` is truncated.'),
        retry_after: optionalText(200, 'Retry-After header of the response.'),
      },
    ),
    responses: { json: streamResultResponseSchema },
    example: { delivery: EXAMPLE_IDS.webhook_deliveries, http_status: 200, duration_ms: 12 },
  }),
  leave: streamRoute({
    method: 'POST',
    path: '/v1/stream/leave',
    scope: 'webhook_endpoints:write',
    summary: 'Ends a forwarding stream and releases its leased deliveries.',
    description:
      'Programs that forward deliveries call this route before they disconnect, so that offered deliveries do not wait until their lease expires.',
    params: p.shape(
      { reader: p.id('The `reader` of the `ready` event of the stream.') },
      {
        webhook_endpoints: p.list(
          p.id('A webhook endpoint.'),
          MAX_WEBHOOK_ENDPOINTS,
          'Webhook endpoints whose listener ends permanently (default: none).',
        ),
      },
    ),
    responses: { json: streamLeaveResponseSchema },
    example: { reader: 'Zk8LrT5mYpJc7XdF', webhook_endpoints: [EXAMPLE_IDS.webhook_endpoints] },
  }),
} as const
