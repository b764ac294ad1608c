import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import { ChoiceFilterField, FilterBar, TextFilterField } from '../../components/filter-fields.tsx'
import { LoadedListView } from '../../components/loaded-list.tsx'
import { EmptyState, ErrorNote, Loading } from '../../components/states.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import type { Page } from '../../data/api-client.ts'
import { deliverySource } from '../../data/delivery-source.ts'
import { useApi } from '../../data/use-api.ts'
import { useFilters } from '../../data/use-filters.ts'
import { useList } from '../../data/use-list.ts'
import { useNarrow } from '../../data/use-narrow.ts'
import { DeliveryPlot } from './delivery-plot.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { EndpointCards } from './endpoint-cards.tsx'
import { ResendAllButton } from './resend-buttons.tsx'

const ROW_HEIGHT = { wide: 36, narrow: 60 }
const MAX_ENDPOINTS = 100
const STATUSES = [
  ['', 'All'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['pending', 'pending'],
  ['skipped', 'skipped'],
] as const

/** Shows endpoints, their latency and failures over time, and their deliveries. */
export function DeliveryList() {
  const { values, set, isFiltered } = useFilters(['endpoint', 'status', 'event'])
  const endpoints = useApi<Page<WebhookEndpoint>>('/v1/webhook_endpoints', { limit: MAX_ENDPOINTS })
  const query = { webhook_endpoint: values.endpoint, event: values.event.trim() }
  const deliveries = useList(deliverySource({ ...query, status: values.status }))
  const known = endpoints.data?.data ?? []
  const isEmpty = endpoints.data?.data.length === 0 && deliveries.items?.length === 0 && !isFiltered
  return (
    <div class="stack">
      <h1>Webhooks</h1>
      {endpoints.error !== null && <ErrorNote error={endpoints.error} onRetry={endpoints.reload} />}
      <LoadedListView list={deliveries} more="Load older attempts">
        {endpoints.isLoading && deliveries.items !== null && <Loading />}
        {isEmpty && (
          <EmptyState
            title="No webhook endpoint yet"
            command="paycli listen --forward-to localhost:3000/webhooks"
          >
            <p>Events are sent to your handler from then on, and each response appears here.</p>
          </EmptyState>
        )}
        {!isEmpty && !endpoints.isLoading && (
          <>
            <EndpointCards endpoints={known} deliveries={deliveries.items ?? []} selected={values.endpoint} />
            <FilterBar>
              <ChoiceFilterField
                label="Endpoint"
                value={values.endpoint}
                choices={[['', 'All'], ...known.map(({ id, url }) => [id, url] as const)]}
                onChange={(value) => set('endpoint', value)}
              />
              <ChoiceFilterField
                label="Status"
                value={values.status}
                choices={STATUSES}
                onChange={(value) => set('status', value)}
              />
              <TextFilterField
                label="Event"
                value={values.event}
                placeholder="evt_…"
                onChange={(value) => set('event', value)}
              />
              <ResendAllButton query={query} onResent={deliveries.reload} />
            </FilterBar>
            {deliveries.items !== null && <DeliveryPlot deliveries={deliveries.items} />}
            <Attempts deliveries={deliveries.items} endpoints={known} />
          </>
        )}
      </LoadedListView>
    </div>
  )
}

interface AttemptsProps {
  readonly deliveries: readonly WebhookDelivery[] | null
  readonly endpoints: readonly WebhookEndpoint[]
}

function Attempts({ deliveries, endpoints }: AttemptsProps) {
  const isNarrow = useNarrow()
  if (deliveries === null) return null
  if (deliveries.length === 0)
    return (
      <p class="quiet" role="status">
        No delivery attempt matches.
      </p>
    )
  return (
    <div class="panel list long-list">
      <VirtualList
        label="Delivery attempts, newest first"
        items={deliveries}
        keyOf={({ id }) => id}
        rowHeight={ROW_HEIGHT[isNarrow ? 'narrow' : 'wide']}
        followsStart
        render={(delivery) => <DeliveryRow delivery={delivery} hasUrl={endpoints.length > 1} />}
      />
    </div>
  )
}
