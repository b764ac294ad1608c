import { EVENT_TYPES } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import { countPending } from '../../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../../domain/webhook-endpoints.ts'
import { planResend, requireEnabled, resendTargets, type Told } from '../../domain/webhook-resends.ts'
import { loadDeliveries } from '../../engine/load-related.ts'
import { realTime } from '../../engine/time-source.ts'
import type { Reader } from '../../store/port/store.ts'
import { listOperation } from '../core/lists.ts'
import { lookup, operation } from '../core/operation.ts'
import { byId, requireById, requireReferenced } from '../core/retrieving.ts'
import { listAnswer } from '../resources/answers.ts'
import { event } from '../resources/events.ts'
import { choice, id, list, shape } from '../schema/schema.ts'

const MAX_TYPES = 20

/** What happened, each with the object as it was and what it had been before. */
export const events = {
  list: listOperation({
    collection: 'events',
    path: '/v1/events',
    summary: 'Lists events by sequence, newest first.',
    filters: {
      type: choice(EVENT_TYPES, 'Only events of this type.'),
      types: list(choice(EVENT_TYPES, 'A type.'), MAX_TYPES, 'Only events of these types, up to 20.'),
      object_id: id('Only events of this object.'),
      test_clock: id('Only events on this test clock.'),
    },
    ranges: ['created', 'sequence'],
    present: withPendingWebhooks,
  }),
  retrieve: lookup({
    method: 'GET',
    path: '/v1/events/:id',
    summary: 'Retrieves an event.',
    params: byId,
    answer: event,
    load: async (reader, params) =>
      withPendingWebhooks(await requireById(reader, 'events', params.id), reader),
  }),

  resend: operation({
    method: 'POST',
    path: '/v1/events/:id/resend',
    summary: 'Sends an event again, at once and with the same id; its retries go on as planned.',
    params: shape(
      { id: id('The id of the event.') },
      { webhook_endpoint: id('Where to; every enabled endpoint that wants it unless given.') },
    ),
    answer: listAnswer('webhook_deliveries'),
    example: {},
    load: async (reader, params) => {
      const event = await requireById(reader, 'events', params.id)
      const told = { event, deliveries: await loadDeliveries(reader, event.id) }
      return { told, targets: await loadTargets(reader, told, params.webhook_endpoint) }
    },
    when: () => realTime,
    decide: ({ told, targets }, _params, context) => {
      const planned = targets.flatMap((endpoint) => planResend(told, endpoint, context) ?? [])
      const waiting = told.deliveries.filter(
        ({ status, trigger, webhook_endpoint }) =>
          status === 'pending' &&
          trigger === 'manual' &&
          targets.some((endpoint) => endpoint.id === webhook_endpoint),
      )
      const data = [...waiting, ...planned.map(({ after }) => after)]
      const result = { object: 'list' as const, url: '/v1/webhook_deliveries', data, has_more: false }
      return { changes: planned, result }
    },
  }),
}

async function loadTargets(
  reader: Reader,
  told: Told,
  named: string | undefined,
): Promise<readonly WebhookEndpoint[]> {
  if (named === undefined) {
    return resendTargets(
      told,
      (await reader.list('webhook_endpoints', { limit: MAX_WEBHOOK_ENDPOINTS })).data,
    )
  }
  const given = { param: 'webhook_endpoint' as const, id: named }
  return [requireEnabled(await requireReferenced(reader, 'webhook_endpoints', given), given.param)]
}

// The stored event says how many endpoints were to be told; how many still wait follows from the deliveries.
async function withPendingWebhooks(event: Event, reader: Reader): Promise<Event> {
  return { ...event, pending_webhooks: countPending(await loadDeliveries(reader, event.id)) }
}
