import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { createFilterChoices, FilterBar } from '../../components/filter-bar.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { createFieldColumn, ObjectLink } from '../../components/values.tsx'
import { useList } from '../../data/use-list.ts'
import { useFilters } from '../../routing/router.ts'
import { toLogQuery } from './log-query.ts'

const STATUSES = ['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`] as const)
const FIELDS = [
  {
    name: 'method',
    label: 'Method',
    choices: createFilterChoices(['GET', 'POST', 'DELETE', 'PUT', 'PATCH']),
  },
  { name: 'status', label: 'Status', choices: [['', 'All'], ['error', 'Only errors'], ...STATUSES] },
  { name: 'path', label: 'Path', placeholder: 'payments, or /v1/*/refunds' },
] as const

/** The columns of requests. */
export const REQUEST_COLUMNS: readonly DataTableColumn<RequestLog>[] = [
  {
    label: 'Request',
    cell: ({ id, method, path }) => (
      <ObjectLink id={id}>
        <strong>{method}</strong> <code>{path}</code>
      </ObjectLink>
    ),
  },
  createFieldColumn('status'),
  createFieldColumn('created'),
  {
    label: 'Result',
    cell: (log) => (
      <>
        <RequestNotes log={log} />
        {log.error !== null && <bdi class="clip">{log.error.message}</bdi>}
      </>
    ),
  },
  { ...createFieldColumn('duration_ms'), isNumber: true },
]

/** Shows the error of a request, and the fault or the replayed request that determined its response. */
export function RequestNotes({ log: { error, fault, replay_of } }: { readonly log: RequestLog }) {
  return (
    <>
      {error !== null && <code class="bad">{error.code}</code>}
      {fault !== null && <span class="badge waiting">fault</span>}
      {replay_of !== null && <span class="badge">replay</span>}
    </>
  )
}

/** Shows the requests of the application, and adds new requests as they arrive. */
export function RequestsScreen() {
  const { values, isFiltered } = useFilters(['method', 'path', 'status'])
  const list = useList<RequestLog>({
    path: '/v1/request_logs',
    query: toLogQuery(values),
    isRelevant: ({ object }) => object === 'request_log',
  })
  return (
    <div class="stack">
      <h1>Requests</h1>
      <FilterBar fields={FIELDS} />
      <ListView
        {...{ list, columns: REQUEST_COLUMNS, noun: 'request', isFiltered }}
        empty={
          <EmptyState title="No requests yet" command="paycli customers create --email ada@example.com">
            <p>Each request with the API key of this sandbox appears here, with its error.</p>
          </EmptyState>
        }
      />
    </div>
  )
}
