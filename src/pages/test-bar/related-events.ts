import type { EventWithDeliveries } from '../../domain/webhook-resends.ts'
import type { Runtime } from '../../engine/runtime.ts'

type Store = Runtime['store']

const MAX_OBJECTS = 20
const MAX_EVENTS = 12

/** Loads the newest events of a session or invoice and of the objects it created, newest first. */
export async function loadRelatedEvents(store: Store, id: string): Promise<EventWithDeliveries[]> {
  const ids = new Set([id, ...(await findPaymentIds(store, id)), ...(await findCreatedIds(store, id))])
  const lists = await Promise.all(
    [...ids].map((object_id) => store.list('events', { limit: MAX_EVENTS, where: { object_id } })),
  )
  const newest = lists
    .flatMap(({ data }) => data)
    .toSorted((a, b) => b.sequence - a.sequence)
    .slice(0, MAX_EVENTS)
  return Promise.all(
    newest.map(async (event) => {
      const { data } = await store.list('webhook_deliveries', {
        limit: MAX_EVENTS,
        where: { event: event.id },
      })
      return { event, deliveries: data }
    }),
  )
}

async function findPaymentIds(store: Store, id: string): Promise<string[]> {
  const owners = ['checkout_session', 'payment_session', 'invoice'] as const
  const lists = await Promise.all(
    owners.map((field) => store.list('payments', { limit: MAX_OBJECTS, where: { [field]: id } })),
  )
  return lists.flatMap(({ data }) => data.map((payment) => payment.id))
}

async function findCreatedIds(store: Store, id: string): Promise<string[]> {
  const checkout = await store.get('checkout_sessions', id)
  const card = await store.get('card_sessions', id)
  const created = [
    ...[checkout?.subscription, checkout?.invoice, checkout?.payment_method],
    ...[card?.subscription, card?.payment_method],
  ]
  return created.filter((createdId) => typeof createdId === 'string')
}
