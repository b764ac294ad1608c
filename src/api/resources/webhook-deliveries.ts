import { DELIVERY_ERRORS, type WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import {
  address,
  count,
  head,
  moment,
  oneOf,
  orNull,
  reference,
  resource,
  textByKey,
  words,
  yesNo,
} from './fields.ts'

/** A delivery attempt as answers show it. */
export const webhookDelivery = resource<WebhookDelivery>(
  'webhook_delivery',
  'One attempt to hand one event to one endpoint; its times are real, whatever clock the event is on.',
  {
    ...head('webhook_delivery', 'attempt'),
    event: reference('The event.'),
    webhook_endpoint: reference('Who is told.'),
    url: address('Where it was posted.'),
    attempt: count(
      1,
      'Which attempt of this event at this endpoint, counted from 1; those by hand are counted apart.',
    ),
    status: oneOf(
      ['pending', 'succeeded', 'failed', 'skipped'],
      'Whether it is still to be made, or how it went; skipped when the endpoint was disabled.',
    ),
    http_status: orNull(count(100, 'The status the receiver answered.')),
    error: orNull(oneOf(DELIVERY_ERRORS, 'Why it failed.')),
    error_message: orNull(words('The failure in a sentence, with what to do about it.')),
    duration_ms: orNull(count(0, 'How long it took, in milliseconds.')),
    request_headers: textByKey('The headers that were sent.'),
    response_body: orNull(words('What the receiver answered, up to 16 KiB.')),
    response_body_truncated: yesNo('Whether it answered more than that.'),
    next_attempt_at: orNull(
      moment('When this attempt is due while pending, or the next one after a failure.'),
    ),
    trigger: oneOf(['automatic', 'manual'], 'Whether an event or a person asked for it.'),
  },
)
