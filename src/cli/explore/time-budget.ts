/** The part of the time limit that is kept for the confirmation of a finding, as a fraction of the limit. */
const RESERVE = 1 / 6
/** The number of runs that confirm a finding. */
const CONFIRMING_RUNS = 3
/** The part of the time limit in which the schedule of one finding is reduced. */
const REDUCTION = 1 / 4

export type TimeBudget = ReturnType<typeof createTimeBudget>

/** Creates the budget of an exploration that starts now; `timeMs` is null without a time limit. */
export function createTimeBudget(timeMs: number | null, nowMs: () => number) {
  const startMs = nowMs()
  let longestMs = 0
  const remainingMs = () => (timeMs === null ? null : startMs + timeMs - nowMs())
  /** Returns whether a further run leaves enough time to confirm a finding. */
  const hasTime = () =>
    timeMs === null || startMs + timeMs - nowMs() > Math.min(timeMs * RESERVE, CONFIRMING_RUNS * longestMs)
  return {
    ...{ remainingMs, hasTime },
    elapsedMs: () => nowMs() - startMs,
    addRun(durationMs: number) {
      longestMs = Math.max(longestMs, durationMs)
    },
    /** Returns a function that reports whether time remains for the reduction that starts now. */
    startReduction() {
      const endMs = nowMs() + (timeMs ?? 0) * REDUCTION
      return () => hasTime() && nowMs() < endMs
    },
  }
}
