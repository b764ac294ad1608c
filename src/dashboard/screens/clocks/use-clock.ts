import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Customer } from '../../../domain/payments/customers.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { get, type Page, RequestError } from '../../data/api-client.ts'
import { type LoadState, useApi } from '../../data/use-api.ts'
import { useNewEvents } from '../../data/use-live.ts'
import { latestTarget } from './advance-targets.ts'
import { type AxisEvent, type Projection, toAxisEvents, toProjectedEvents } from './axis-events.ts'
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
  readonly reload: () => void
}

/** Reads a clock with its events, projection and customers, and again after events of the clock. */
export function useClock(id: string, until: number): ClockData {
  const clock = useApi<TestClock>(`/v1/test_helpers/test_clocks/${id}`)
  const events = useClockEvents(id)
  const now = clock.data?.frozen_time ?? null
  const isReady = clock.data?.status === 'ready'
  const projection = useClockProjection(clock.data, until)
  const customers = useApi<Page<Customer>>('/v1/customers', { test_clock: id, limit: 100 })
  const reload = useCallback(() => {
    clock.reload()
    customers.reload()
  }, [clock.reload, customers.reload])
  const isOfClock = ({ test_clock, data }: { test_clock: string | null; data: { object: { id: string } } }) =>
    test_clock === id || data.object.id === id
  // During an advance, events arrive by the stream, and each one would make a projection outdated.
  useNewEvents((event) => isOfClock(event) && (isReady || event.type.startsWith('test_clock.')), reload)
  const past = useMemo(() => (events.events === null ? null : toAxisEvents(events.events)), [events.events])
  const projected = useMemo(() => {
    const all = projection.data === null ? [] : toProjectedEvents(projection.data)
    return all.filter(({ created }) => created > (now ?? 0))
  }, [projection.data, now])
  const emails = useMemo(
    () => new Map(customers.data?.data.map(({ id: customer, email }) => [customer, email])),
    [customers.data],
  )
  return {
    ...{ clock, past, projected, emails, reload, isTruncated: events.isTruncated },
    hasMoreProjected: projection.data?.has_more ?? false,
    errors: [events.error, isReady ? projection.error : null].filter((error) => error !== null),
  }
}

interface ReadProjection {
  readonly data: Projection | null
  readonly error: RequestError | null
}

/** Reads the projection of a clock after each read of the clock. Keeps the last projection while the clock advances. */
function useClockProjection(clock: TestClock | null, until: number): ReadProjection {
  const [state, setState] = useState<ReadProjection>({ data: null, error: null })
  const isFar = clock !== null && until > clock.frozen_time + DEFAULT_YEARS_SECONDS
  useEffect(() => {
    // The API rejects a projection of a clock that is advancing or has failed.
    if (clock?.status !== 'ready') return
    const controller = new AbortController()
    const query = {
      ...{ test_clock: clock.id, limit: MAX_PROJECTED },
      until: isFar ? latestTarget(clock.frozen_time) : undefined,
    }
    get<Projection>('/v1/projections', query, controller.signal)
      .then((data) => setState({ data, error: null }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setState((last) => ({ ...last, error }))
      })
    return () => controller.abort()
  }, [clock, isFar])
  return clock?.status === 'internal_failure' ? { data: null, error: null } : state
}
