import { EVENT_TYPES } from '../../domain/event-types.ts'
import { DELIVERY_ERRORS, type DeliveryError } from '../../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS } from '../../domain/webhook-endpoints.ts'
import type { Method } from '../core/operation.ts'
import { event } from '../resources/events.ts'
import { requestLog } from '../resources/request-logs.ts'
import {
  logsReady,
  logsReset,
  streamClose,
  streamLeave,
  streamOffer,
  streamReady,
  streamReset,
  streamResult,
  streamTarget,
} from '../resources/streams.ts'
import {
  choice,
  flag,
  id,
  integer,
  list,
  nullable,
  type ObjectSchema,
  range,
  type Schema,
  shape,
  text,
} from '../schema/schema.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import { logFilters } from './request-logs.ts'

const MAX_BODY_CHARACTERS = 65_536

/** A route beside the operations: it has no answer of its own, or is of no use but to who reads a stream. */
export interface StreamRoute<P> {
  readonly method: Method
  readonly path: string
  /** What a restricted key needs. */
  readonly scope: string
  readonly summary: string
  readonly params: ObjectSchema<P>
  /** Null is a value here. */
  readonly nulls: 'unset'
  readonly answers: StreamAnswers
  readonly example?: object
}

/** The one JSON document of an answer, or the server-sent events of a stream by their names. */
export type StreamAnswers =
  | { readonly json: Schema<unknown> }
  | { readonly events: Readonly<Record<string, Schema<unknown>>> }

function streamRoute<P>(route: Omit<StreamRoute<P>, 'nulls'>): StreamRoute<P> {
  return { ...route, nulls: 'unset' }
}

const optionalText = (max: number, description: string) => ({
  ...nullable(text(max, description)),
  minLength: 0,
})

// What a receiver answers may hold anything; the sender has made it printable.
const answeredBody: Schema<string | null> = {
  type: ['string', 'null'],
  maxLength: MAX_BODY_CHARACTERS,
  description: 'What was answered.',
}

const failure: Schema<DeliveryError | null> = {
  type: ['string', 'null'],
  enum: [...DELIVERY_ERRORS, null],
  description: 'Why it failed.',
}

/** What is read as it happens, and where listeners report. */
export const streams = {
  events: streamRoute({
    method: 'GET',
    path: '/v1/stream',
    scope: 'events:read',
    summary:
      'Tells of events as they happen, as server-sent events: `id` is the place in the sequence. With `forward`, which needs webhook_endpoints:write, it offers deliveries to be sent as well.',
    params: shape(
      {},
      {
        types: list(choice(EVENT_TYPES, 'A type.'), EVENT_TYPES.length, 'Only events of these types.'),
        after: integer({ min: 0 }, 'Begin after this place in the sequence; with what comes unless given.'),
        secret: choice(['yes'], 'Say what signs what is forwarded; needs webhook_endpoints:write.'),
        forward: list(
          text(8192, 'Types or patterns with commas between, =, and a URL.'),
          MAX_WEBHOOK_ENDPOINTS,
          'What this listener sends on, and where to, such as `invoice.*=http://127.0.0.1:3000/`.',
        ),
      },
    ),
    answers: {
      events: {
        ...{ ready: streamReady, event, offer: streamOffer, target: streamTarget },
        ...{ reset: streamReset, close: streamClose },
      },
    },
  }),
  requestLogs: streamRoute({
    method: 'GET',
    path: '/v1/stream/request_logs',
    scope: 'request_logs:read',
    summary:
      'Tells of requests to the API as they are answered, as server-sent events: `id` is that of the request.',
    params: shape(
      {},
      {
        after: id('Begin after this request, or with 0 at the oldest; with what comes unless given.'),
        ...logFilters,
        status: range('Bounds of `status`.'),
      },
    ),
    answers: { events: { ready: logsReady, request_log: requestLog, reset: logsReset, close: streamClose } },
  }),
  report: streamRoute({
    method: 'POST',
    path: '/v1/stream/results',
    scope: 'webhook_endpoints:write',
    summary: 'Tells what came of sending a delivery that a stream offered.',
    params: shape(
      { delivery: id('The delivery that was offered.') },
      {
        skipped: flag('Whether the listener leaves the event out.'),
        http_status: nullable(integer({ min: 100, max: 999 }, 'The status that was answered.')),
        error: failure,
        error_message: optionalText(2000, 'The failure in a sentence.'),
        duration_ms: integer({ min: 0 }, 'How long it took.'),
        response_body: answeredBody,
        response_body_truncated: flag('Whether that is only its beginning.'),
        retry_after: optionalText(200, 'The Retry-After header that was answered.'),
      },
    ),
    answers: { json: streamResult },
    example: { delivery: EXAMPLE_IDS.whd_, http_status: 200, duration_ms: 12 },
  }),
  leave: streamRoute({
    method: 'POST',
    path: '/v1/stream/leave',
    scope: 'webhook_endpoints:write',
    summary:
      'Ends a stream that sends for targets, so that nobody waits for it: what is on offer to it is offered anew.',
    params: shape(
      { reader: id('The reader that leaves, as the stream named it.') },
      {
        webhook_endpoints: list(
          id('An endpoint.'),
          MAX_WEBHOOK_ENDPOINTS,
          'Those that are not sent for any more; none unless given, as when its listener comes back.',
        ),
      },
    ),
    answers: { json: streamLeave },
    example: { reader: 'Zk8LrT5mYpJc7XdF', webhook_endpoints: [EXAMPLE_IDS.we_] },
  }),
} as const
