import type { StartClockSample } from '../store/port/store.ts'

/** Upper bound for the difference in rate between two machine clocks, even while NTP corrects one of them. */
const MAX_DRIFT = 0.001
/** Maximum backward step of the database clock at which this clock stands still; a larger step sets this clock back. */
const MAX_HOLD_MS = 1000

/**
 * Creates a clock that is never ahead of the clock of a database. The clock counts from the arrival of a database
 * timestamp, slightly slower than real time. Readings of different processes are in the order of their measurements,
 * even if the clocks of the machines differ. The clock goes back only if the database clock is set back.
 */
export function createDatabaseClock(monotonicMs: () => number) {
  let anchor: { readonly databaseMs: number; readonly monotonicMs: number } | null = null
  let latestMs = Number.NEGATIVE_INFINITY

  function estimateAt(nowMs: number): number {
    if (anchor === null) throw new Error('the clock of the database has not been measured yet')
    return anchor.databaseMs + (nowMs - anchor.monotonicMs) * (1 - MAX_DRIFT)
  }

  return {
    /** Returns whether the clock of the database has been measured. */
    isMeasured: () => anchor !== null,
    nowMs(): number {
      latestMs = Math.max(latestMs, estimateAt(monotonicMs()))
      return Math.floor(latestMs)
    },
    measure(): ReturnType<StartClockSample> {
      const startedMs = monotonicMs()
      return (databaseMs) => {
        const nowMs = monotonicMs()
        // The time of the database clock is now between databaseMs and databaseMs plus the duration of the round trip.
        const maxMs = databaseMs + (nowMs - startedMs) * (1 + MAX_DRIFT)
        const isOutside = anchor === null || databaseMs > estimateAt(nowMs) || estimateAt(nowMs) > maxMs
        if (isOutside) anchor = { databaseMs, monotonicMs: nowMs }
        if (latestMs > maxMs + MAX_HOLD_MS) latestMs = databaseMs
      }
    },
  }
}
