import { type Creation, creation, type RuleContext } from './changes.ts'
import { DomainError, throwValidationErrors, type Unvalidated, type ValidationError } from './domain-error.ts'
import { EVENT_TYPES } from './event-types.ts'
import { isValidEventPattern } from './events.ts'
import type { Metadata, MetadataFields } from './metadata.ts'
import type { WebhookSecret } from './webhook-secrets.ts'

export interface WebhookEndpoint {
  readonly id: string
  readonly object: 'webhook_endpoint'
  readonly created: number
  readonly livemode: false
  readonly url: string
  readonly enabled_events: readonly string[]
  readonly status: 'enabled' | 'disabled'
  readonly disabled_reason: 'api' | 'gone' | 'failing' | null
  readonly description: string | null
  readonly metadata: Metadata
  readonly api_version: '1'
}

export interface WebhookEndpointFields {
  readonly url: string
  readonly enabled_events?: readonly string[]
  readonly description?: string
  readonly metadata?: Metadata
}

export interface WebhookEndpointUpdateFields {
  readonly url?: string
  readonly enabled_events?: readonly string[]
  readonly description?: string | null
  readonly metadata?: MetadataFields
  readonly status?: 'enabled' | 'disabled'
}

/** Maximum number of endpoints of a sandbox. */
export const MAX_WEBHOOK_ENDPOINTS = 100

/** Creates an enabled endpoint and its secret. `existing` is the current number of endpoints. */
export function createWebhookEndpoint(
  fields: WebhookEndpointFields,
  { secret, existing }: { readonly secret: string; readonly existing: number },
  context: RuleContext,
): { readonly endpoint: Creation<WebhookEndpoint>; readonly secret: Creation<WebhookSecret> } {
  if (existing >= MAX_WEBHOOK_ENDPOINTS) {
    throw new DomainError(
      'webhook_endpoint_limit',
      `Cannot create another webhook endpoint: the limit of ${MAX_WEBHOOK_ENDPOINTS} is reached. Delete one first: DELETE /v1/webhook_endpoints/:id.`,
    )
  }
  throwValidationErrors(validateEnabledEvents(fields.enabled_events))
  const id = context.newId('we_')
  return {
    endpoint: creation(null, {
      id,
      object: 'webhook_endpoint',
      created: context.now,
      livemode: false,
      url: fields.url,
      enabled_events: [...new Set(fields.enabled_events ?? ['*'])],
      status: 'enabled',
      disabled_reason: null,
      description: fields.description ?? null,
      metadata: fields.metadata ?? {},
      api_version: '1',
    }),
    secret: creation(null, { id, object: 'webhook_secret', secret }),
  }
}

/** Returns a validation error for each pattern that matches no event type. */
export function validateEnabledEvents(
  patterns: Unvalidated<readonly string[]> | null | undefined,
): ValidationError[] {
  return (patterns ?? []).flatMap((pattern, index) => {
    if (pattern === null || isValidEventPattern(pattern)) return []
    const message = `Unknown event type '${pattern}': expected a type such as '${EVENT_TYPES[0]}', a prefix such as 'invoice.*', or '*'. All types: ${EVENT_TYPES.join(', ')}.`
    return [{ code: 'event_type_unknown', param: `enabled_events[${index}]`, message }]
  })
}
