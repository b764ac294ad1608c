import { EVENT_TYPES } from '../domain/event-types.ts'
import type { Event } from '../domain/events.ts'
import type { Reader } from '../store/store.ts'
import { listOperation } from './lists.ts'
import { lookup } from './operation.ts'
import { event } from './resources/events.ts'
import { byId, requireById } from './retrieving.ts'
import { choice, id, list } from './schema.ts'

const MAX_TYPES = 20
const MAX_DELIVERIES_COUNTED = 1000

/** What happened, each with the object as it was and what it had been before. */
export const events = {
  list: listOperation({
    collection: 'events',
    path: '/v1/events',
    summary: 'Lists events, newest first.',
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
}

// The stored event says how many endpoints were to be told; how many still wait follows from the deliveries.
async function withPendingWebhooks(event: Event, reader: Reader): Promise<Event> {
  if (event.pending_webhooks === 0) return event
  const query = { where: { event: event.id }, limit: MAX_DELIVERIES_COUNTED }
  const { data } = await reader.list('webhook_deliveries', query)
  const told = new Set(data.filter(({ status }) => status === 'succeeded').map((one) => one.webhook_endpoint))
  return { ...event, pending_webhooks: Math.max(0, event.pending_webhooks - told.size) }
}
