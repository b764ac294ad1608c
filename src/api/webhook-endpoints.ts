import { removal } from '../domain/changes.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  updateWebhookEndpoint,
} from '../domain/webhook-endpoints.ts'
import { loadPendingDeliveries } from '../engine/belongings.ts'
import { realTime } from '../engine/moments.ts'
import { EXAMPLE_ENDPOINT } from './example-requests.ts'
import { listOperation } from './lists.ts'
import { operation } from './operation.ts'
import { deletedWebhookEndpoint, newWebhookEndpoint, webhookEndpoint } from './resources/webhook-endpoints.ts'
import { byId, requireById, retrieveOperation } from './retrieving.ts'
import {
  choice,
  id,
  list,
  metadata,
  metadataUpdate,
  nullable,
  type Schema,
  shape,
  text,
  url,
} from './schema.ts'

const URL_DESCRIPTION = 'Where events are posted; http or https, loopback allowed.'

const enabledEvents: Schema<readonly string[]> = list(
  text(100, 'An event type, a prefix such as `invoice.*`, or `*`.'),
  100,
  'Which events to send; all of them unless given.',
)

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
    load: async (reader, _params, { newWebhookSecret }) => {
      const existing = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
      return { existing: existing.data.length, secret: newWebhookSecret() }
    },
    when: () => realTime,
    decide: (given, params, world) => {
      const { endpoint, secret } = createWebhookEndpoint(params, given, world)
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
    load: async (reader, params) => ({
      endpoint: await requireById(reader, 'webhook_endpoints', params.id),
      pending: await loadPendingDeliveries(reader, params.id),
    }),
    when: () => realTime,
    decide: ({ endpoint, pending }, { id: _id, ...fields }) => {
      const { changes, after } = updateWebhookEndpoint(endpoint, fields, pending)
      return { changes, result: after }
    },
  }),

  delete: operation({
    method: 'DELETE',
    path: '/v1/webhook_endpoints/:id',
    summary: 'Deletes a webhook endpoint; deliveries that still wait are dropped.',
    params: byId,
    answer: deletedWebhookEndpoint,
    load: async (reader, params) => ({
      endpoint: await requireById(reader, 'webhook_endpoints', params.id),
      secret: await reader.get('webhook_secrets', params.id),
      pending: await loadPendingDeliveries(reader, params.id),
    }),
    when: () => realTime,
    decide: ({ endpoint, secret, pending }) => ({
      changes: [...deleteWebhookEndpoint(endpoint, secret), ...pending.map(removal)],
      result: { id: endpoint.id, object: endpoint.object, deleted: true as const },
    }),
  }),
}
