import { disputes } from '../../api/operations/disputes.ts'
import { events } from '../../api/operations/events.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import { webhookDeliveries } from '../../api/operations/webhook-deliveries.ts'
import type { Client } from '../../client/client.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { ignoreApiError } from '../request/customer-name.ts'
import { listObjects, type PaginatedList } from '../request/paginate.ts'
import { findTimelineObjectIds } from './timeline-scope.ts'

const MAX_OBJECT_EVENTS = 1000
const MAX_CLOCK_EVENTS = 10_000
/** Maximum number of refunds, or of disputes, of one payment. */
const MAX_OF_PAYMENT = 100
/** Maximum number of events of one object whose deliveries can be listed completely. */
const MAX_DELIVERED_EVENTS = 500
const MAX_PAGE_DELIVERIES = 100
const MAX_PARALLEL_CALLS = 8

/** Reads the events of an object and its related objects, in order; `isWhole` is false when events were omitted. */
export async function readTimeline(client: Client, id: string) {
  if (id.startsWith('clock_')) return clockTimeline(client, id)
  const scope = await findTimelineObjectIds(client, id)
  const own = await eventsOf(client, scope.ids)
  const refunded = await mapInBatches(paymentsWith('payment.refunded', own), (payment) =>
    listObjects(client, refunds.list, { payment }, MAX_OF_PAYMENT),
  )
  // A payment without a `payment.updated` event has no dispute.
  const disputed = await mapInBatches(paymentsWith('payment.updated', own), (payment) =>
    listObjects(client, disputes.list, { payment }, MAX_OF_PAYMENT),
  )
  const ids = [...refunded, ...disputed].flatMap(({ found }) => found.map((one) => one.id))
  return mergeEvents([...own, ...(await eventsOf(client, ids))], scope.isWhole)
}

/**
 * Returns the result of the deliveries of each event, by id, such as `delivered 200`. Empty if the server has no
 * deliveries; null for too many events or deliveries, and for a key that cannot read deliveries.
 */
export async function readDeliveryResults(
  client: Client,
  timeline: readonly Event[],
): Promise<ReadonlyMap<string, string> | null> {
  if (timeline.length > MAX_DELIVERED_EVENTS) return null
  const list = (filter: { readonly object_id?: string }, max: number) =>
    listObjects(client, webhookDeliveries.list, filter, max).catch(ignoreApiError)
  // One page often contains all deliveries of the server. Else, read the deliveries of each object.
  const newest = await list({}, MAX_PAGE_DELIVERIES)
  if (newest?.found.length === 0) return new Map()
  const objects = new Set(timeline.map(({ data }) => data.object.id))
  const lists = newest?.hasMore
    ? await mapInBatches([...objects], (object_id) => list({ object_id }, MAX_OBJECT_EVENTS))
    : [newest]
  if (lists.some((one) => one === null || one.hasMore)) return null
  const sent = Map.groupBy(
    lists.flatMap((one) => one?.found ?? []),
    ({ event }) => event,
  )
  return new Map(timeline.map(({ id }) => [id, describeDeliveries(sent.get(id) ?? [])]))
}

/** Describes the newest attempt at each endpoint that is not pending. `deliveries` are newest first. */
function describeDeliveries(deliveries: readonly WebhookDelivery[]): string {
  const attempts = Object.values(Object.groupBy(deliveries, (one) => one.webhook_endpoint))
  const results = attempts.map((all = []) => {
    const { status, http_status, error } = all.find((one) => one.status !== 'pending') ?? {}
    if (status === 'succeeded') return `delivered ${http_status}`
    return status === 'failed' ? `failed ${http_status ?? error}` : (status ?? 'pending')
  })
  return [...new Set(results)].join(' and ') || 'no delivery'
}

/** Returns the ids of the payments that have an event of a type. */
function paymentsWith(type: EventType, lists: readonly PaginatedList<Event>[]): string[] {
  const having = lists.filter(({ found }) => found.some((event) => event.type === type))
  return having.flatMap(({ found }) => found.slice(0, 1)).map(({ data }) => data.object.id)
}

// A deleted clock still has events, so only a clock without events is looked up.
async function clockTimeline(client: Client, id: string) {
  const own = await eventsOf(client, [id])
  if (own.every(({ found }) => found.length === 0)) await client.call(testClocks.retrieve, { id })
  const clockEvents = await listObjects(client, events.list, { test_clock: id }, MAX_CLOCK_EVENTS)
  return mergeEvents([...own, clockEvents], true)
}

function eventsOf(client: Client, ids: readonly string[]): Promise<PaginatedList<Event>[]> {
  return mapInBatches(ids, (id) => listObjects(client, events.list, { object_id: id }, MAX_OBJECT_EVENTS))
}

async function mapInBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += MAX_PARALLEL_CALLS) {
    results.push(...(await Promise.all(items.slice(start, start + MAX_PARALLEL_CALLS).map(work))))
  }
  return results
}

function mergeEvents(lists: readonly PaginatedList<Event>[], isScopeWhole: boolean) {
  const found = new Map(lists.flatMap((list) => list.found.map((event) => [event.id, event] as const)))
  const events = [...found.values()].sort((a, b) => a.sequence - b.sequence)
  return { events, isWhole: isScopeWhole && lists.every(({ hasMore }) => !hasMore) }
}
