import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import * as p from '../../domain/core/params.ts'
import type { Event } from '../../domain/events/events.ts'
import { eventSchema } from '../../domain/events/events.ts'
import { countPendingEndpoints, webhookDeliverySchema } from '../../domain/events/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import {
  createResendAttempt,
  type EventWithDeliveries,
  listResendEndpoints,
  requireEnabledEndpoint,
} from '../../domain/events/webhook-resends.ts'
import { loadEventDeliveries } from '../../engine/load-related.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { createListSchema, defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, requireById } from '../core/retrieve.ts'

const MAX_TYPES = 20

/** Operations on events. */
export const events = {
  list: defineListOperation('events', eventSchema, {
    summary: 'Lists events by sequence, newest first.',
    description:
      'An event records one change to one object. Filter by type, object, test clock or `sequence`, an integer that grows with each event.',
    filters: {
      type: p.choice(EVENT_TYPES, 'Only events of this type.'),
      types: p.list(
        p.choice(EVENT_TYPES, 'An event type.'),
        MAX_TYPES,
        'Only events of these types, up to 20.',
      ),
      object_id: p.id('Only events of this object.'),
      test_clock: p.id('Only events on this test clock.'),
    },
    ranges: ['created', 'sequence'],
    present: withPendingWebhooks,
  }),
  retrieve: defineRetrieveOperation('events', eventSchema, {
    description:
      '`data.object` is the object after the change, and `data.previous_attributes` has the earlier values of the changed fields. `pending_webhooks` counts the endpoints that have not confirmed the event yet.',
    present: withPendingWebhooks,
  }),

  resend: defineWriteOperation({
    path: '/v1/events/:id/resend',
    summary: 'Sends an event again, immediately and with the same id.',
    description:
      'Creates a delivery to the given endpoint, or to every enabled endpoint that subscribes to the event, and returns the new deliveries. The `webhook-id` is the same as before, so that your handler can detect the duplicate.',
    params: p.shape(
      { id: p.id('The id of the event.') },
      {
        webhook_endpoint: p.id(
          'Webhook endpoint to send to (default: every enabled endpoint that subscribes to the event).',
        ),
      },
    ),
    response: createListSchema(webhookDeliverySchema),
    example: {},
    load: async (reader, params) => {
      const event = await requireById(reader, 'events', params.id)
      const sent = { event, deliveries: await loadEventDeliveries(reader, event.id) }
      return { sent, endpoints: await loadResendTargets(reader, sent, params.webhook_endpoint) }
    },
    when: () => REAL_TIME,
    decide: ({ sent, endpoints }, _params, context) => {
      const planned = endpoints.flatMap((endpoint) => createResendAttempt(sent, endpoint, context) ?? [])
      const pending = sent.deliveries.filter(
        ({ status, trigger, webhook_endpoint }) =>
          status === 'pending' && trigger === 'manual' && endpoints.some(({ id }) => id === webhook_endpoint),
      )
      const data = [...pending, ...planned.map(({ after }) => after)]
      const result = { object: 'list' as const, url: '/v1/webhook_deliveries', data, has_more: false }
      return { changes: planned, result }
    },
  }),
}

async function loadResendTargets(
  reader: StoreReader,
  sent: EventWithDeliveries,
  endpointId: string | undefined,
): Promise<readonly WebhookEndpoint[]> {
  if (endpointId === undefined) {
    const all = await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })
    return listResendEndpoints(sent, all.data)
  }
  const param = 'webhook_endpoint'
  const endpoint = await requireById(reader, 'webhook_endpoints', endpointId, param)
  return [requireEnabledEndpoint(endpoint, param)]
}

// A stored event has the initial number of pending deliveries, so compute the current number from the deliveries.
async function withPendingWebhooks(event: Event, reader: StoreReader): Promise<Event> {
  return { ...event, pending_webhooks: countPendingEndpoints(await loadEventDeliveries(reader, event.id)) }
}
