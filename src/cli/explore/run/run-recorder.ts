import { isDeepStrictEqual } from 'node:util'
import type { AppLifecycleEvent, RecordedDelivery, RecordedRequest } from '../model/run-record.ts'
import {
  type DeliveryPoint,
  type FaultSchedule,
  isAppliedByServer,
  type RequestPoint,
  type ScheduledFault,
  type SchedulePoint,
} from '../model/schedule.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type RunRecorder = ReturnType<typeof createRunRecorder>

/** Creates the recorder of a run: of requests and deliveries that the proxy forwards, and of faults that the proxy applies. */
export function createRunRecorder(schedule: FaultSchedule, nowMs: () => number) {
  const counts = new Map<string, number>()
  const active = new Set<object>()
  const requests: Mutable<RecordedRequest>[] = []
  const deliveries: Mutable<RecordedDelivery>[] = []
  const appChanges: AppLifecycleEvent[] = []
  /** The descriptions of failed connections to the app. */
  const connectionErrors: string[] = []
  /** The faults of the schedule that the proxy has applied. */
  const applied = new Set<ScheduledFault>()
  let startedMs = nowMs()
  let lastActivityMs = startedMs
  let longestIdleMs = 0
  let activityCount = 0

  function count(key: string): number {
    const next = (counts.get(key) ?? 0) + 1
    counts.set(key, next)
    return next
  }

  const idleMs = () => (active.size > 0 ? 0 : nowMs() - lastActivityMs)
  /** Returns the milliseconds since the start of the scenario. */
  const elapsedMs = () => Math.max(0, Math.round(nowMs() - startedMs))
  return {
    ...{ requests, deliveries, appChanges, connectionErrors, applied, elapsedMs },
    /** Sets the start of the scenario. */
    start() {
      startedMs = nowMs()
      lastActivityMs = startedMs
      longestIdleMs = 0
    },
    countRequest: (operation: string): RequestPoint => ({
      ...{ kind: 'request', operation },
      occurrence: count(`request ${operation}`),
    }),
    countDelivery: (event_type: string): DeliveryPoint => ({
      ...{ kind: 'delivery', event_type },
      occurrence: count(`delivery ${event_type}`),
    }),
    /** Returns the fault that the proxy must apply at a point, or null. Marks the fault as applied. */
    takeFault(point: SchedulePoint) {
      const isDue = (one: ScheduledFault) => !applied.has(one) && !isAppliedByServer(one)
      const found = schedule.find((one) => isDue(one) && isDeepStrictEqual(one.at, point))
      if (found !== undefined) applied.add(found)
      return found ?? null
    },
    recordAppChange(kind: AppLifecycleEvent['kind']): void {
      appChanges.push({ kind, atMs: elapsedMs() })
    },
    /** Marks the start of a request; call the returned function at its end. */
    beginActivity() {
      const activity = {}
      longestIdleMs = Math.max(longestIdleMs, idleMs())
      active.add(activity)
      activityCount += 1
      return () => {
        active.delete(activity)
        lastActivityMs = nowMs()
      }
    },
    /** Returns the milliseconds without a request; 0 while a request is in progress. */
    idleMs,
    /** Returns the longest time without a request since the start of the scenario, in milliseconds. */
    longestIdleMs: () => Math.max(longestIdleMs, idleMs()),
    /** Returns the number of requests so far, with which a caller detects a new request. */
    activityCount: () => activityCount,
  }
}
