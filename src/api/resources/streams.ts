import type { ValueOf } from '../schema/schema.ts'
import {
  arrayOf,
  boolean,
  constant,
  id,
  inferredObject,
  integer,
  nullable,
  object,
  oneOf,
  text,
  textMap,
  url,
} from './fields.ts'

interface DeliveryRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const reader = id('The id of this connection, needed to disconnect it.')
const database = text(
  'The id of the database, which differs from that of any other database at this address.',
)

/** The message with a changed target. */
export const streamTarget = inferredObject(
  'stream_target',
  'A target of this listener. It is sent again when its endpoint is updated, disabled, enabled or deleted.',
  {
    webhook_endpoint: id('The webhook endpoint of the target.'),
    url: url('The URL that receives events.'),
    enabled_events: arrayOf(
      text('An event type, a prefix such as `invoice.*`, or `*`.'),
      'The events that are sent to the target.',
    ),
    status: oneOf(
      ['enabled', 'disabled', 'deleted', 'taken'],
      'The status of its endpoint, or `taken` while a newer listener receives its deliveries. Only an enabled target is offered deliveries.',
    ),
  },
)

export type StreamTarget = ValueOf<typeof streamTarget>

/** The first message of an event stream. */
export const streamReady = inferredObject('stream_ready', 'The first message of an event stream.', {
  reader,
  sequence: integer(0, 'The sequence number after which the stream starts.'),
  database,
  webhook_secret: nullable(
    text('The secret that signs offered deliveries; null if the API key may not read it.'),
  ),
  targets: arrayOf(streamTarget, 'The targets of this listener.'),
})

export type StreamReady = ValueOf<typeof streamReady>

/** The message that offers a delivery to a listener. */
export const streamOffer = inferredObject(
  'stream_offer',
  'A delivery to send within 30 seconds. If its result is not posted by then, it is offered again.',
  {
    delivery: id('The offered delivery.'),
    event: id('The delivered event.'),
    webhook_endpoint: id('The webhook endpoint of the delivery.'),
    attempt: integer(1, 'The number of the attempt, from 1.'),
    trigger: oneOf(['automatic', 'manual'], 'Whether an event or a manual redelivery caused the attempt.'),
    request: object<DeliveryRequest>(
      {
        url: url('The URL of the request.'),
        headers: textMap('The headers of the request, with its signatures.'),
        body: text('The body, to be sent unchanged.'),
      },
      'The POST request to send.',
    ),
  },
)

export type StreamOffer = ValueOf<typeof streamOffer>

/** The message about a gap in an event stream. */
export const streamReset = inferredObject(
  'stream_reset',
  'A gap: the next events were deleted, or belong to another database.',
  {
    after: integer(0, 'The sequence number that the client had reached.'),
    continues_after: integer(0, 'The sequence number after which the stream continues.'),
  },
)

/** The first message of a request log stream. */
export const logsReady = inferredObject(
  'request_log_stream_ready',
  'The first message of a request log stream.',
  { reader, database },
)

export type LogsReady = ValueOf<typeof logsReady>

/** The message about a gap in a request log stream. */
export const logsReset = inferredObject(
  'request_log_stream_reset',
  'A gap: the last request that the client received was deleted. The stream continues with the oldest one.',
  { after: text('The id that the client had reached.') },
)

/** The last message of a stream that the server closes. */
export const streamClose = inferredObject(
  'stream_close',
  'The last message of a stream. To resume, send the last id as Last-Event-ID.',
  {
    reason: oneOf(['too_slow', 'left', 'key_ended', 'stopping'], 'Machine-readable reason.'),
    message: text('Human-readable reason.'),
  },
)

export type StreamClose = ValueOf<typeof streamClose>

/** The response to the result of a delivery. */
export const streamResult = inferredObject(
  'webhook_result',
  'The response to the result of an offered delivery.',
  {
    object: constant('webhook_result', 'The type of the object.'),
    delivery: id('The delivery that the result belongs to.'),
    taken: boolean('Whether the result was accepted. If so, the response is sent after it is stored.'),
  },
)

export type StreamResult = ValueOf<typeof streamResult>

/** The response to a listener that disconnects. */
export const streamLeave = inferredObject('webhook_leave', 'The response to a listener that disconnects.', {
  object: constant('webhook_leave', 'The type of the object.'),
  webhook_endpoints: arrayOf(
    id('A webhook endpoint.'),
    'The webhook endpoints that no longer have a listener.',
  ),
})

export type StreamLeave = ValueOf<typeof streamLeave>
