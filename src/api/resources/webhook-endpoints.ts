import type { WebhookEndpoint } from '../../domain/webhook-endpoints.ts'
import {
  address,
  count,
  head,
  many,
  oneOf,
  only,
  orNull,
  reference,
  resource,
  tail,
  words,
  yesNo,
} from './fields.ts'

const fields = {
  ...head('webhook_endpoint', 'endpoint'),
  url: address('Where events are posted.'),
  enabled_events: many(
    words('An event type, a prefix such as `invoice.*`, or `*`.'),
    'Which events are sent.',
  ),
  status: oneOf(['enabled', 'disabled'], 'Whether events are sent.'),
  disabled_reason: orNull(
    oneOf(
      ['api', 'gone', 'failing'],
      'Why they are not: it was asked to, the receiver answered 410, or it failed for too long.',
    ),
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

/** The answer that shows the signing secret: when it is made, and never again. */
export const newWebhookEndpoint = resource<WebhookEndpoint & { readonly secret: string }>(
  'new_webhook_endpoint',
  'An endpoint with its new signing secret, which no other answer shows.',
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

/** What recovering an endpoint answers. */
export interface WebhookRecovery {
  readonly object: 'webhook_recovery'
  readonly webhook_endpoint: string
  readonly resent: number
  readonly has_more: boolean
}

/** How many events recovering an endpoint sends again. */
export const webhookRecovery = resource<WebhookRecovery>(
  'webhook_recovery',
  'How many missed events are sent again.',
  {
    object: only('webhook_recovery', 'The kind of object.'),
    webhook_endpoint: reference('Where they are sent.'),
    resent: count(0, 'How many events are sent again.'),
    has_more: yesNo('Whether there are more: ask again for those.'),
  },
)
