const WINDOW_MS = 10_000
const DURATIONS_KEPT = 200
const PERCENTILE = 0.95

/** Recent traffic of a listener. */
export interface Traffic {
  /** Events per second over the last ten seconds. */
  readonly rate: number
  /** 95th percentile of the duration of the last 200 deliveries in milliseconds; null before the first one. */
  readonly p95Ms: number | null
}

/** Measures traffic with bounded memory; all times are wall clock in milliseconds. */
export interface TrafficMeter {
  readonly countEvent: (nowMs: number) => void
  readonly addDuration: (durationMs: number) => void
  readonly read: (nowMs: number) => Traffic
  readonly clear: () => void
}

/** Creates a traffic meter. */
export function createTrafficMeter(): TrafficMeter {
  /** The number of events by second. */
  const seconds = new Map<number, number>()
  let durations: number[] = []
  const secondOf = (ms: number) => Math.floor(ms / 1000)

  function forget(nowMs: number): void {
    for (const second of seconds.keys()) if (second <= secondOf(nowMs - WINDOW_MS)) seconds.delete(second)
  }

  return {
    countEvent(nowMs) {
      forget(nowMs)
      const second = secondOf(nowMs)
      seconds.set(second, (seconds.get(second) ?? 0) + 1)
    },
    addDuration(durationMs) {
      durations.push(durationMs)
      if (durations.length > DURATIONS_KEPT) durations = durations.slice(-DURATIONS_KEPT)
    },
    read(nowMs) {
      forget(nowMs)
      const events = [...seconds.values()].reduce((sum, count) => sum + count, 0)
      const sorted = durations.toSorted((a, b) => a - b)
      const p95Ms = sorted[Math.ceil(sorted.length * PERCENTILE) - 1] ?? null
      return { rate: (events * 1000) / WINDOW_MS, p95Ms }
    },
    clear() {
      seconds.clear()
      durations = []
    },
  }
}
