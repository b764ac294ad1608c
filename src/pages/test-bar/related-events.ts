import type { HostedSession } from '../../domain/completion/hosted-session.ts'
import type { EventWithDeliveries } from '../../domain/events/webhook-resends.ts'
import type { Runtime } from '../../engine/runtime.ts'

type Store = Runtime['store']

const MAX_OBJECTS = 20
const MAX_EVENTS = 12

/**
 * Loads the newest events of a session, an invoice or a payment, and of related payments and created objects, newest
 * first. `session` is null unless `id` identifies a session.
 */
export async function loadRelatedEvents(
  store: Store,
  id: string,
  session: HostedSession | null,
): Promise<EventWithDeliveries[]> {
  const payments = await findPaymentIds(store, session?.object ?? 'invoice', id)
  const ids = new Set([id, ...payments, ...findCreatedIds(session)])
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

async function findPaymentIds(
  store: Store,
  owner: HostedSession['object'] | 'invoice',
  id: string,
): Promise<string[]> {
  // The payments of card and portal sessions belong to invoices.
  if (owner === 'card_session' || owner === 'portal_session') return []
  const { data } = await store.list('payments', { limit: MAX_OBJECTS, where: { [owner]: id } })
  return data.map((payment) => payment.id)
}

function findCreatedIds(session: HostedSession | null): string[] {
  if (session === null) return []
  const created = [
    'subscription' in session ? session.subscription : null,
    'invoice' in session ? session.invoice : null,
    'payment_method' in session ? session.payment_method : null,
  ]
  return created.filter((id) => typeof id === 'string')
}
