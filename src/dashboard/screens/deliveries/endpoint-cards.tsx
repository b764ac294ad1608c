import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { get, type Page } from '../../data/api-client.ts'
import { useLoad } from '../../data/use-load.ts'
import { formatDuration } from '../../format/format-time.ts'
import { screenUrl } from '../../routing/router.ts'
import { computeDeliveryStatistics } from './delivery-statistics.ts'

/** The number of attempts in the statistics of an endpoint. */
const COUNTED = 50
/** With more endpoints, their statistics are read once. */
const MAX_POLLED = 10

interface EndpointCardsProps {
  readonly endpoints: readonly WebhookEndpoint[]
  /** The id of the endpoint that the list shows; '' for all. */
  readonly selected: string
}

const REASONS = {
  api: 'disabled by request',
  gone: 'disabled after a 410 response',
  failing: 'disabled after failing for too long',
  copied: 'disabled because the sandbox is a copy',
} as const

/** Shows each endpoint with its status and the statistics of its newest attempts. */
export function EndpointCards({ endpoints, selected }: EndpointCardsProps) {
  return (
    <ul class="columns" aria-label="Webhook endpoints">
      {endpoints.map((endpoint) => {
        const { id, url, status, disabled_reason: reason, enabled_events: types } = endpoint
        return (
          <li key={id} class="panel endpoint">
            <a
              href={screenUrl(['webhooks'], selected === id ? {} : { endpoint: id })}
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

/** Shows the statistics of the newest attempts with a result, whichever attempts the list shows. */
function Health({ endpoint, isPolled }: { readonly endpoint: string; readonly isPolled: boolean }) {
  const { data } = useLoad(
    `health of ${endpoint}`,
    async (signal) => {
      const query = { webhook_endpoint: endpoint, limit: COUNTED }
      const pages = await Promise.all(
        ['failed', 'succeeded'].map((status) =>
          get<Page<WebhookDelivery>>('/v1/webhook_deliveries', { ...query, status }, signal),
        ),
      )
      const newest = pages.flatMap(({ data: own }) => own).sort((a, b) => b.created - a.created)
      return computeDeliveryStatistics(newest.slice(0, COUNTED))
    },
    { isPolled },
  )
  if (data === null) return null
  const { attempts, failed, medianMs } = data
  if (attempts === 0) return <span class="quiet">no response yet</span>
  const text = `${failed} of the newest ${formatCountWithNoun(attempts, 'attempt')} failed`
  return (
    <>
      {failed === 0 ? (
        <span>{text}</span>
      ) : (
        <a href={screenUrl(['webhooks'], { endpoint, status: 'failed' })} class="bad">
          {text}
        </a>
      )}
      {medianMs !== null && <span class="quiet">median {formatDuration(medianMs)}</span>}
    </>
  )
}
