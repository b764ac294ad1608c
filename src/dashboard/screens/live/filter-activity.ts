import { getEventObjectSummary } from '../../../presentation/event-summary.ts'
import { type DeliveryStatesByEvent, isFailing } from '../../data/delivery-states.ts'
import type { ActivityGroup } from './group-activity.ts'

/** Returns the groups that match the filters. */
export function filterActivity(
  groups: readonly ActivityGroup[],
  filters: Readonly<Record<'text' | 'failed' | 'hide_get', string>>,
  deliveries: DeliveryStatesByEvent,
): readonly ActivityGroup[] {
  const text = filters.text.trim().toLowerCase()
  return groups
    .filter((group) => filters.hide_get === '' || !isRead(group))
    .filter((group) => filters.failed === '' || isFailedActivity(group, deliveries))
    .filter((group) => text === '' || searchText(group).includes(text))
}

function isRead({ request }: ActivityGroup): boolean {
  return request !== null && (request.method === 'GET' || request.method === 'HEAD')
}

const FAILED_EVENT = /\.(?:failed|payment_failed|past_due|unpaid|marked_uncollectible|internal_failure)$/

/** Returns whether the request, one of its events or one of their deliveries failed. */
function isFailedActivity({ request, events }: ActivityGroup, deliveries: DeliveryStatesByEvent): boolean {
  return (
    (request !== null && request.status >= 400) ||
    events.some(({ id, type }) => FAILED_EVENT.test(type) || deliveries.get(id)?.some(isFailing))
  )
}

function searchText({ requestId, request, events }: ActivityGroup): string {
  const parts: unknown[] = [requestId, request?.method, request?.path, request?.error?.code]
  for (const event of events) {
    const { id, amount, name, email } = getEventObjectSummary(event)
    parts.push(event.type, event.id, id, amount, name, email, event.test_clock)
  }
  return parts.join(' ').toLowerCase()
}
