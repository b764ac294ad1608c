import * as s from '../../domain/core/schema.ts'

const reader = s.id('The id of this connection, needed to disconnect it.')
const database = s.text('The id of the database, which no other database at this address has.')

/** The message with a changed target. */
export const streamTargetSchema = s.titledObject(
  'stream_target',
  'A target of this listener. The message is sent again when the webhook endpoint is updated, disabled, enabled or deleted.',
  {
    webhook_endpoint: s.id('The webhook endpoint of the target.'),
    url: s.url('The URL that receives events.'),
    enabled_events: s.arrayOf(
      s.text('An event type, a prefix such as `invoice.*`, or `*`.'),
      'The events that are sent to the target.',
    ),
    status: s.enumOf(
      ['enabled', 'disabled', 'deleted', 'taken'],
      'The status of the webhook endpoint, or `taken` while a newer listener receives its deliveries. Only an enabled target is offered deliveries.',
    ),
  },
)

export type StreamTarget = s.ValueOf<typeof streamTargetSchema>

/** The first message of an event stream. */
export const streamReadySchema = s.titledObject('stream_ready', 'The first message of an event stream.', {
  reader,
  sequence: s.integer(0, 'The sequence number after which the stream starts.'),
  database,
  webhook_secret: s.nullable(
    s.text('The secret that signs offered deliveries; null if the API key may not read it.'),
  ),
  targets: s.arrayOf(streamTargetSchema, 'The targets of this listener.'),
})

export type StreamReady = s.ValueOf<typeof streamReadySchema>

/** The message that offers a delivery to a listener. */
export const streamOfferSchema = s.titledObject(
  'stream_offer',
  'A delivery to send within 30 seconds. If no result is posted by then, the delivery is offered again.',
  {
    delivery: s.id('The offered delivery.'),
    event: s.id('The delivered event.'),
    webhook_endpoint: s.id('The webhook endpoint of the delivery.'),
    attempt: s.integer(1, 'The number of the attempt, from 1.'),
    trigger: s.enumOf(['automatic', 'manual'], 'Whether an event or a manual redelivery caused the attempt.'),
    fault: s.nullable(
      s.id(
        'The fault that applies to the attempt; null without a fault. Each copy of a `duplicate` fault is an offer with its own `delivery`.',
      ),
    ),
    request: s.object(
      {
        url: s.url('The URL of the request.'),
        headers: s.textMap('The headers of the request, with its signatures.'),
        body: s.text('The body, to be sent unchanged.'),
      },
      'The POST request to send.',
    ),
  },
)

export type StreamOffer = s.ValueOf<typeof streamOfferSchema>

/** The message about a gap in an event stream. */
export const streamGapSchema = s.titledObject(
  'stream_reset',
  'A gap: the next events were deleted, or belong to another database.',
  {
    after: s.integer(0, 'The sequence number that the client had reached.'),
    continues_after: s.integer(0, 'The sequence number after which the stream continues.'),
  },
)

/** The first message of a request log stream. */
export const logsReadySchema = s.titledObject(
  'request_log_stream_ready',
  'The first message of a request log stream.',
  { reader, database },
)

export type LogsReady = s.ValueOf<typeof logsReadySchema>

/** The message about a gap in a request log stream. */
export const logsGapSchema = s.titledObject(
  'request_log_stream_reset',
  'A gap: the last request that the client received was deleted. The stream continues with the oldest stored request.',
  { after: s.text('The id that the client had reached.') },
)

/** The message about a reset of the sandbox, after which the server closes the stream. */
export const streamSandboxResetSchema = s.titledObject(
  'stream_sandbox_reset',
  'The sandbox was reset: its objects were replaced. The stream ends; resume it with the id of this message.',
  { continues_after: s.integer(0, 'The sequence number of the newest event after the reset.') },
)

/** The last message of a stream that the server closes. */
export const streamCloseSchema = s.titledObject(
  'stream_close',
  'The last message of a stream. To resume, send the last id as Last-Event-ID.',
  {
    reason: s.enumOf(
      ['too_slow', 'left', 'key_ended', 'session_ended', 'reset', 'stopping'],
      'Machine-readable reason.',
    ),
    message: s.text('Human-readable reason.'),
  },
)

export type StreamClose = s.ValueOf<typeof streamCloseSchema>

/** The response to the result of a delivery. */
export const streamResultResponseSchema = s.titledObject(
  'webhook_result',
  'The response to the result of an offered delivery.',
  {
    object: s.constant('webhook_result', 'The type of the object.'),
    delivery: s.id('The delivery that the result belongs to.'),
    taken: s.boolean(
      'Whether the result was accepted. If it was accepted, the response is sent after the result is stored.',
    ),
  },
)

export type StreamResultResponse = s.ValueOf<typeof streamResultResponseSchema>

/** The response to a listener that disconnects. */
export const streamLeaveResponseSchema = s.titledObject(
  'webhook_leave',
  'The response to a listener that disconnects.',
  {
    object: s.constant('webhook_leave', 'The type of the object.'),
    webhook_endpoints: s.arrayOf(
      s.id('A webhook endpoint.'),
      'The webhook endpoints that no longer have a listener.',
    ),
  },
)

export type StreamLeaveResponse = s.ValueOf<typeof streamLeaveResponseSchema>
