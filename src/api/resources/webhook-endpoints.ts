import type { WebhookEndpoint } from '../../domain/webhook-endpoints.ts'
import { address, head, many, oneOf, only, orNull, reference, resource, tail, words } from './fields.ts'

const fields = {
  ...head('webhook_endpoint', 'endpoint'),
  url: address('Where events are posted.'),
  enabled_events: many(
    words('An event type, a prefix such as `invoice.*`, or `*`.'),
    'Which events are sent.',
  ),
  status: oneOf(['enabled', 'disabled'], 'Whether events are sent.'),
  disabled_reason: orNull(
    oneOf(['api', 'gone'], 'Why they are not: it was asked to, or the receiver answered 410.'),
  ),
  description: orNull(words('Your own note on the endpoint.')),
  metadata: tail.metadata,
  api_version: only('1', 'The version of the events it gets.'),
} as const

/** An endpoint as answers show it. */
export const webhookEndpoint = resource<WebhookEndpoint>(
  'webhook_endpoint',
  'Who is told of events, and of which.',
  fields,
)

/** The one answer that shows the signing secret. */
export const newWebhookEndpoint = resource<WebhookEndpoint & { readonly secret: string }>(
  'new_webhook_endpoint',
  'A new endpoint with its signing secret, which no other answer shows.',
  { ...fields, secret: words('The key that deliveries are signed with; begins with `whsec_`.') },
)

/** What deleting an endpoint answers. */
export const deletedWebhookEndpoint = resource<{
  readonly id: string
  readonly object: 'webhook_endpoint'
  readonly deleted: true
}>('deleted_webhook_endpoint', 'What deleting a webhook endpoint answers.', {
  id: reference('The id the endpoint had.'),
  object: only('webhook_endpoint', 'The kind of object.'),
  deleted: only(true, 'Always true.'),
})
