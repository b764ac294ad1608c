import type { FaultParams, FaultType } from '../../../domain/faults/faults.ts'

/** A fault of an exploration: a fault of the server, or `restart`, which kills the app and starts the app again. */
export type ExplorationFault = FaultType | 'restart'

/**
 * The times at which `restart` kills the app (default: `before`):
 * - `before`: before the delivery or the request is forwarded.
 * - `after`: after the app handled the delivery or the API executed the request; the response is not forwarded.
 * - `acknowledged`: after the response to the delivery is forwarded.
 */
export const APP_KILL_PHASES = ['before', 'after', 'acknowledged'] as const

/** Options of a fault. `moment` applies only to `restart`. */
export interface ScheduledFaultOptions
  extends Pick<FaultParams, 'delay_ms' | 'http_status' | 'retry_after' | 'copies' | 'order'> {
  readonly moment?: (typeof APP_KILL_PHASES)[number]
}

/** A request of the app to the API: the n-th request of its operation, counted from 1. */
export interface RequestPoint {
  readonly kind: 'request'
  /** The operation, such as `payment_sessions.create`. */
  readonly operation: string
  readonly occurrence: number
}

/** A webhook delivery to the app: the n-th attempt with its event type, counted from 1. */
export interface DeliveryPoint {
  readonly kind: 'delivery'
  readonly event_type: string
  readonly occurrence: number
}

/** The n-th decision of the issuer on a charge or card, from 1; `processing` counts only decisions it can delay. */
export interface PaymentPoint {
  readonly kind: 'payment'
  readonly occurrence: number
}

export type SchedulePoint = RequestPoint | DeliveryPoint | PaymentPoint

/** One fault at one point of a run. */
export interface ScheduledFault {
  readonly fault: ExplorationFault
  readonly at: SchedulePoint
  readonly options: ScheduledFaultOptions
}

/** The faults of one run; empty for a run without faults. */
export type FaultSchedule = readonly ScheduledFault[]

/** Returns whether a fault rule of the sandbox applies a fault. The proxy of explore applies all other faults. */
export function isAppliedByServer(scheduled: ScheduledFault): scheduled is ScheduledFault & {
  readonly fault: Exclude<ExplorationFault, 'restart'>
  readonly at: DeliveryPoint | PaymentPoint
} {
  const { fault, at, options } = scheduled
  const isConcurrentDuplicate = fault === 'duplicate' && options.order === 'concurrent'
  return at.kind !== 'request' && fault !== 'restart' && !isConcurrentDuplicate
}

/** Returns the phase in which a fault kills the app: `before`, `after` or `acknowledged`; null for other faults. */
export function findAppKillPhase(scheduled: ScheduledFault | null) {
  return scheduled?.fault === 'restart' ? (scheduled.options.moment ?? 'before') : null
}
