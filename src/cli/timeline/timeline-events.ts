import { events } from '../../api/operations/events.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events.ts'
import { type Walked, walk } from '../request/paginate.ts'
import { findScope } from './timeline-scope.ts'

const MOST_OF_AN_OBJECT = 1000
const MOST_ON_A_CLOCK = 10_000
const MOST_REFUNDS = 100
const CALLS_AT_ONCE = 8

/** What happened to an object and what belongs to it, in order; `isWhole` unless there was too much of it. */
export interface Timeline {
  readonly events: readonly Event[]
  readonly isWhole: boolean
}

/** Reads the timeline of the object of this id. */
export async function readTimeline(client: Client, id: string): Promise<Timeline> {
  if (id.startsWith('clock_')) return clockTimeline(client, id)
  const scope = await findScope(client, id)
  const own = await eventsOf(client, scope.ids)
  const refunded = own.filter(({ found }) => found.some(({ type }) => type === 'payment.refunded'))
  const paymentIds = refunded.flatMap(({ found }) => found.slice(0, 1)).map(({ data }) => data.object.id)
  const refundIds = await inTurns(paymentIds, (payment) => refundsOf(client, payment))
  const given = await eventsOf(client, refundIds.flat())
  return inOrder([...own, ...given], scope.isWhole)
}

// Of a deleted clock all can still be told, so whether it is there is only asked when nothing was found.
async function clockTimeline(client: Client, id: string): Promise<Timeline> {
  const own = await eventsOf(client, [id])
  if (own.every(({ found }) => found.length === 0)) await client.call(testClocks.retrieve, { id })
  const asked = { test_clock: id }
  const lived = await walk((cursor) => client.call(events.list, { ...asked, ...cursor }), MOST_ON_A_CLOCK)
  return inOrder([...own, lived], true)
}

function eventsOf(client: Client, ids: readonly string[]): Promise<Walked<Event>[]> {
  return inTurns(ids, (id) =>
    walk((cursor) => client.call(events.list, { object_id: id, ...cursor }), MOST_OF_AN_OBJECT),
  )
}

async function refundsOf(client: Client, payment: string): Promise<string[]> {
  const { found } = await walk((cursor) => client.call(refunds.list, { payment, ...cursor }), MOST_REFUNDS)
  return found.map(({ id }) => id)
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += CALLS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + CALLS_AT_ONCE).map(work))))
  }
  return results
}

function inOrder(lists: readonly Walked<Event>[], isScopeWhole: boolean): Timeline {
  const found = new Map(lists.flatMap((list) => list.found.map((event) => [event.id, event] as const)))
  const events = [...found.values()].sort((a, b) => a.sequence - b.sequence)
  return { events, isWhole: isScopeWhole && lists.every(({ hasMore }) => !hasMore) }
}
