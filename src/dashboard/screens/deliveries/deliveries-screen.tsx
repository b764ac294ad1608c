import type { WebhookEndpoint } from '../../../domain/events/webhook-endpoints.ts'
import { DataTable } from '../../components/data-table.tsx'
import { createFilterChoices, FilterBar } from '../../components/filter-bar.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState, ErrorNote, Panel } from '../../components/placeholders.tsx'
import type { ApiListPage } from '../../data/api-client.ts'
import { useList } from '../../data/use-list.ts'
import { useApi } from '../../data/use-load.ts'
import { setFilters, useFilters } from '../../routing/router.ts'
import { createDeliveryListSource, DELIVERY_COLUMNS } from './delivery-columns.tsx'
import { DeliveryPlot } from './delivery-plot.tsx'
import { EndpointCards } from './endpoint-cards.tsx'
import { ResendAllButton } from './resend-all-button.tsx'

const MAX_ENDPOINTS = 100
const FIELDS = [
  {
    name: 'status',
    label: 'Status',
    choices: createFilterChoices(['succeeded', 'failed', 'pending', 'skipped']),
  },
  { name: 'event', label: 'Event', type: 'id', placeholder: 'evt_…' },
] as const

/** The number of failed attempts above the list of all attempts. */
const MAX_FAILED = 5

/** Shows the endpoints with their health, the latency of attempts, the newest failed deliveries, and all deliveries. */
export function DeliveriesScreen() {
  const { values, isFiltered } = useFilters(['endpoint', 'status', 'event'])
  const { data, error, reload } = useApi<ApiListPage<WebhookEndpoint>>(
    '/v1/webhook_endpoints',
    { limit: MAX_ENDPOINTS },
    // The endpoints are polled, because no event reports that an endpoint was disabled.
    { isPolled: true },
  )
  const { endpoint, event, status } = values
  const query = { webhook_endpoint: endpoint, event }
  const list = useList(createDeliveryListSource({ ...query, status }))
  const failed = useList(createDeliveryListSource({ ...query, status: 'failed' })).items ?? []
  const known = data?.data ?? []
  const enabled = known.filter((one) => one.status === 'enabled').map(({ id }) => id)
  const resent = endpoint === '' ? enabled : [endpoint]
  const columns = DELIVERY_COLUMNS.filter(({ label }) => known.length > 1 || label !== 'Endpoint')
  const urls = [['', 'All'], ...known.map(({ id, url }) => [id, url] as const)] as const
  const hasContents = known.length > 0 || isFiltered || (list.items ?? []).length > 0
  return (
    <div class="stack">
      <h1>Webhooks</h1>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {hasContents && (
        <>
          <EndpointCards endpoints={known} selected={endpoint} />
          <FilterBar fields={[{ name: 'endpoint', label: 'Endpoint', choices: urls }, ...FIELDS]}>
            {event === '' && /^(?:failed)?$/.test(status) && (
              <ResendAllButton endpoints={resent} onResent={list.reload} />
            )}
          </FilterBar>
          {list.items !== null && <DeliveryPlot deliveries={list.items} />}
        </>
      )}
      {status === '' && failed.length > 0 && (
        <Panel title="Failed attempts">
          <DataTable
            {...{ label: 'Newest failed attempts', columns, items: failed.slice(0, MAX_FAILED) }}
            keyOf={({ id }) => id}
          />
          <button type="button" onClick={() => setFilters({ status: 'failed' })}>
            Show all failed attempts
          </button>
        </Panel>
      )}
      <ListView
        {...{ list, columns, noun: 'attempt', isFiltered }}
        empty={
          hasContents || data === null ? (
            <p role="status">No delivery yet.</p>
          ) : (
            <EmptyState
              title="No webhook endpoint yet"
              command="paycli listen --forward-to localhost:3000/webhooks"
            >
              <p>Events are sent to your handler from then on, and each response appears here.</p>
            </EmptyState>
          )
        }
      />
    </div>
  )
}
