import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { ListView } from '../../components/list-view.tsx'
import { Panel } from '../../components/placeholders.tsx'
import type { ApiListPage } from '../../data/api-client.ts'
import type { LiveEntry } from '../../data/live-feed.ts'
import { useList } from '../../data/use-list.ts'
import { useApi } from '../../data/use-load.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { REQUEST_COLUMNS } from './requests-screen.tsx'

const REFRESH = { isRelevant: ({ object }: LiveEntry) => object === 'request_log', delayMs: 1000 }

interface ObjectRequestsProps extends Pick<ObjectDetailsProps, 'story'> {
  readonly id: string
}

/**
 * Lists the changes and the rejected requests whose bodies contain the id of an object, whose path contains the id of
 * the object or of a related object, or which caused an event of its history, with their repetitions.
 */
export function ObjectRequests({ id, story: { scope, history } }: ObjectRequestsProps) {
  const { data: containing } = useApi<Pick<ApiListPage<string>, 'data'>>(
    '/request_bodies',
    { object_id: id },
    REFRESH,
  )
  const known = new Set([
    ...(containing?.data ?? []),
    ...(history?.events ?? []).flatMap(({ request }) => request?.id ?? []),
  ])
  const list = useList<RequestLog>({
    ...{ path: '/v1/request_logs', query: {}, ...REFRESH },
    isWanted: ({ id: request, method, path, status, replay_of }) =>
      (method !== 'GET' || status >= 400) &&
      (known.has(request) || known.has(replay_of ?? '') || scope.some((one) => path.includes(one))),
  })
  return (
    <Panel title="Requests about it" label="Requests">
      <ListView
        {...{ list, columns: REQUEST_COLUMNS, noun: 'request' }}
        empty={<p class="quiet">No stored request is about it.</p>}
      />
    </Panel>
  )
}
