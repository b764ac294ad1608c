import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import type { EndpointHealth } from '../../../domain/reports/endpoint-health.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { StatusBadge } from '../../components/values.tsx'
import { useApi } from '../../data/use-load.ts'
import { formatDateTime, formatMilliseconds } from '../../format/format-time.ts'
import { getScreenUrl } from '../../routing/router.ts'

/** Maximum number of endpoints whose counts are polled. If there are more endpoints, all counts are read only once. */
const MAX_POLLED = 10
/** The interval is long, because a count reads up to 10,000 attempts. */
const POLL_MS = 10_000

interface EndpointCardsProps {
  readonly endpoints: readonly WebhookEndpoint[]
  /** The id of the endpoint whose deliveries are listed; '' for all endpoints. */
  readonly selected: string
}

const REASONS = {
  api: 'disabled by request',
  gone: 'disabled after a 410 response',
  failing: 'disabled after failing for too long',
  copied: 'disabled because the sandbox is a copy',
} as const

/** Shows each endpoint with its status and the counts of its attempts in the last 24 hours. */
export function EndpointCards({ endpoints, selected }: EndpointCardsProps) {
  return (
    <ul class="columns" aria-label="Webhook endpoints">
      {endpoints.map((endpoint) => {
        const { id, url, status, disabled_reason: reason, enabled_events: types } = endpoint
        return (
          <li key={id} class="panel endpoint">
            <a
              href={getScreenUrl(['webhooks'], selected === id ? {} : { endpoint: id })}
              aria-current={selected === id ? 'page' : undefined}
            >
              {url}
            </a>
            <p class="row">
              <StatusBadge status={status} />
              {reason !== null && <span class="quiet">{REASONS[reason]}</span>}
              <Health endpoint={id} isPolled={endpoints.length <= MAX_POLLED} />
            </p>
            <p class="quiet">{types.includes('*') ? 'all events' : types.join(', ')}</p>
          </li>
        )
      })}
    </ul>
  )
}

/** Shows the counts of all attempts of an endpoint, independent of the filters of the list. */
function Health({ endpoint, isPolled }: { readonly endpoint: string; readonly isPolled: boolean }) {
  const { data } = useApi<EndpointHealth>(
    `/v1/webhook_endpoints/${endpoint}/health`,
    {},
    { isPolled, pollMs: POLL_MS },
  )
  if (data === null) return null
  const { succeeded, failed, pending, oldest_pending_at: oldest, since } = data
  const { duration_ms_p50: median, duration_ms_p95: slow } = data
  const counted = `of ${formatCountWithNoun(succeeded + failed, 'attempt')} since ${formatDateTime(since)} failed`
  return (
    <>
      {succeeded + failed === 0 ? (
        <span class="quiet">no response in 24 hours</span>
      ) : (
        <a href={getScreenUrl(['webhooks'], { endpoint, status: 'failed' })} class={failed > 0 ? 'bad' : ''}>
          {failed} {counted}
        </a>
      )}
      {oldest !== null && (
        <a href={getScreenUrl(['webhooks'], { endpoint, status: 'pending' })}>
          {pending} pending, the oldest since {formatDateTime(oldest)}
        </a>
      )}
      {median !== null && slow !== null && (
        <span class="quiet">
          p50 {formatMilliseconds(median)}, p95 {formatMilliseconds(slow)}
        </span>
      )}
    </>
  )
}
