import { EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType } from '../../domain/core/event-types.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { matchesGlob } from '../../domain/text/globs.ts'
import type { ApiListPage } from './api-client.ts'

/** The state of the deliveries of one event to one endpoint. */
export interface DeliveryState {
  readonly endpoint: string
  /** The newest attempt that has a result; null before the first result. */
  readonly settled: WebhookDelivery | null
  /** The pending attempt; null without a pending attempt. */
  readonly pending: WebhookDelivery | null
}

export type DeliveryStatesByEvent = ReadonlyMap<string, readonly DeliveryState[]>

/** Returns the delivery states of each event by its id, failures first, from deliveries that are sorted newest first. */
export function groupDeliveryStates(deliveries: Iterable<WebhookDelivery>): DeliveryStatesByEvent {
  const byEvent = new Map<string, Map<string, DeliveryState>>()
  for (const delivery of deliveries) {
    const { event, webhook_endpoint: endpoint } = delivery
    const byEndpoint = byEvent.get(event) ?? new Map<string, DeliveryState>()
    byEvent.set(event, byEndpoint)
    const state = byEndpoint.get(endpoint) ?? { endpoint, settled: null, pending: null }
    const name = delivery.status === 'pending' ? 'pending' : 'settled'
    byEndpoint.set(endpoint, state[name] === null ? { ...state, [name]: delivery } : state)
  }
  const byFailure = (a: DeliveryState, b: DeliveryState) => Number(isFailing(b)) - Number(isFailing(a))
  return new Map([...byEvent].map(([event, states]) => [event, [...states.values()].sort(byFailure)]))
}

/** Returns whether the newest result of a delivery is a failure. */
export function isFailing({ settled }: DeliveryState): boolean {
  return settled?.status === 'failed'
}

/** The kind of gap: endpoints receive other event types of the object (`forgotten`), or no type (`unused`). */
export type MissingSubscription = 'forgotten' | 'unused' | null

/** Returns whether endpoints with these `enabled_events` leave out an event type that a handler needs. */
export function findMissingSubscription(type: EventType, enabled: readonly string[]): MissingSubscription {
  const isReceived = (one: string) => enabled.some((pattern) => matchesGlob(pattern, one))
  if (isReceived(type)) return null
  const [object] = type.split('.')
  if (!EVENT_TYPES.some((one) => one.startsWith(`${object}.`) && isReceived(one))) return 'unused'
  return EVENT_DESCRIPTIONS[type][1] === 'No action needed.' ? null : 'forgotten'
}

/** The newest deliveries of a sandbox, newest first. */
export interface KnownDeliveries {
  readonly deliveries: readonly WebhookDelivery[]
  /** A time in Unix seconds: all newer deliveries are known; 0 if all deliveries are known. */
  readonly since: number
}

/**
 * Adds the newest page of deliveries to the known deliveries; the result has at most `limit` entries. A known pending
 * delivery that is not on the page is removed, because it may have a result now. If the page contains no known
 * delivery, deliveries in between may be missing, so all known deliveries are dropped.
 */
export function mergeDeliveries(
  known: KnownDeliveries | null,
  page: ApiListPage<WebhookDelivery>,
  limit: number,
): KnownDeliveries {
  const shown = new Set(page.data.map(({ id }) => id))
  const hidden = known?.deliveries.filter(({ id }) => !shown.has(id)) ?? []
  const isAdjacent = hidden.length < (known?.deliveries.length ?? 0)
  const older = isAdjacent ? hidden.filter(({ status }) => status !== 'pending') : []
  const deliveries = [...page.data, ...older].slice(0, limit)
  const dropped = hidden.find(({ status }) => status === 'pending')?.created ?? 0
  const oldest = deliveries.at(-1)?.created ?? 0
  return { deliveries, since: page.has_more ? Math.max(known?.since ?? 0, dropped, oldest) : 0 }
}

/** Returns the result of a delivery attempt in a word: the HTTP status, the reason of the failure, or the status. */
export function formatDeliveryLabel({ status, http_status, error }: WebhookDelivery): string {
  if (http_status !== null) return String(http_status)
  return (status === 'failed' ? error : null) ?? status
}
