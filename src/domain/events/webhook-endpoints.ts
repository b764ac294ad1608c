import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import {
  DomainError,
  throwValidationErrors,
  type Unvalidated,
  type ValidationError,
} from '../core/domain-error.ts'
import { formatEventTypeSuggestion } from '../core/event-type-suggestions.ts'
import { EVENT_TYPES } from '../core/event-types.ts'
import { createMetadata } from '../core/metadata.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { API_VERSION } from '../requests/api-version.ts'
import { isValidEventPattern } from './events.ts'
import type { WebhookSecret } from './webhook-secrets.ts'

/** The schema of a webhook endpoint. */
export const webhookEndpointSchema = s.resourceObject(
  'webhook_endpoint',
  'A URL that receives events as signed HTTP requests.',
  {
    url: s.url('The URL that receives events.'),
    enabled_events: s.arrayOf(
      s.text('An event type, a prefix such as `invoice.*`, or `*`.'),
      'The events that are sent to the endpoint.',
    ),
    status: s.enumOf(
      ['enabled', 'disabled', 'not_listening'],
      'Whether events are sent to the endpoint. An endpoint of `paycli listen` is `not_listening` while no listener runs.',
    ),
    disabled_reason: s.nullable(
      s.enumOf(
        ['api', 'gone', 'failing', 'copied'],
        'The reason why the endpoint is disabled: an API request, a 410 response, failures for too long, or a copy of the sandbox. Otherwise null.',
      ),
    ),
    description: s.nullable(s.text('Your own note; null if not given.')),
    metadata: s.metadata,
    api_version: s.constant(API_VERSION, 'The API version of the events.'),
  },
)

export type WebhookEndpoint = s.ValueOf<typeof webhookEndpointSchema>

/** The schema of a webhook endpoint with its secret. */
export const newWebhookEndpointSchema = s.withSecrets(
  webhookEndpointSchema,
  'new_webhook_endpoint',
  'A webhook endpoint with its new signing secret, which no other response contains.',
  { secret: s.text('The secret that signs deliveries; begins with `whsec_`.') },
)

/** The schema of a deleted webhook endpoint. */
export const deletedWebhookEndpointSchema = s.deletedObject(
  'webhook_endpoint',
  'The result of deleting a webhook endpoint.',
)

/** The schema of the response after missed events are recovered. */
export const webhookRecoverySchema = s.titledObject(
  'webhook_recovery',
  'The number of missed events that are sent again.',
  {
    object: s.constant('webhook_recovery', 'The type of the object.'),
    webhook_endpoint: s.id('The endpoint to which the events are sent.'),
    resent: s.integer(0, 'The number of events that are sent again.'),
    has_more: s.boolean('Whether more missed events exist. Repeat the request to send the remaining events.'),
  },
)

/** The description of endpoints of `paycli webhooks listen`. */
export const LISTENER_DESCRIPTION = 'paycli webhooks listen'

/** Returns whether an endpoint belongs to `paycli webhooks listen`, which delivers its events instead of the daemon. */
export function isListenerEndpoint({ description }: WebhookEndpoint): boolean {
  return description === LISTENER_DESCRIPTION
}

const URL_DESCRIPTION = 'URL that receives the events, http or https. Loopback addresses are allowed.'

const enabledEvents = p.list(
  p.text(100, 'An event type, a prefix such as `invoice.*`, or `*`.'),
  100,
  'Events to send (default: all).',
)

/** The parameters of a new endpoint. */
export const webhookEndpointParams = p.shape(
  { url: p.url(URL_DESCRIPTION) },
  {
    enabled_events: enabledEvents,
    description: p.text(5000, 'Your own note about the endpoint.'),
    metadata: p.metadata(),
  },
)

export type WebhookEndpointParams = s.ValueOf<typeof webhookEndpointParams>

/** The parameters of an update of a webhook endpoint. */
export const webhookEndpointUpdateParams = p.shape(
  { id: p.id('The id of the endpoint.') },
  {
    url: p.url(URL_DESCRIPTION),
    enabled_events: enabledEvents,
    description: s.nullable(p.text(5000, 'Your own note about the endpoint.')),
    metadata: p.metadataUpdate(),
    status: p.choice(
      ['enabled', 'disabled'],
      'Status of the endpoint. Events are sent only to enabled endpoints.',
    ),
  },
)

export type WebhookEndpointUpdateParams = Omit<s.ValueOf<typeof webhookEndpointUpdateParams>, 'id'>

/** Maximum number of endpoints of a sandbox. */
export const MAX_WEBHOOK_ENDPOINTS = 100

/** Creates an enabled endpoint and its secret. `existing` is the current number of endpoints. */
export function createWebhookEndpoint(
  fields: WebhookEndpointParams,
  { secret, existing }: { readonly secret: string; readonly existing: number },
  context: RuleContext,
): { readonly endpoint: Creation<WebhookEndpoint>; readonly secret: Creation<WebhookSecret> } {
  if (existing >= MAX_WEBHOOK_ENDPOINTS) {
    throw new DomainError(
      'webhook_endpoint_limit',
      `Cannot create another webhook endpoint: the limit of ${MAX_WEBHOOK_ENDPOINTS} is reached. Delete an endpoint first: DELETE /v1/webhook_endpoints/:id.`,
    )
  }
  throwValidationErrors(listEnabledEventsErrors(fields.enabled_events))
  const id = context.newId('we_')
  return {
    endpoint: toCreation(null, {
      id,
      object: 'webhook_endpoint',
      created: context.now,
      livemode: false,
      url: fields.url,
      enabled_events: [...new Set(fields.enabled_events ?? ['*'])],
      status: 'enabled',
      disabled_reason: null,
      description: fields.description ?? null,
      metadata: createMetadata(fields.metadata),
      api_version: API_VERSION,
    }),
    secret: toCreation(null, { id, object: 'webhook_secret', secret }),
  }
}

/** Returns a validation error for each pattern that matches no event type. */
export function listEnabledEventsErrors(
  patterns: Unvalidated<readonly string[]> | null | undefined,
): ValidationError[] {
  return (patterns ?? []).flatMap((pattern, index) => {
    if (pattern === null || isValidEventPattern(pattern)) return []
    const message = `Unknown event type '${pattern}': expected a type such as '${EVENT_TYPES[0]}', a prefix such as 'invoice.*', or '*'. ${formatEventTypeSuggestion(pattern)}`
    return [{ code: 'event_type_unknown', param: `enabled_events[${index}]`, message }]
  })
}
