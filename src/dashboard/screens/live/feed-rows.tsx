import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { DeliveryResult } from '../../components/delivery-result.tsx'
import { EventLine } from '../../components/event-line.tsx'
import { ObjectLink, StatusBadge } from '../../components/values.tsx'
import type { DeliveryState } from '../../data/delivery-states.ts'
import { formatDateTime, formatMilliseconds, formatTimeOfDay } from '../../format/format-time.ts'
import { RequestNotes } from '../requests/requests-screen.tsx'
import type { ActivityGroup } from './group-activity.ts'

/** Shows the heading of a group: the request, or the cause of events without a logged request. */
export function ActivityGroupRow({ group }: { readonly group: ActivityGroup }) {
  const { request, requestId, events } = group
  if (request !== null) return <RequestRow request={request} />
  const [first] = events
  if (first === undefined) return null
  const { created, test_clock: clock } = first
  return (
    <div class="row feed-row feed-group">
      <span class="quiet">
        {clock === null || requestId !== null ? formatTimeOfDay(created) : formatDateTime(created)}
      </span>
      {requestId === null ? (
        <span class="feed-main ellipsis">
          {clock === null ? 'Scheduler or hosted page' : 'On the test clock '}
          {clock !== null && <ObjectLink id={clock} />}
        </span>
      ) : (
        <span class="feed-main ellipsis">
          Request <ObjectLink id={requestId} /> is running, or is not logged
        </span>
      )}
    </div>
  )
}

function RequestRow({ request }: { readonly request: RequestLog }) {
  const { id, created, method, path, status, duration_ms: duration } = request
  return (
    <div class="row feed-row feed-group">
      <span class="quiet">{formatTimeOfDay(created)}</span>
      <StatusBadge status={status} />
      <span class="feed-main ellipsis">
        <ObjectLink id={id}>
          <strong>{method}</strong> <code>{path}</code>
        </ObjectLink>
      </span>
      <span class="row feed-side">
        <RequestNotes log={request} />
        <span class="quiet amount">{formatMilliseconds(duration)}</span>
      </span>
    </div>
  )
}

interface EventRowProps {
  readonly event: Event
  readonly deliveries: readonly DeliveryState[]
  /** Whether the event has no delivery to any endpoint. */
  readonly isUndelivered: boolean
}

/** Maximum number of endpoints whose results fit into a row. */
const MAX_SHOWN = 2

/** Shows an event with the state of its deliveries. */
export function LiveEventRow({ event, deliveries, isUndelivered }: EventRowProps) {
  return (
    <div class="row feed-row feed-event">
      <EventLine id={event.id} type={event.type} object={event.data.object} />
      <span class="row feed-side">
        {isUndelivered && <span class="quiet">no delivery</span>}
        {deliveries.slice(0, MAX_SHOWN).map((state) => (
          <DeliveryResult key={state.endpoint} state={state} />
        ))}
        {deliveries.length > MAX_SHOWN && (
          <span class="quiet">+{formatCountWithNoun(deliveries.length - MAX_SHOWN, 'endpoint')}</span>
        )}
      </span>
    </div>
  )
}
