import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import { Link } from '../../components/links.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { formatDuration } from '../../format/format-duration.ts'
import { screenUrl } from '../../routing/router.ts'
import { type DeliveryStatistics, summarizeDeliveries } from './delivery-statistics.ts'

interface EndpointCardsProps {
  readonly endpoints: readonly WebhookEndpoint[]
  /** The newest attempts, of which the cards show the statistics. */
  readonly deliveries: readonly WebhookDelivery[]
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
export function EndpointCards({ endpoints, deliveries, selected }: EndpointCardsProps) {
  return (
    <ul class="columns" aria-label="Webhook endpoints">
      {endpoints.map((endpoint) => {
        const { id, url, status, disabled_reason: reason, enabled_events: types } = endpoint
        const own = deliveries.filter(({ webhook_endpoint }) => webhook_endpoint === id)
        return (
          <li key={id} class="panel endpoint">
            <Link
              href={screenUrl(['webhooks'], selected === id ? {} : { endpoint: id })}
              isCurrent={selected === id}
            >
              {url}
            </Link>
            <p class="row">
              <StatusBadge status={status} />
              {reason !== null && <span class="quiet">{REASONS[reason]}</span>}
              <Health statistics={summarizeDeliveries(own)} />
            </p>
            <p class="quiet">{types.includes('*') ? 'all events' : types.join(', ')}</p>
          </li>
        )
      })}
    </ul>
  )
}

function Health({ statistics }: { readonly statistics: DeliveryStatistics }) {
  const { attempts, failed, medianMs } = statistics
  if (attempts === 0) return <span class="quiet">no responses in the list</span>
  return (
    <>
      <span class={failed > 0 ? 'bad' : ''}>
        {failed} of {attempts} listed attempts failed
      </span>
      {medianMs !== null && <span class="quiet">median {formatDuration(medianMs)}</span>}
    </>
  )
}
