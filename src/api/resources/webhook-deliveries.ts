import { DELIVERY_ERRORS } from '../../domain/webhook-deliveries.ts'
import { boolean, id, integer, nullable, oneOf, text, textMap, timestamp, url } from './fields.ts'
import { defineResource } from './resource.ts'

/** The webhook delivery resource. */
export const webhookDelivery = defineResource('webhook_deliveries', {
  event: id('The delivered event.'),
  webhook_endpoint: id('The webhook endpoint.'),
  url: url('The URL of the request.'),
  attempt: integer(
    1,
    'The number of the attempt to deliver this event to this endpoint, from 1. Manual attempts are counted separately.',
  ),
  status: oneOf(
    ['pending', 'succeeded', 'failed', 'skipped'],
    'Pending until it is sent, then its result. Skipped if the endpoint was disabled.',
  ),
  http_status: nullable(integer(100, 'The status of the response; null without a response.')),
  error: nullable(oneOf(DELIVERY_ERRORS, 'Why it failed; null if it did not.')),
  error_message: nullable(text('The failure and how to fix it; null if it did not fail.')),
  duration_ms: nullable(integer(0, 'The duration of the request, in milliseconds; null if it was not sent.')),
  request_headers: textMap('The headers of the request.'),
  response_body: nullable(text('The body of the response, up to 16 KiB; null without a response.')),
  response_body_truncated: boolean('Whether the body of the response is longer than 16 KiB.'),
  next_attempt_at: nullable(
    timestamp(
      'When this attempt is due while it is pending, or the next one after a failure; null if none follows.',
    ),
  ),
  trigger: oneOf(['automatic', 'manual'], 'Whether an event or a manual redelivery caused the attempt.'),
})
