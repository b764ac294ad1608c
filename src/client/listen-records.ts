import type { StreamTarget } from '../api/resources/streams.ts'
import type { Event } from '../domain/events.ts'
import type { AttemptOutcome, WebhookDelivery } from '../domain/webhook-deliveries.ts'
import type { StreamState } from './follow.ts'

/** Where a listener sends events, and which. */
export type ListenTarget = StreamTarget

/** How the connection to the service is. */
export interface StateRecord {
  readonly type: 'state'
  readonly state: StreamState
  /** Why it is not as it should be. */
  readonly reason: string | null
  readonly targets: readonly ListenTarget[]
}

/** An event as it is sent to webhooks. */
export interface EventRecord {
  readonly type: 'event'
  readonly event: Event
}

/** What came of sending an event to a target. */
export interface DeliveryRecord
  extends AttemptOutcome,
    Pick<WebhookDelivery, 'event' | 'webhook_endpoint' | 'attempt' | 'trigger'> {
  readonly type: 'delivery'
  readonly id: string
  readonly event_type: string
}

/** Events between two places of the sequence that are not kept any more, or another database under the same address. */
export interface ResetRecord {
  readonly type: 'reset'
  readonly after: number
  readonly continues_after: number
}

/** Everything a listener tells, in the order in which it happens. */
export type ListenRecord = StateRecord | EventRecord | DeliveryRecord | ResetRecord
