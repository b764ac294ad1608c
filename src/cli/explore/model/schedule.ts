import { isDeepStrictEqual } from 'node:util'
import type { FAULT_STATUSES, FaultType } from '../../../domain/faults/faults.ts'

/** A fault of an exploration: one of the server, or `restart`, which kills the app and starts it again. */
export type ExplorationFault = Exclude<FaultType, 'decline' | 'issuer_unavailable' | 'processing'> | 'restart'

/** Options of a fault, as in the parameters of `POST /v1/test_helpers/faults`. */
export interface ScheduledFaultOptions {
  readonly delay_ms?: number
  readonly http_status?: (typeof FAULT_STATUSES)[number]
  readonly retry_after?: number
  readonly copies?: number
  readonly order?: 'sequential' | 'concurrent'
  /**
   * The time at which `restart` kills the app (default: `before`):
   * - `before`: before the delivery or the request is forwarded.
   * - `after`: after the app handled the delivery or the API executed the request; the response is not forwarded.
   * - `acknowledged`: after the response to the delivery is forwarded.
   */
  readonly moment?: 'before' | 'after' | 'acknowledged'
}

/** A request of the app to the API: the n-th of its operation, counted from 1. */
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

export type SchedulePoint = RequestPoint | DeliveryPoint

/** Returns whether two points are the same occurrence of the same operation or event type. */
export function isSamePoint(a: SchedulePoint, b: SchedulePoint): boolean {
  return isDeepStrictEqual(a, b)
}

/** One fault at one point of a run. */
export interface ScheduledFault {
  readonly fault: ExplorationFault
  readonly at: SchedulePoint
  readonly options: ScheduledFaultOptions
}

/** The faults of one run; empty for a run without faults. */
export type FaultSchedule = readonly ScheduledFault[]

/** Returns whether a fault rule of the sandbox applies a fault. The proxies of explore apply all others. */
export function hasFaultRule(scheduled: ScheduledFault): scheduled is ScheduledFault & {
  readonly fault: Exclude<ExplorationFault, 'restart'>
  readonly at: DeliveryPoint
} {
  const { fault, at, options } = scheduled
  const isConcurrentDuplicate = fault === 'duplicate' && options.order === 'concurrent'
  return at.kind === 'delivery' && fault !== 'restart' && !isConcurrentDuplicate
}

/** Returns the time at which a fault kills the app; null if it does not. */
export function restartMoment(scheduled: ScheduledFault | null) {
  return scheduled?.fault === 'restart' ? (scheduled.options.moment ?? 'before') : null
}
