import { useMemo } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import type { Customer } from '../../../domain/payments/customers.ts'
import type { Projection } from '../../../domain/reports/projections.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { type ApiListPage, get } from '../../data/api-client.ts'
import type { LiveEntry } from '../../data/live-feed.ts'
import { type LoadState, useApi, useLoad } from '../../data/use-load.ts'
import { getLatestTarget } from './advance-targets.ts'
import { toAxisEvents } from './axis-events.ts'
import { groupByLane } from './lanes.ts'

const MAX_PROJECTED = 500
/** The duration in seconds that the API projects if `until` is missing. */
const DEFAULT_YEARS_SECONDS = 3 * 365 * 86_400
const PAGE_SIZE = 100
const MAX_PAGES = 10
/** Delay between reads during an advance, because events arrive faster than a person can follow. */
const DELAY_MS = 200

/** A clock with its past and projected events, oldest first. `past` is null until the past events are read. */
export type ClockData = ReturnType<typeof useClockTimeline>

/** Reads a clock with its events, projection and customers, and reads them again after events of the clock. */
export function useClockTimeline(id: string, until: number) {
  // Ignore other events during an advance, because each event would make the projection outdated.
  const isRelevant = (entry: LiveEntry) =>
    entry.object === 'event' &&
    (entry.data.object.id === id || (entry.test_clock === id && clock.data?.status === 'ready'))
  const clock: LoadState<TestClock> = useApi(`/v1/test_helpers/test_clocks/${id}`, {}, { isRelevant })
  const events = useLoad<ClockEvents>(`events of ${id}`, (signal, last) => readEvents(id, last, signal), {
    isRelevant: (entry) => entry.object === 'event' && entry.test_clock === id,
    delayMs: DELAY_MS,
  })
  const now = clock.data?.frozen_time ?? 0
  const projection = useClockProjection(clock.data, until)
  const customers = useApi<ApiListPage<Customer>>(
    '/v1/customers',
    { test_clock: id, limit: 100 },
    { isRelevant },
  )
  const past = useMemo(() => events.data && toAxisEvents(events.data.events), [events.data])
  const projected = useMemo(
    () => toAxisEvents(projection.data?.data ?? []).filter(({ created }) => created > now),
    [projection.data, now],
  )
  const lanes = useMemo(() => {
    const emails = new Map(customers.data?.data.map(({ id: customer, email }) => [customer, email]))
    return groupByLane([...(past ?? []), ...projected], emails)
  }, [past, projected, customers.data])
  const isReady = clock.data?.status === 'ready'
  return {
    ...{ clock, past, projected, lanes, isTruncated: events.data?.isTruncated ?? false },
    hasMoreProjected: projection.data?.has_more ?? false,
    errors: [events.error, isReady ? projection.error : null].filter((error) => error !== null),
  }
}

interface ClockEvents {
  /** The events, oldest first. */
  readonly events: readonly Event[]
  /** Whether there are older events, which are not shown. */
  readonly isTruncated: boolean
}

/** Reads the newest events of a clock, and appends new events to the events of the last read. */
async function readEvents(
  clock: string,
  last: ClockEvents | null,
  signal: AbortSignal,
): Promise<ClockEvents> {
  const newestFirst: Event[] = []
  let hasMore = true
  for (let page = 0; hasMore && page < MAX_PAGES; page += 1) {
    const query = {
      ...{ test_clock: clock, limit: PAGE_SIZE, starting_after: newestFirst.at(-1)?.id },
      'sequence[gt]': last?.events.at(-1)?.sequence,
    }
    const { data, has_more } = await get<ApiListPage<Event>>('/v1/events', query, signal)
    newestFirst.push(...data)
    hasMore = has_more
  }
  const events = newestFirst.toReversed()
  // If one read cannot return all new events, the older events are dropped to avoid a gap.
  if (hasMore || last === null) return { events, isTruncated: hasMore }
  return events.length === 0 ? last : { ...last, events: [...last.events, ...events] }
}

/** Reads the projection of a clock after each read of the clock. Keeps the last projection while the clock advances. */
function useClockProjection(clock: TestClock | null, until: number): LoadState<Projection | null> {
  const isFar = clock !== null && until > clock.frozen_time + DEFAULT_YEARS_SECONDS
  const hasFuture = clock !== null && clock.status !== 'internal_failure'
  return useLoad<Projection | null>(
    hasFuture ? `projection of ${clock.id}` : null,
    async (signal, last) => {
      // The API rejects a projection of a clock that is advancing or has failed.
      if (clock?.status !== 'ready') return last
      const query = {
        ...{ test_clock: clock.id, limit: MAX_PROJECTED },
        until: isFar ? getLatestTarget(clock.frozen_time) : undefined,
      }
      return get('/v1/projections', query, signal)
    },
    { after: [clock, isFar] },
  )
}
