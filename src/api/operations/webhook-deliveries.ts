import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import * as p from '../../domain/core/params.ts'
import {
  presentDelivery,
  releasePendingDelivery,
  webhookDeliverySchema,
} from '../../domain/events/webhook-deliveries.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { ListQuery, StoreReader } from '../../store/port/store.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'

/** The maximum number of matching events whose deliveries are listed, for a filter by event type or object. */
const MAX_EVENTS = 500

/** Operations on webhook deliveries, each of which is one delivery attempt. */
export const webhookDeliveries = {
  list: defineListOperation('webhook_deliveries', webhookDeliverySchema, {
    summary: 'Lists delivery attempts, newest first.',
    description:
      'Filter by event, type or object of the event, endpoint or status, such as `status=failed`, to see the responses of your handler.',
    filters: {
      event: p.id('Only attempts to deliver this event.'),
      type: p.choice(EVENT_TYPES, `Only attempts to deliver the newest ${MAX_EVENTS} events of this type.`),
      object_id: p.id(`Only attempts to deliver the newest ${MAX_EVENTS} events of this object.`),
      ...createFieldFilters(webhookDeliverySchema, {
        webhook_endpoint: 'Only attempts to this endpoint.',
        status: 'Only attempts with this status.',
      }),
    },
    resolve: toEventFilter,
    present: async (delivery) => presentDelivery(delivery),
  }),
  retrieve: defineRetrieveOperation('webhook_deliveries', webhookDeliverySchema, {
    summary: 'Retrieves a delivery attempt.',
    description:
      'Returns the request headers without secrets, the response of your handler up to 16 KiB, the duration in milliseconds and the time of the next attempt.',
    present: async (delivery) => presentDelivery(delivery),
  }),

  send: defineWriteOperation({
    path: '/v1/webhook_deliveries/:id/send',
    summary: 'Sends a pending delivery now.',
    description:
      'Sends a retry before its scheduled time, or a delivery that a fault delays or holds. The delivery is sent in the background. If the delivery is no longer pending, resend its event instead.',
    params: idParams,
    response: webhookDeliverySchema,
    example: {},
    load: async (reader, { id }) => requireById(reader, 'webhook_deliveries', id),
    when: () => REAL_TIME,
    decide: (delivery) => {
      const sent = releasePendingDelivery(delivery)
      return { changes: [sent], result: presentDelivery(sent.after) }
    },
  }),
}

// Replaces filters by event type or object with event ids, because a delivery contains only the id of its event.
async function toEventFilter(
  { type, object_id, ...where }: NonNullable<ListQuery['where']>,
  reader: StoreReader,
): Promise<NonNullable<ListQuery['where']>> {
  const wanted = { ...(type && { type }), ...(object_id && { object_id }) }
  if (Object.keys(wanted).length === 0) return where
  if (typeof where['event'] === 'string') {
    // Read the event by id, because it may be older than the newest `MAX_EVENTS` events.
    const event = await reader.get('events', where['event'])
    const objectId = event?.data.object.id
    const isWanted = (type ?? event?.type) === event?.type && (object_id ?? objectId) === objectId
    return isWanted ? where : { ...where, event: [] }
  }
  const { data } = await reader.list('events', { where: wanted, limit: MAX_EVENTS })
  return { ...where, event: data.map(({ id }) => id) }
}
