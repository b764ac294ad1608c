import type { MeasureTime } from '../store/port/store.ts'
import type { Clock } from './clock.ts'

/** Clocks of machines differ in rate by less than this, also while a time service corrects one of them. */
const MAX_DRIFT = 0.001
/** A database clock that was set back by more than this is followed; time stands still for less. */
const MAX_HOLD_MS = 1000

/** The clock of a database that several processes share, as one of them knows it. */
export interface DatabaseClock extends Clock {
  /** Whether the database's clock was measured. */
  readonly isSet: () => boolean
  readonly measure: MeasureTime
}

/**
 * Creates a clock that follows a database's and is never ahead of it: it counts from the moment at which a time of the
 * database arrived, and a little more slowly. Whoever reads it after a later measurement of any process reads a later
 * time, whatever the clocks of the machines say. It never goes back unless the database's clock was set back.
 */
export function createDatabaseClock(monotonicMs: () => number): DatabaseClock {
  let anchor: { readonly databaseMs: number; readonly monotonicMs: number } | null = null
  let latestMs = Number.NEGATIVE_INFINITY

  function estimateAt(nowMs: number): number {
    if (anchor === null) throw new Error('the clock of the database was not measured yet')
    return anchor.databaseMs + (nowMs - anchor.monotonicMs) * (1 - MAX_DRIFT)
  }

  return {
    isSet: () => anchor !== null,
    nowMs() {
      latestMs = Math.max(latestMs, estimateAt(monotonicMs()))
      return Math.floor(latestMs)
    },
    measure() {
      const askedMs = monotonicMs()
      return (databaseMs) => {
        const nowMs = monotonicMs()
        // By now the database's clock shows no less than what it showed, and no more than the round trip later.
        const mostMs = databaseMs + (nowMs - askedMs) * (1 + MAX_DRIFT)
        const isOutside = anchor === null || databaseMs > estimateAt(nowMs) || estimateAt(nowMs) > mostMs
        if (isOutside) anchor = { databaseMs, monotonicMs: nowMs }
        if (latestMs > mostMs + MAX_HOLD_MS) latestMs = databaseMs
      }
    },
  }
}
