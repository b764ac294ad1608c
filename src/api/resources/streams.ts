import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import {
  arrayOf,
  boolean,
  constant,
  type ExactObject,
  id,
  integer,
  nullable,
  object,
  oneOf,
  text,
  textMap,
  titledObject,
  url,
} from './fields.ts'

/** A URL that a listener forwards events to. */
export interface StreamTarget {
  readonly webhook_endpoint: string
  readonly url: string
  readonly enabled_events: readonly string[]
  readonly status: 'enabled' | 'disabled' | 'deleted' | 'taken'
}

/** The first message of an event stream. */
export interface StreamReady {
  readonly reader: string
  readonly sequence: number
  readonly database: string
  readonly webhook_secret: string | null
  readonly targets: readonly StreamTarget[]
}

/** A delivery that a listener is to send. */
export interface StreamOffer
  extends Pick<WebhookDelivery, 'event' | 'webhook_endpoint' | 'attempt' | 'trigger'> {
  readonly delivery: string
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** A gap in the events of a stream. */
export interface StreamReset {
  readonly after: number
  readonly continues_after: number
}

/** The first message of a request log stream. */
export interface LogsReady {
  readonly reader: string
  readonly database: string
}

/** A gap in the entries of a request log stream. */
export interface LogsReset {
  readonly after: string
}

/** The last message of a stream that the service closes. */
export interface StreamClose {
  readonly reason: 'too_slow' | 'left' | 'key_ended' | 'stopping'
  readonly message: string
}

/** The response to the result of a delivery. */
export interface StreamResult {
  readonly object: 'webhook_result'
  readonly delivery: string
  readonly taken: boolean
}

/** The response to a listener that disconnects. */
export interface StreamLeave {
  readonly object: 'webhook_leave'
  readonly webhook_endpoints: readonly string[]
}

const reader = id('The id of this connection, needed to disconnect it.')
const database = text(
  'The id of the database, which differs from that of any other database at this address.',
)

/** The message with a changed target. */
export const streamTarget: ExactObject<StreamTarget> = titledObject(
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

/** The first message of an event stream. */
export const streamReady: ExactObject<StreamReady> = titledObject(
  'stream_ready',
  'The first message of an event stream.',
  {
    reader,
    sequence: integer(0, 'The sequence number after which the stream starts.'),
    database,
    webhook_secret: nullable(
      text('The secret that signs offered deliveries; null if the API key may not read it.'),
    ),
    targets: arrayOf(streamTarget, 'The targets of this listener.'),
  },
)

/** The message that offers a delivery to a listener. */
export const streamOffer: ExactObject<StreamOffer> = titledObject(
  'stream_offer',
  'A delivery to send within 30 seconds. If its result is not posted by then, it is offered again.',
  {
    delivery: id('The offered delivery.'),
    event: id('The delivered event.'),
    webhook_endpoint: id('The webhook endpoint of the delivery.'),
    attempt: integer(1, 'The number of the attempt, from 1.'),
    trigger: oneOf(['automatic', 'manual'], 'Whether an event or a manual redelivery caused the attempt.'),
    request: object<StreamOffer['request']>(
      {
        url: url('The URL of the request.'),
        headers: textMap('The headers of the request, with its signatures.'),
        body: text('The body, to be sent unchanged.'),
      },
      'The POST request to send.',
    ),
  },
)

/** The message about a gap in an event stream. */
export const streamReset: ExactObject<StreamReset> = titledObject(
  'stream_reset',
  'A gap: the next events were deleted, or belong to another database.',
  {
    after: integer(0, 'The sequence number that the client had reached.'),
    continues_after: integer(0, 'The sequence number after which the stream continues.'),
  },
)

/** The first message of a request log stream. */
export const logsReady: ExactObject<LogsReady> = titledObject(
  'request_log_stream_ready',
  'The first message of a request log stream.',
  { reader, database },
)

/** The message about a gap in a request log stream. */
export const logsReset: ExactObject<LogsReset> = titledObject(
  'request_log_stream_reset',
  'A gap: the last request that the client received was deleted. The stream continues with the oldest one.',
  { after: text('The id that the client had reached.') },
)

/** The last message of a stream that the service closes. */
export const streamClose: ExactObject<StreamClose> = titledObject(
  'stream_close',
  'The last message of a stream. To resume, send the last id as Last-Event-ID.',
  {
    reason: oneOf(['too_slow', 'left', 'key_ended', 'stopping'], 'Machine-readable reason.'),
    message: text('Human-readable reason.'),
  },
)

/** The response to the result of a delivery. */
export const streamResult: ExactObject<StreamResult> = titledObject(
  'webhook_result',
  'The response to the result of an offered delivery.',
  {
    object: constant('webhook_result', 'The type of the object.'),
    delivery: id('The delivery that the result belongs to.'),
    taken: boolean('Whether the result was accepted. If so, the response is sent after it is stored.'),
  },
)

/** The response to a listener that disconnects. */
export const streamLeave: ExactObject<StreamLeave> = titledObject(
  'webhook_leave',
  'The response to a listener that disconnects.',
  {
    object: constant('webhook_leave', 'The type of the object.'),
    webhook_endpoints: arrayOf(
      id('A webhook endpoint.'),
      'The webhook endpoints that no longer have a listener.',
    ),
  },
)
