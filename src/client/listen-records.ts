import type { StreamTarget } from '../api/resources/stream-messages.ts'
import type { Event } from '../domain/events/events.ts'
import type { DeliveryAttemptResult, WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { StreamState } from './follow-stream.ts'

/** A target to which a listener forwards events. */
export type ListenTarget = StreamTarget

/** A change to the connection state. */
export interface ConnectionStateRecord {
  readonly type: 'state'
  readonly state: StreamState
  /** Reason for the lost connection; null while connected. */
  readonly reason: string | null
  readonly targets: readonly ListenTarget[]
}

/** An event with the same JSON as the body of a webhook delivery. */
export interface EventRecord {
  readonly type: 'event'
  readonly event: Event
}

/** The result of a delivery attempt to a target. */
export interface DeliveryRecord
  extends DeliveryAttemptResult,
    Pick<WebhookDelivery, 'event' | 'webhook_endpoint' | 'attempt' | 'trigger' | 'fault'> {
  readonly type: 'delivery'
  readonly id: string
  readonly event_type: string
}

/** A gap in the sequence of events: the events were deleted, or the server now has another database. */
export interface EventGapRecord {
  readonly type: 'reset'
  readonly after: number
  readonly continues_after: number
}

/** A reset of the sandbox: its events were replaced. */
export interface SandboxResetRecord {
  readonly type: 'sandbox_reset'
  /** The sequence number of the newest event after the reset. */
  readonly continues_after: number
}

/** A record that a listener emits. */
export type ListenOutputRecord =
  | ConnectionStateRecord
  | EventRecord
  | DeliveryRecord
  | EventGapRecord
  | SandboxResetRecord
