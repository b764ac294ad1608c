/** The part of the time limit that is kept for the confirmation of a finding, as a fraction of the limit. */
const RESERVE = 1 / 6
/** The number of runs that confirm a finding, and the time for which each of them waits for the expected state. */
const CONFIRMING_RUNS = 3
const WATCH_MS = 2000
/** The part of the time limit in which the schedule of one finding is reduced. */
const REDUCTION = 1 / 4

export type TimeBudget = ReturnType<typeof createTimeBudget>

/** Creates the budget of an exploration that starts now; `timeMs` is Infinity without a time limit. */
export function createTimeBudget(timeMs: number, nowMs: () => number) {
  const startMs = nowMs()
  let longestMs = 0
  const remainingMs = () => startMs + timeMs - nowMs()
  /** Returns whether a further run leaves enough time to confirm a finding. */
  const hasTime = () => remainingMs() > Math.min(timeMs * RESERVE, CONFIRMING_RUNS * (longestMs + WATCH_MS))
  return {
    ...{ remainingMs, hasTime },
    /** Returns the time after which a run ends. The first schedule and its confirmation are not limited. */
    limitMs: () => (longestMs === 0 ? Infinity : remainingMs()),
    elapsedMs: () => nowMs() - startMs,
    addRun(durationMs: number) {
      longestMs = Math.max(longestMs, durationMs)
    },
    /** Returns a function that reports whether time remains for the reduction that starts now. */
    startReduction() {
      const endMs = nowMs() + timeMs * REDUCTION
      return () => hasTime() && nowMs() < endMs
    },
  }
}
