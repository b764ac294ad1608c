import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events/events.ts'
import { listObjects } from './paginate.ts'

const MAX_EVENTS = 5000

/** Returns the sequence number of the newest event that matches a filter, or 0 without such an event. */
export async function readNewestSequence(
  client: Client,
  filter: { readonly test_clock?: string } = {},
): Promise<number> {
  const { data } = await client.call(events.list, { ...filter, limit: 1 })
  return data[0]?.sequence ?? 0
}

/** Returns the newest 5,000 events after a sequence number, oldest first. */
export async function listEventsAfter(client: Client, sequence: number): Promise<readonly Event[]> {
  const { found } = await listObjects(client, events.list, { sequence: { gt: sequence } }, MAX_EVENTS)
  return found.toSorted((a, b) => a.sequence - b.sequence)
}
