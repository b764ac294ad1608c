import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events.ts'
import { walk } from './paginate.ts'

const MOST_READ = 5000

/** The place of the newest event in the sequence, 0 before the first. */
export async function newestSequence(client: Client): Promise<number> {
  const { data } = await client.call(events.list, { limit: 1 })
  return data[0]?.sequence ?? 0
}

/** The events after a place in the sequence, the oldest first and not without end. */
export async function eventsAfter(client: Client, sequence: number): Promise<readonly Event[]> {
  const asked = { sequence: { gt: sequence } }
  const { found } = await walk((cursor) => client.call(events.list, { ...asked, ...cursor }), MOST_READ)
  return found.toSorted((a, b) => a.sequence - b.sequence)
}
