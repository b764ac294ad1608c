import { type Doubtful, problemsOf, type ValidationError } from '../../domain/domain-error.ts'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { deleteWebhookEndpoint, updateWebhookEndpoint } from '../../domain/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  eventProblems,
  MAX_WEBHOOK_ENDPOINTS,
  type WebhookEndpointFields,
} from '../../domain/webhook-endpoints.ts'
import { planResend, requireEnabled, windowProblems } from '../../domain/webhook-resends.ts'
import { rollWebhookSecret, SECRET_GRACE_SECONDS } from '../../domain/webhook-secrets.ts'
import { loadEndpointBelongings } from '../../engine/load-related.ts'
import { loadMissed } from '../../engine/missed.ts'
import { realTime } from '../../engine/time-source.ts'
import type { Reader } from '../../store/port/store.ts'
import { listOperation } from '../core/lists.ts'
import { type Known, operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import {
  deletedWebhookEndpoint,
  newWebhookEndpoint,
  webhookEndpoint,
  webhookRecovery,
} from '../resources/webhook-endpoints.ts'
import {
  choice,
  id,
  integer,
  list,
  metadata,
  metadataUpdate,
  nullable,
  type Schema,
  shape,
  text,
  timestamp,
  url,
} from '../schema/schema.ts'
import { EXAMPLE_ENDPOINT, EXAMPLE_SINCE } from './example-requests.ts'

const URL_DESCRIPTION = 'Where events are posted; http or https, loopback allowed.'

const enabledEvents: Schema<readonly string[]> = list(
  text(100, 'An event type, a prefix such as `invoice.*`, or `*`.'),
  100,
  'Which events to send; all of them unless given.',
)

type Asked = Doubtful<Partial<Pick<WebhookEndpointFields, 'url' | 'enabled_events'>>>

function endpointFaults({ url: target, enabled_events }: Asked, { requireTarget }: Known): ValidationError[] {
  return [...(target ? problemsOf(() => requireTarget(target)) : []), ...eventProblems(enabled_events)]
}

/** Who is told of events. */
export const webhookEndpoints = {
  create: operation({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    summary: 'Creates a webhook endpoint; only this answer shows its signing secret.',
    params: shape(
      { url: url(URL_DESCRIPTION) },
      {
        enabled_events: enabledEvents,
        description: text(5000, 'Your own note on the endpoint.'),
        metadata: metadata(),
      },
    ),
    answer: newWebhookEndpoint,
    example: EXAMPLE_ENDPOINT,
    faults: endpointFaults,
    load: async (reader, _params, { newWebhookSecret }) => {
      const existing = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      return { existing: existing.data.length, secret: newWebhookSecret() }
    },
    when: () => realTime,
    decide: (given, params, context) => {
      const { endpoint, secret } = createWebhookEndpoint(params, given, context)
      return { changes: [endpoint, secret], result: { ...endpoint.after, secret: secret.after.secret } }
    },
  }),

  list: listOperation({
    collection: 'webhook_endpoints',
    path: '/v1/webhook_endpoints',
    summary: 'Lists webhook endpoints, newest first.',
    filters: { status: choice(['enabled', 'disabled'], 'Only endpoints in this state.') },
  }),

  retrieve: retrieveOperation('webhook_endpoints', 'Retrieves a webhook endpoint, without its secret.'),

  update: operation({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id',
    summary: 'Changes a webhook endpoint; fields that are left out stay.',
    nulls: 'unset',
    params: shape(
      { id: id('The id of the endpoint.') },
      {
        url: url(URL_DESCRIPTION),
        enabled_events: enabledEvents,
        description: nullable(text(5000, 'Your own note on the endpoint.')),
        metadata: metadataUpdate(),
        status: choice(['enabled', 'disabled'], 'Whether events are sent.'),
      },
    ),
    answer: webhookEndpoint,
    example: { enabled_events: ['*'], status: 'enabled' },
    faults: endpointFaults,
    load: (reader, params) => loadEndpoint(reader, params.id),
    when: () => realTime,
    decide: ({ endpoint, belongings }, { id: _id, ...fields }) => {
      const { changes, after } = updateWebhookEndpoint(endpoint, fields, belongings)
      return { changes, result: after }
    },
  }),

  delete: operation({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    summary: 'Deletes a webhook endpoint; deliveries that still wait are dropped.',
    params: byId,
    answer: deletedWebhookEndpoint,
    load: (reader, params) => loadEndpoint(reader, params.id),
    when: () => realTime,
    decide: ({ endpoint, secret, belongings }) => ({
      changes: deleteWebhookEndpoint(endpoint, secret, belongings),
      result: { id: endpoint.id, object: endpoint.object, deleted: true as const },
    }),
  }),

  rollSecret: operation({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id/roll_secret',
    summary: 'Gives an endpoint a new signing secret; the old one signs beside it for a while.',
    params: shape(
      { id: id('The id of the endpoint.') },
      {
        grace_seconds: integer(
          { min: 0, max: SECRET_GRACE_SECONDS.most },
          'How long the old secret still signs, in seconds; a day unless given.',
        ),
      },
    ),
    answer: newWebhookEndpoint,
    example: { grace_seconds: 3600 },
    load: async (reader, params, { newWebhookSecret }) => {
      const { endpoint, secret } = await loadEndpoint(reader, params.id)
      if (secret === null) throw new Error(`webhook endpoint '${endpoint.id}' has no secret`)
      return { endpoint, secret, next: newWebhookSecret() }
    },
    when: () => realTime,
    decide: ({ endpoint, secret, next }, { grace_seconds }, { wallNow }) => {
      const graceSeconds = grace_seconds ?? SECRET_GRACE_SECONDS.usual
      const rolled = rollWebhookSecret(secret, { secret: next, graceSeconds }, wallNow)
      return { changes: [rolled], result: { ...endpoint, secret: next } }
    },
  }),

  recover: operation({
    method: 'POST',
    path: '/v1/webhook_endpoints/:id/recover',
    summary: 'Sends again what an endpoint missed: events whose attempts so far all failed or were skipped.',
    params: shape(
      {
        id: id('The id of the endpoint.'),
        since: timestamp('The oldest to send, in Unix seconds; up to 14 days ago.'),
      },
      {
        until: timestamp('The youngest to send, in Unix seconds; now unless given.'),
        types: list(choice(EVENT_TYPES, 'A type.'), EVENT_TYPES.length, 'Only events of these types.'),
      },
    ),
    answer: webhookRecovery,
    example: { since: EXAMPLE_SINCE },
    faults: (given, { wallNow }) => windowProblems(given, wallNow),
    load: async (reader, { id: endpointId, ...window }, { wallNow }) => {
      const endpoint = requireEnabled(await requireById(reader, 'webhook_endpoints', endpointId), 'id')
      return { endpoint, ...(await loadMissed(reader, endpointId, { ...window, now: wallNow })) }
    },
    when: () => realTime,
    decide: ({ endpoint, missed, hasMore }, _params, context) => {
      const planned = missed.flatMap((told) => planResend(told, endpoint, context) ?? [])
      const counted = { resent: planned.length, has_more: hasMore }
      const result = { object: 'webhook_recovery' as const, webhook_endpoint: endpoint.id, ...counted }
      return { changes: planned, result }
    },
  }),
}

async function loadEndpoint(reader: Reader, endpointId: string) {
  return {
    endpoint: await requireById(reader, 'webhook_endpoints', endpointId),
    secret: await reader.get('webhook_secrets', endpointId),
    belongings: await loadEndpointBelongings(reader, endpointId),
  }
}
