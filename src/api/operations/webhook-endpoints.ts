import { toDeletedObject } from '../../domain/core/changes.ts'
import {
  collectValidationErrors,
  type Unvalidated,
  type ValidationError,
} from '../../domain/core/domain-error.ts'
import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import * as p from '../../domain/core/params.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../../domain/events/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  deletedWebhookEndpointSchema,
  listEnabledEventsErrors,
  MAX_WEBHOOK_ENDPOINTS,
  newWebhookEndpointSchema,
  type WebhookEndpointParams,
  webhookEndpointParams,
  webhookEndpointSchema,
  webhookEndpointUpdateParams,
  webhookRecoverySchema,
} from '../../domain/events/webhook-endpoints.ts'
import {
  createResendAttempt,
  listTimeWindowErrors,
  requireEnabledEndpoint,
} from '../../domain/events/webhook-resends.ts'
import { rollWebhookSecret, SECRET_GRACE_SECONDS } from '../../domain/events/webhook-secrets.ts'
import {
  type CountedAttempt,
  calculateEndpointHealth,
  endpointHealthSchema,
  HEALTH_WINDOW_SECONDS,
  MAX_HEALTH_ATTEMPTS,
} from '../../domain/reports/endpoint-health.ts'
import { requireQuotaLeft } from '../../domain/sandboxes/sandbox-quotas.ts'
import { iterateRecordPages, loadEndpointDependents } from '../../engine/load-related.ts'
import { loadMissedEvents } from '../../engine/missed-deliveries.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { defineReadOperation, defineWriteOperation, type ValidationContext } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'
import { EXAMPLE_NOW } from './example-requests.ts'

type EndpointParams = Unvalidated<Partial<Pick<WebhookEndpointParams, 'url' | 'enabled_events'>>>

function validateEndpoint(
  { url: target, enabled_events }: EndpointParams,
  { requireAllowedUrl }: ValidationContext,
): ValidationError[] {
  return [
    ...(target ? collectValidationErrors(() => requireAllowedUrl(target)) : []),
    ...listEnabledEventsErrors(enabled_events),
  ]
}

