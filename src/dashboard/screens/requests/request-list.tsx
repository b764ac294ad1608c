import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { ChoiceFilterField, FilterBar, TextFilterField } from '../../components/filter-fields.tsx'
import { LoadedListView } from '../../components/loaded-list.tsx'
import { RequestRow } from '../../components/request-row.tsx'
import { EmptyState } from '../../components/states.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { useFilters } from '../../data/use-filters.ts'
import { useList } from '../../data/use-list.ts'
import { useLive } from '../../data/use-live.ts'
import { useNarrow } from '../../data/use-narrow.ts'
import { addLive, toLogQuery } from './request-filters.ts'

const ROW_HEIGHT = { wide: 36, narrow: 60 }
const METHODS = [
  ['', 'All'],
  ...['GET', 'POST', 'DELETE', 'PUT', 'PATCH'].map((method) => [method, method] as const),
] as const
const STATUSES = [
  ['', 'All'],
  ['error', 'Only errors'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
] as const

/** Shows the list of requests with its filters, and adds new requests as they arrive. */
export function RequestList() {
  const { values, set, isFiltered } = useFilters(['method', 'path', 'status'])
  // No event causes a reload, because new requests arrive in a stream.
  const isRelevant = () => false
  const list = useList<RequestLog>({ path: '/v1/request_logs', query: toLogQuery(values), isRelevant })
  const live = useLive()?.requests() ?? []
  const isNarrow = useNarrow()
  const requests = list.items === null ? null : addLive(list.items, live, values)
  return (
    <div class="stack">
      <h1>Requests</h1>
      <FilterBar>
        <ChoiceFilterField
          label="Method"
          value={values.method}
          choices={METHODS}
          onChange={(value) => set('method', value)}
        />
        <ChoiceFilterField
          label="Status"
          value={values.status}
          choices={STATUSES}
          onChange={(value) => set('status', value)}
        />
        <TextFilterField
          label="Path"
          value={values.path}
          placeholder="payments, or /v1/*/refunds"
          onChange={(value) => set('path', value)}
        />
      </FilterBar>
      <LoadedListView list={list} more="Load older requests">
        {requests?.length === 0 && <NoRequests isFiltered={isFiltered} />}
        {requests !== null && requests.length > 0 && (
          <div class="panel list long-list">
            <VirtualList
              label="Requests, newest first"
              items={requests}
              keyOf={({ id }) => id}
              rowHeight={ROW_HEIGHT[isNarrow ? 'narrow' : 'wide']}
              followsStart
              render={(request) => <RequestRow request={request} hasDate />}
            />
          </div>
        )}
      </LoadedListView>
    </div>
  )
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <p class="quiet" role="status">
        No request matches the filters.
      </p>
    )
  return (
    <EmptyState title="No requests yet" command="paycli customers create --email ada@example.com">
      <p>Each request with the API key of this sandbox appears here, with its error.</p>
    </EmptyState>
  )
}
