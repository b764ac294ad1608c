import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import {
  address,
  count,
  type Fields,
  group,
  many,
  oneOf,
  only,
  orNull,
  reference,
  resource,
  textByKey,
  words,
  yesNo,
} from './fields.ts'

/** Where a listener sends events, and which. */
export interface StreamTarget {
  readonly webhook_endpoint: string
  readonly url: string
  readonly enabled_events: readonly string[]
  readonly status: 'enabled' | 'disabled' | 'deleted' | 'taken'
}

/** How a stream of events begins. */
export interface StreamReady {
  readonly reader: string
  readonly sequence: number
  readonly database: string
  readonly webhook_secret: string | null
  readonly targets: readonly StreamTarget[]
}

/** A delivery for the listener to send. */
export interface StreamOffer
  extends Pick<WebhookDelivery, 'event' | 'webhook_endpoint' | 'attempt' | 'trigger'> {
  readonly delivery: string
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
}

/** A gap in the events. */
export interface StreamReset {
  readonly after: number
  readonly continues_after: number
}

/** How a stream of requests begins. */
export interface LogsReady {
  readonly reader: string
  readonly database: string
}

/** A gap in the requests. */
export interface LogsReset {
  readonly after: string
}

/** How a stream ends that the service ends. */
export interface StreamClose {
  readonly reason: 'too_slow' | 'left' | 'key_ended' | 'stopping'
  readonly message: string
}

/** What the service makes of a reported result. */
export interface StreamResult {
  readonly object: 'webhook_result'
  readonly delivery: string
  readonly taken: boolean
}

/** What the service makes of a listener that leaves. */
export interface StreamLeave {
  readonly object: 'webhook_leave'
  readonly webhook_endpoints: readonly string[]
}

const reader = reference('What this connection is called, to leave it with.')
const database = words('What tells this database from another at the same address.')

/** The server-sent event that tells what became of a target. */
export const streamTarget: Fields<StreamTarget> = resource<StreamTarget>(
  'stream_target',
  'A target of this listener; told again when somebody changed, disabled, enabled or deleted its endpoint.',
  {
    webhook_endpoint: reference('The endpoint that stands for it.'),
    url: address('Where events go.'),
    enabled_events: many(
      words('An event type, a prefix such as `invoice.*`, or `*`.'),
      'Which events go there.',
    ),
    status: oneOf(
      ['enabled', 'disabled', 'deleted', 'taken'],
      'What its endpoint is, or `taken` while a later listener sends for it; nothing is offered for one that is not enabled.',
    ),
  },
)

/** The first server-sent event of a stream of events. */
export const streamReady: Fields<StreamReady> = resource<StreamReady>(
  'stream_ready',
  'The first thing a stream of events says.',
  {
    reader,
    sequence: count(0, 'The place in the sequence after which it begins.'),
    database,
    webhook_secret: orNull(words('What signs what is offered; null for a key that may not know.')),
    targets: many(streamTarget, 'What this listener sends for.'),
  },
)

/** The server-sent event that hands a delivery to a listener. */
export const streamOffer: Fields<StreamOffer> = resource<StreamOffer>(
  'stream_offer',
  'A delivery to be sent within 30 seconds, and its result posted; else it is offered again.',
  {
    delivery: reference('The delivery that is offered.'),
    event: reference('The event it tells of.'),
    webhook_endpoint: reference('The endpoint it is for.'),
    attempt: count(1, 'Which attempt this is.'),
    trigger: oneOf(['automatic', 'manual'], 'Whether an event or a person asked for it.'),
    request: group<StreamOffer['request']>(
      {
        url: address('Where to post.'),
        headers: textByKey('With which headers, the signatures among them.'),
        body: words('The body, to be sent as it is.'),
      },
      'What to send.',
    ),
  },
)

/** The server-sent event that tells of a gap. */
export const streamReset: Fields<StreamReset> = resource<StreamReset>(
  'stream_reset',
  'Events that are left out: they are not kept any more, or belong to another database.',
  {
    after: count(0, 'The place the reader had.'),
    continues_after: count(0, 'The place after which the stream goes on.'),
  },
)

/** The first server-sent event of a stream of requests. */
export const logsReady: Fields<LogsReady> = resource<LogsReady>(
  'request_log_stream_ready',
  'The first thing a stream of requests says.',
  { reader, database },
)

/** The server-sent event that tells of a gap among requests. */
export const logsReset: Fields<LogsReset> = resource<LogsReset>(
  'request_log_stream_reset',
  'The request the reader had is not kept any more: the stream goes on with the oldest that is.',
  { after: words('The place the reader had.') },
)

/** The last server-sent event of a stream that the service ends. */
export const streamClose: Fields<StreamClose> = resource<StreamClose>(
  'stream_close',
  'The last thing a stream says. Whoever sends the last id as Last-Event-ID goes on where it was.',
  {
    reason: oneOf(['too_slow', 'left', 'key_ended', 'stopping'], 'Why, for programs.'),
    message: words('Why, for people.'),
  },
)

/** The answer to a posted result. */
export const streamResult: Fields<StreamResult> = resource<StreamResult>(
  'webhook_result',
  'What became of the result of an offer.',
  {
    object: only('webhook_result', 'The kind of object.'),
    delivery: reference('The delivery it is of.'),
    taken: yesNo('Whether it is what came of the delivery: the answer then comes once that is stored.'),
  },
)

/** The answer to a listener that leaves. */
export const streamLeave: Fields<StreamLeave> = resource<StreamLeave>(
  'webhook_leave',
  'What became of the targets of a listener that left.',
  {
    object: only('webhook_leave', 'The kind of object.'),
    webhook_endpoints: many(reference('An endpoint.'), 'The endpoints that nobody sends for any more.'),
  },
)