/** Operations on webhook endpoints. */
export const webhookEndpoints = {
  create: defineWriteOperation({
    path: '/v1/webhook_endpoints',
    summary: 'Creates a webhook endpoint and returns its secret once.',
    description:
      'Each matching event is sent as a signed POST to `url`. Store `secret`: you need it to verify signatures, and no other response contains it. `enabled_events` accepts event types, prefixes such as `invoice.*`, or `*`.',
    params: webhookEndpointParams,
    response: newWebhookEndpointSchema,
    example: {
      url: 'http://127.0.0.1:3000/webhooks',
      enabled_events: ['invoice.*', 'checkout_session.completed'],
    },
    validate: validateEndpoint,
    load: async (reader, _params, { newWebhookSecret, quotas }) => {
      const existing = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      if (quotas !== undefined) requireQuotaLeft('endpoints', existing.data.length, quotas.endpoints)
      return { existing: existing.data.length, secret: newWebhookSecret() }
    },
    when: () => REAL_TIME,
    decide: (loaded, params, context) => {
      const { endpoint, secret } = createWebhookEndpoint(params, loaded, context)
      return { changes: [endpoint, secret], result: { ...endpoint.after, secret: secret.after.secret } }
    },
  }),

  list: defineListOperation('webhook_endpoints', webhookEndpointSchema, {
    description: 'The response contains no secrets. Filter by `status` to find disabled endpoints.',
    filters: createFieldFilters(webhookEndpointSchema, { status: 'Only endpoints with this status.' }),
  }),

  retrieve: defineRetrieveOperation('webhook_endpoints', webhookEndpointSchema, {
    summary: 'Retrieves a webhook endpoint without its secret.',
    description:
      'An update, a 410 response, too many failures in a row or a copy of the sandbox sets `status` to `disabled`; `disabled_reason` is the cause.',
  }),

  health: defineReadOperation({
    path: '/v1/webhook_endpoints/:id/health',
    summary: 'Counts the delivery attempts of the last 24 hours.',
    description:
      'Returns the numbers of delivery attempts of the endpoint by status, the age of the oldest pending attempt, and the durations of the requests. At most the newest 10,000 attempts are counted.',
    params: idParams,
    response: endpointHealthSchema,
    cost: 'expensive',
    async load(reader, { id }, { store, wallNow, yieldToEventLoop }) {
      await requireById(reader, 'webhook_endpoints', id)
      const since = wallNow() - HEALTH_WINDOW_SECONDS
      const query = { where: { webhook_endpoint: id }, ranges: [{ field: 'created', gte: since }] }
      const attempts: CountedAttempt[] = []
      for await (const page of iterateRecordPages(store, 'webhook_deliveries', query)) {
        attempts.push(...page.map(({ created, status, duration_ms }) => ({ created, status, duration_ms })))
        if (attempts.length >= MAX_HEALTH_ATTEMPTS) break
        await yieldToEventLoop()
      }
      const isWhole = attempts.length < MAX_HEALTH_ATTEMPTS
      return calculateEndpointHealth(id, isWhole ? since : (attempts.at(-1)?.created ?? since), attempts)
    },
  }),

  update: defineWriteOperation({
    path: '/v1/webhook_endpoints/:id',
    summary: 'Updates a webhook endpoint.',
    description:
      'Changes only the parameters in the body. Set `status` to `disabled` to pause an endpoint and to `enabled` to resume it. Deliveries that a disabled endpoint misses are listed as `skipped` and can be sent with `recover`.',
    nulls: 'unset',
    params: webhookEndpointUpdateParams,
    response: webhookEndpointSchema,
    example: { enabled_events: ['*'], status: 'enabled' },
    validate: validateEndpoint,
    load: (reader, params) => loadEndpoint(reader, params.id),
    when: () => REAL_TIME,
    decide: ({ endpoint, dependents }, { id: _id, ...fields }) => {
      const { changes, after } = updateWebhookEndpoint(endpoint, fields, dependents)
      return { changes, result: after }
    },
  }),

  delete: defineWriteOperation({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    summary: 'Deletes a webhook endpoint and its pending deliveries.',
    description: 'Pending deliveries to the endpoint are canceled. Earlier delivery attempts stay readable.',
    params: idParams,
    response: deletedWebhookEndpointSchema,
    load: (reader, params) => loadEndpoint(reader, params.id),
    when: () => REAL_TIME,
    decide: ({ endpoint, secret, dependents }) => ({
      changes: deleteWebhookEndpoint(endpoint, secret, dependents),
      result: toDeletedObject(endpoint),
    }),
  }),

  rollSecret: defineWriteOperation({
    path: '/v1/webhook_endpoints/:id/roll_secret',
    summary: 'Replaces the signing secret of a webhook endpoint.',
    description:
      'Store the new `secret`, which only this response contains. For `grace_seconds` (default: one day), deliveries carry signatures of both secrets, so that you can change the secret of your handler without an interruption.',
    params: p.shape(
      { id: p.id('The id of the endpoint.') },
      {
        grace_seconds: p.integer(
          { min: 0, max: SECRET_GRACE_SECONDS.max },
          'Seconds for which deliveries are signed with both secrets (default: 86400).',
        ),
      },
    ),
    response: newWebhookEndpointSchema,
    example: { grace_seconds: 3600 },
    load: async (reader, params, { newWebhookSecret }) => {
      const { endpoint, secret } = await loadEndpoint(reader, params.id)
      if (secret === null) throw new Error(`webhook endpoint '${endpoint.id}' has no secret`)
      return { endpoint, secret, newSecret: newWebhookSecret() }
    },
    when: () => REAL_TIME,
    decide: ({ endpoint, secret, newSecret }, { grace_seconds }, { wallNow }) => {
      const graceSeconds = grace_seconds ?? SECRET_GRACE_SECONDS.default
      const rolled = rollWebhookSecret(secret, { secret: newSecret, graceSeconds }, wallNow)
      return { changes: [rolled], result: { ...endpoint, secret: newSecret } }
    },
  }),

  recover: defineWriteOperation({
    path: '/v1/webhook_endpoints/:id/recover',
    summary: 'Resends events without a successful delivery to the endpoint.',
    description:
      'Use this operation after an outage of your handler. It sends the events between `since` and `until` that were never delivered successfully. When `has_more` is true, repeat the request to resend the remaining events.',
    params: p.shape(
      {
        id: p.id('The id of the endpoint.'),
        since: p.timestamp('Creation time of the oldest event in Unix seconds, at most 14 days ago.'),
      },
      {
        until: p.timestamp('Creation time of the newest event in Unix seconds (default: now).'),
        types: p.list(
          p.choice(EVENT_TYPES, 'An event type.'),
          EVENT_TYPES.length,
          'Only events of these types.',
        ),
      },
    ),
    response: webhookRecoverySchema,
    example: { since: EXAMPLE_NOW - 3600 },
    validate: (params, { wallNow }) => listTimeWindowErrors(params, wallNow),
    load: async (reader, { id: endpointId, ...window }, { wallNow }) => {
      const endpoint = requireEnabledEndpoint(
        await requireById(reader, 'webhook_endpoints', endpointId),
        'id',
      )
      return { endpoint, ...(await loadMissedEvents(reader, endpointId, { ...window, now: wallNow })) }
    },
    when: () => REAL_TIME,
    decide: ({ endpoint, missed, hasMore }, _params, context) => {
      const planned = missed.flatMap((event) => createResendAttempt(event, endpoint, context) ?? [])
      const counted = { resent: planned.length, has_more: hasMore }
      const result = { object: 'webhook_recovery' as const, webhook_endpoint: endpoint.id, ...counted }
      return { changes: planned, result }
    },
  }),
}

async function loadEndpoint(reader: StoreReader, endpointId: string) {
  return {
    endpoint: await requireById(reader, 'webhook_endpoints', endpointId),
    secret: await reader.get('webhook_secrets', endpointId),
    dependents: await loadEndpointDependents(reader, endpointId),
  }
}
