const WINDOW_MS = 10_000
const DURATIONS_KEPT = 200
const PERCENTILE = 0.95

export type TrafficMeter = ReturnType<typeof createTrafficMeter>

/** Creates a meter of the traffic of a listener, with bounded memory; all times are in Unix milliseconds. */
export function createTrafficMeter() {
  /** The number of events by second. */
  const seconds = new Map<number, number>()
  let durations: number[] = []
  const secondOf = (ms: number) => Math.floor(ms / 1000)

  function deleteOldSeconds(nowMs: number): void {
    for (const second of seconds.keys()) if (second <= secondOf(nowMs - WINDOW_MS)) seconds.delete(second)
  }

  return {
    countEvent(nowMs: number): void {
      deleteOldSeconds(nowMs)
      const second = secondOf(nowMs)
      seconds.set(second, (seconds.get(second) ?? 0) + 1)
    },
    addDuration(durationMs: number): void {
      durations.push(durationMs)
      if (durations.length > DURATIONS_KEPT) durations = durations.slice(-DURATIONS_KEPT)
    },
    /**
     * Returns the events per second over the last ten seconds. `p95Ms` is the 95th percentile of the last 200 delivery
     * durations in milliseconds; null before the first delivery.
     */
    read(nowMs: number) {
      deleteOldSeconds(nowMs)
      const events = [...seconds.values()].reduce((sum, count) => sum + count, 0)
      const sorted = durations.toSorted((a, b) => a - b)
      const p95Ms = sorted[Math.ceil(sorted.length * PERCENTILE) - 1] ?? null
      return { rate: (events * 1000) / WINDOW_MS, p95Ms }
    },
    clear(): void {
      seconds.clear()
      durations = []
    },
  }
}
