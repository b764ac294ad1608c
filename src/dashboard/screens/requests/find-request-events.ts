import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'

/** Reads a page of the list of events, newest first. */
export type ReadEvents = (
  query: Readonly<Record<string, string | number>>,
) => Promise<{ readonly data: readonly Event[]; readonly has_more: boolean }>

const PAGE_SIZE = 100
/** Maximum number of events that are searched before the start of the request, and again after it. */
const MAX_SEARCHED = 1000

/**
 * Finds the events of a request, sorted by sequence number. The list of events has no filter for a request, and events
 * on test clocks have the time of their clock. Therefore, the function searches the events after the last real-time
 * event before the request.
 */
export async function findRequestEvents(
  request: Pick<RequestLog, 'id' | 'created' | 'duration_ms'>,
  read: ReadEvents,
): Promise<readonly Event[]> {
  const start = request.created - Math.ceil(request.duration_ms / 1000) - 1
  let sequence = await findAnchor(start, read)
  const found: Event[] = []
  for (let searched = 0; searched < MAX_SEARCHED; searched += PAGE_SIZE) {
    const bounds = { 'sequence[gt]': sequence, 'sequence[lte]': sequence + PAGE_SIZE, limit: PAGE_SIZE }
    const { data } = await read(bounds)
    const own = data.filter((event) => event.request?.id === request.id)
    found.unshift(...own)
    // The events of a request are stored in one transaction, so they are consecutive.
    const isComplete = found.length > 0 && data[0]?.request?.id !== request.id
    if (isComplete || data.length === 0) break
    sequence += PAGE_SIZE
  }
  return found.toSorted((a, b) => a.sequence - b.sequence)
}

/**
 * Returns the sequence number of the newest real-time event before `start`; 0 without such an event, or the oldest
 * searched number.
 */
async function findAnchor(start: number, read: ReadEvents): Promise<number> {
  let after: Readonly<Record<string, string>> = {}
  let oldest = 0
  for (let searched = 0; searched < MAX_SEARCHED; searched += PAGE_SIZE) {
    const page = await read({ 'created[lt]': start, limit: PAGE_SIZE, ...after })
    const anchor = page.data.find((event) => event.test_clock === null)
    if (anchor !== undefined) return anchor.sequence
    const last = page.data.at(-1)
    if (last === undefined || !page.has_more) return 0
    after = { starting_after: last.id }
    oldest = last.sequence
  }
  return oldest
}
