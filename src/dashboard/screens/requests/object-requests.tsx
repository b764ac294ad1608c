import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { ListView } from '../../components/list-view.tsx'
import { Panel } from '../../components/placeholders.tsx'
import type { LiveEntry } from '../../data/live-feed.ts'
import { useList } from '../../data/use-list.ts'
import { useApi } from '../../data/use-load.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { REQUEST_COLUMNS } from './requests-screen.tsx'

const REFRESH = { isRelevant: ({ object }: LiveEntry) => object === 'request_log', delayMs: 1000 }

/**
 * Lists the write requests and the rejected requests of an object, with their repetitions and keys. Requests are
 * selected by the object's id in the body, by this id or a related id in the path, or by their events.
 */
export function ObjectRequests({ object: { id }, details: { scope, history } }: ObjectDetailsProps) {
  const { data: containing } = useApi<{ readonly data: readonly NonNullable<Event['request']>[] }>(
    '/request_bodies',
    { object_id: id },
    REFRESH,
  )
  const causes = (history?.events ?? []).flatMap(({ request }) => request ?? [])
  const keys = new Map(
    [...causes, ...(containing?.data ?? [])].map(({ id: request, idempotency_key: key }) => [request, key]),
  )
  const keyColumn: DataTableColumn<RequestLog> = {
    label: 'Idempotency key',
    cell({ id: request, method }) {
      const key = keys.get(request)
      if (key === undefined || method !== 'POST') return null
      return <bdi class={key === null ? 'quiet' : 'clip'}>{key ?? 'none'}</bdi>
    },
  }
  const list = useList<RequestLog>({
    ...{ path: '/v1/request_logs', query: {}, ...REFRESH },
    isWanted: ({ id: request, method, path, status, replay_of }) =>
      (method !== 'GET' || status >= 400) &&
      (keys.has(request) || keys.has(replay_of ?? '') || scope.some((one) => path.includes(one))),
  })
  return (
    <Panel title="Requests for this object" label="Requests">
      <ListView
        {...{ list, columns: [...REQUEST_COLUMNS.slice(0, -1), keyColumn], noun: 'request' }}
        empty={<p class="quiet">No request for this object is stored.</p>}
      />
    </Panel>
  )
}
