import type { ListenRecord, ListenTarget } from '../../client/listen-records.ts'
import { type Event, isEventEnabled } from '../../domain/events.ts'
import { evictOldest } from '../../domain/evict-oldest.ts'

/** Exit conditions of a listener. A null condition never applies. */
export interface ListenExitConditions {
  /** Number of events. */
  readonly exitAfter: number | null
  /** Event types of which one must occur. */
  readonly until: readonly string[] | null
}

const MAX_WAITING_EVENTS = 10_000

/** Tracks records until the goal is reached. An event counts after a delivery attempt to every target with a matching event type. */
export function trackExitConditions(
  goal: ListenExitConditions,
  onReached: () => void,
): (record: ListenRecord) => void {
  let targets: readonly ListenTarget[] = []
  let count = 0
  const waiting = new Map<string, { readonly type: string; readonly endpoints: Set<string> }>()

  function countEvent(type: string): void {
    count += 1
    if (count === goal.exitAfter || goal.until?.includes(type) === true) onReached()
  }

  function addEvent({ id, type }: Event): void {
    const wanting = targets.filter(({ enabled_events }) => isEventEnabled(type, enabled_events))
    if (wanting.length === 0) countEvent(type)
    else waiting.set(id, { type, endpoints: new Set(wanting.map((target) => target.webhook_endpoint)) })
    evictOldest(waiting, MAX_WAITING_EVENTS)
  }

  return (record) => {
    if (record.type === 'state') targets = record.targets
    if (record.type === 'event') addEvent(record.event)
    if (record.type !== 'delivery') return
    const event = waiting.get(record.event)
    event?.endpoints.delete(record.webhook_endpoint)
    if (event === undefined || event.endpoints.size > 0) return
    waiting.delete(record.event)
    countEvent(event.type)
  }
}
