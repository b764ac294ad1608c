import { Link } from '../../components/links.tsx'
import { screenUrl } from '../../routing/router.ts'
import type { DeliveriesByEvent } from './activity-rows.ts'
import { useArrivalRates } from './use-feed-sample.ts'

interface CountersProps {
  readonly deliveries: DeliveriesByEvent
  readonly hasEndpoint: boolean
}

/** Shows the rates of requests and events, and the number of failed deliveries. */
export function ActivityCounters({ deliveries, hasEndpoint }: CountersProps) {
  const { events, requests } = useArrivalRates()
  const failed = [...deliveries.values()].flat().filter(({ settled }) => settled?.status === 'failed').length
  return (
    <p class="row push">
      <span>
        <strong>{formatRate(requests)}</strong> requests/s
      </span>
      <span>
        <strong>{formatRate(events)}</strong> events/s
      </span>
      {hasEndpoint ? (
        <Link
          href={screenUrl(['webhooks'], failed > 0 ? { status: 'failed' } : {})}
          class={failed > 0 ? 'bad' : ''}
        >
          <strong>{failed}</strong> failed {failed === 1 ? 'delivery' : 'deliveries'}
        </Link>
      ) : (
        <span class="quiet">No webhook endpoint</span>
      )}
    </p>
  )
}

function formatRate(rate: number): string {
  return rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
}
