import { useMemo } from 'preact/hooks'
import type { Customer } from '../../../domain/payments/customers.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { get, type Page, type RequestError } from '../../data/api-client.ts'
import type { ProjectionResponse } from '../../data/report-types.ts'
import type { LiveEntry } from '../../data/live-feed.ts'
import { type LoadState, useApi, useLoad } from '../../data/use-load.ts'
import { latestTarget } from './advance-targets.ts'
import { type AxisEvent, toAxisEvents, toProjectedEvents } from './axis-events.ts'
import { useClockEvents } from './use-clock-events.ts'

const MAX_PROJECTED = 500
/** Without `until`, the API computes three years. */
const DEFAULT_YEARS_SECONDS = 3 * 365 * 86_400

/** A clock with its past and projected events. */
export interface ClockData {
  readonly clock: LoadState<TestClock>
  /** Oldest first; null until they are read. */
  readonly past: readonly AxisEvent[] | null
  readonly projected: readonly AxisEvent[]
  readonly hasMoreProjected: boolean
  readonly errors: readonly RequestError[]
  /** Whether older events exist that are not shown. */
  readonly isTruncated: boolean
  /** The e-mail addresses of customers by id. */
  readonly emails: ReadonlyMap<string, string>
}

/** Reads a clock with its events, projection and customers, and again after events of the clock. */
export function useClock(id: string, until: number): ClockData {
  // During an advance, each event would make a projection outdated.
  const isRelevant = (entry: LiveEntry) =>
    entry.object === 'event' &&
    (entry.data.object.id === id || (entry.test_clock === id && clock.data?.status === 'ready'))
  const clock: LoadState<TestClock> = useApi(`/v1/test_helpers/test_clocks/${id}`, {}, { isRelevant })
  const events = useClockEvents(id)
  const now = clock.data?.frozen_time ?? 0
  const projection = useClockProjection(clock.data, until)
  const customers = useApi<Page<Customer>>('/v1/customers', { test_clock: id, limit: 100 }, { isRelevant })
  const past = useMemo(() => events.data && toAxisEvents(events.data.events), [events.data])
  const projected = useMemo(() => {
    const all = projection.data === null ? [] : toProjectedEvents(projection.data)
    return all.filter(({ created }) => created > now)
  }, [projection.data, now])
  const emails = useMemo(
    () => new Map(customers.data?.data.map(({ id: customer, email }) => [customer, email])),
    [customers.data],
  )
  const isReady = clock.data?.status === 'ready'
  return {
    ...{ clock, past, projected, emails, isTruncated: events.data?.isTruncated ?? false },
    hasMoreProjected: projection.data?.has_more ?? false,
    errors: [events.error, isReady ? projection.error : null].filter((error) => error !== null),
  }
}

/** Reads the projection of a clock after each read of the clock. Keeps the last projection while the clock advances. */
function useClockProjection(clock: TestClock | null, until: number): LoadState<ProjectionResponse | null> {
  const isFar = clock !== null && until > clock.frozen_time + DEFAULT_YEARS_SECONDS
  const hasFuture = clock !== null && clock.status !== 'internal_failure'
  return useLoad<ProjectionResponse | null>(
    hasFuture ? `projection of ${clock.id}` : null,
    async (signal, last) => {
      // The API rejects a projection of a clock that is advancing or has failed.
      if (clock?.status !== 'ready') return last
      const query = {
        ...{ test_clock: clock.id, limit: MAX_PROJECTED },
        until: isFar ? latestTarget(clock.frozen_time) : undefined,
      }
      return get('/v1/projections', query, signal)
    },
    { after: [clock, isFar] },
  )
}
