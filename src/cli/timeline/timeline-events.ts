import { events } from '../../api/operations/events.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events/events.ts'
import { listObjects, type PaginatedList } from '../request/paginate.ts'
import { findTimelineScope } from './timeline-scope.ts'

const MAX_OBJECT_EVENTS = 1000
const MAX_CLOCK_EVENTS = 10_000
const MAX_REFUNDS = 100
const MAX_PARALLEL_CALLS = 8

/** Reads the events of an object and its related objects, in order; `isWhole` is false when events were omitted. */
export async function readTimeline(client: Client, id: string) {
  if (id.startsWith('clock_')) return clockTimeline(client, id)
  const scope = await findTimelineScope(client, id)
  const own = await eventsOf(client, scope.ids)
  const refunded = own.filter(({ found }) => found.some(({ type }) => type === 'payment.refunded'))
  const paymentIds = refunded.flatMap(({ found }) => found.slice(0, 1)).map(({ data }) => data.object.id)
  const lists = await mapInBatches(paymentIds, (payment) =>
    listObjects(client, refunds.list, { payment }, MAX_REFUNDS),
  )
  const refundIds = lists.flatMap(({ found }) => found.map(({ id: refund }) => refund))
  const refundEvents = await eventsOf(client, refundIds)
  return mergeEvents([...own, ...refundEvents], scope.isWhole)
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
