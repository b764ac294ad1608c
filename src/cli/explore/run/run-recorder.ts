import type { AppLifecycleEvent, RecordedDelivery, RecordedRequest } from '../model/run-record.ts'
import type {
  DeliveryPoint,
  FaultSchedule,
  RequestPoint,
  ScheduledFault,
  SchedulePoint,
} from '../model/schedule.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The requests and deliveries that the proxies record during a run, and the faults that they apply. */
export interface RunRecorder {
  readonly requests: Mutable<RecordedRequest>[]
  readonly deliveries: Mutable<RecordedDelivery>[]
  readonly appChanges: AppLifecycleEvent[]
  /** The faults of the schedule that the proxies have applied. */
  readonly applied: Set<ScheduledFault>
  /** Sets the start of the scenario. */
  readonly start: () => void
  /** Milliseconds since the start of the scenario. */
  readonly elapsedMs: () => number
  readonly countRequest: (operation: string) => RequestPoint
  readonly countDelivery: (eventType: string) => DeliveryPoint
  /** Returns the fault at a point that `isWanted` accepts, and marks it as applied. */
  readonly takeFault: (
    point: SchedulePoint,
    isWanted: (scheduled: ScheduledFault) => boolean,
  ) => ScheduledFault | null
  readonly recordAppChange: (kind: AppLifecycleEvent['kind']) => void
  /** Marks the start of a request; call the returned function at its end. */
  readonly beginActivity: () => () => void
  /** Milliseconds without a request; 0 while one is in progress. */
  readonly idleMs: () => number
  /** The number of requests so far, which shows whether there was another one. */
  readonly activityCount: () => number
}

/** Creates the recorder of a run. */
export function createRunRecorder(schedule: FaultSchedule, nowMs: () => number): RunRecorder {
  const counts = new Map<string, number>()
  const active = new Set<object>()
  const appChanges: AppLifecycleEvent[] = []
  const applied = new Set<ScheduledFault>()
  let startedMs = nowMs()
  let lastActivityMs = startedMs
  let activityCount = 0

  function count(key: string): number {
    const next = (counts.get(key) ?? 0) + 1
    counts.set(key, next)
    return next
  }

  const elapsedMs = () => Math.max(0, Math.round(nowMs() - startedMs))
  return {
    ...{ requests: [], deliveries: [], appChanges, applied, elapsedMs },
    start() {
      startedMs = nowMs()
    },
    countRequest: (operation) => ({ kind: 'request', operation, occurrence: count(`request ${operation}`) }),
    countDelivery: (event_type) => ({
      ...{ kind: 'delivery', event_type },
      occurrence: count(`delivery ${event_type}`),
    }),
    takeFault(point, isWanted) {
      const found = schedule.find((one) => !applied.has(one) && isWanted(one) && isSamePoint(one.at, point))
      if (found === undefined) return null
      applied.add(found)
      return found
    },
    recordAppChange: (kind) => void appChanges.push({ kind, atMs: elapsedMs() }),
    beginActivity() {
      const activity = {}
      active.add(activity)
      activityCount += 1
      return () => {
        active.delete(activity)
        lastActivityMs = nowMs()
      }
    },
    idleMs: () => (active.size > 0 ? 0 : nowMs() - lastActivityMs),
    activityCount: () => activityCount,
  }
}

function isSamePoint(a: SchedulePoint, b: SchedulePoint): boolean {
  if (a.occurrence !== b.occurrence) return false
  if (a.kind === 'request') return b.kind === 'request' && a.operation === b.operation
  return b.kind === 'delivery' && a.event_type === b.event_type
}
