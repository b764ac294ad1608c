import type { Event } from '../../domain/events.ts'
import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import type { Runtime } from '../../engine/runtime.ts'

type Store = Runtime['store']

/** An event and every attempt to hand it over, the newest first. */
export interface Happening {
  readonly event: Event
  readonly deliveries: readonly WebhookDelivery[]
}

const MAX_OBJECTS = 20
const MAX_SHOWN = 12

/** The newest events of a session or an invoice and of all that it made, the newest first. */
export async function loadHappenings(store: Store, id: string): Promise<Happening[]> {
  const ids = new Set([id, ...(await attemptsOf(store, id)), ...(await madeBy(store, id))])
  const lists = await Promise.all(
    [...ids].map((object_id) => store.list('events', { limit: MAX_SHOWN, where: { object_id } })),
  )
  const newest = lists
    .flatMap(({ data }) => data)
    .toSorted((a, b) => b.sequence - a.sequence)
    .slice(0, MAX_SHOWN)
  return Promise.all(
    newest.map(async (event) => {
      const { data } = await store.list('webhook_deliveries', {
        limit: MAX_SHOWN,
        where: { event: event.id },
      })
      return { event, deliveries: data }
    }),
  )
}

async function attemptsOf(store: Store, id: string): Promise<string[]> {
  const by = ['checkout_session', 'payment_session', 'invoice'] as const
  const lists = await Promise.all(
    by.map((field) => store.list('payments', { limit: MAX_OBJECTS, where: { [field]: id } })),
  )
  return lists.flatMap(({ data }) => data.map((payment) => payment.id))
}

async function madeBy(store: Store, id: string): Promise<string[]> {
  const session = await store.get('checkout_sessions', id)
  const made = [session?.subscription, session?.invoice, session?.payment_method]
  return made.filter((one) => typeof one === 'string')
}
