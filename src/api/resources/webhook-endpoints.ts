import {
  arrayOf,
  boolean,
  constant,
  id,
  inferredObject,
  integer,
  metadata,
  nullable,
  oneOf,
  text,
  url,
} from './fields.ts'
import { defineResource, deletedObject, withSecret } from './resource.ts'

/** The webhook endpoint resource. */
export const webhookEndpoint = defineResource('webhook_endpoints', {
  url: url('The URL that receives events.'),
  enabled_events: arrayOf(
    text('An event type, a prefix such as `invoice.*`, or `*`.'),
    'The events that are sent to the endpoint.',
  ),
  status: oneOf(['enabled', 'disabled'], 'Whether events are sent to the endpoint.'),
  disabled_reason: nullable(
    oneOf(
      ['api', 'gone', 'failing'],
      'Why it is disabled: by the API, after a 410 response, or after failing for too long. Null if it is enabled.',
    ),
  ),
  description: nullable(text('Your own note; null if none was given.')),
  metadata,
  api_version: constant('1', 'The API version of the events.'),
})

/** The schema of a webhook endpoint with its secret. */
export const newWebhookEndpoint = withSecret(
  webhookEndpoint,
  'new_webhook_endpoint',
  'A webhook endpoint with its new signing secret, which no other response contains.',
  text('The secret that signs deliveries; begins with `whsec_`.'),
)

/** The schema of a deleted webhook endpoint. */
export const deletedWebhookEndpoint = deletedObject(
  'webhook_endpoint',
  'The result of deleting a webhook endpoint.',
)

/** The schema of a recovery. */
export const webhookRecovery = inferredObject(
  'webhook_recovery',
  'The number of missed events that are sent again.',
  {
    object: constant('webhook_recovery', 'The type of the object.'),
    webhook_endpoint: id('The endpoint that they are sent to.'),
    resent: integer(0, 'The number of events that are sent again.'),
    has_more: boolean('Whether there are more missed events. Repeat the request to send them.'),
  },
)
