import type { Event } from '../../../domain/events/events.ts'
import { get, type Page } from '../../data/api-client.ts'
import { type LoadState, useLoad } from '../../data/use-load.ts'

/** The events of a clock. */
export interface ClockEvents {
  /** Oldest first. */
  readonly events: readonly Event[]
  /** Whether there are older events, which are not shown. */
  readonly isTruncated: boolean
}

const PAGE_SIZE = 100
const MAX_PAGES = 10
/** Events arrive faster than a person sees them while a clock advances. */
const DELAY_MS = 200

/** Reads the newest events of a clock, and adds new ones. */
export function useClockEvents(clock: string): LoadState<ClockEvents> {
  return useLoad<ClockEvents>(`events of ${clock}`, (signal, last) => readEvents(clock, last, signal), {
    isRelevant: (entry) => entry.object === 'event' && entry.test_clock === clock,
    delayMs: DELAY_MS,
  })
}

async function readEvents(
  clock: string,
  last: ClockEvents | null,
  signal: AbortSignal,
): Promise<ClockEvents> {
  const newestFirst: Event[] = []
  let hasMore = true
  for (let page = 0; hasMore && page < MAX_PAGES; page += 1) {
    const { data, has_more } = await get<Page<Event>>(
      '/v1/events',
      {
        ...{ test_clock: clock, limit: PAGE_SIZE, starting_after: newestFirst.at(-1)?.id },
        'sequence[gt]': last?.events.at(-1)?.sequence,
      },
      signal,
    )
    newestFirst.push(...data)
    hasMore = has_more
  }
  const events = newestFirst.toReversed()
  // With more new events than it reads, there is a gap after the last ones.
  if (hasMore || last === null) return { events, isTruncated: hasMore }
  return events.length === 0 ? last : { ...last, events: [...last.events, ...events] }
}
