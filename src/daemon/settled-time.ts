const WINDOW_MS = 24 * 3_600_000
const SAMPLE_MS = 3_600_000

/**
 * Returns wall time in Unix seconds for judging the age of records. It follows the wall clock back at once, but a jump
 * forward only after it has lasted for a day of monotonic time, so that a wrong clock deletes nothing early.
 */
export function createSettledTime(wallNow: () => number, monotonicMs: () => number): () => number {
  // The lowest differences of the last day between both clocks, ascending, in seconds.
  const lowest: { readonly sampledMs: number; readonly offset: number }[] = []
  return () => {
    const nowMs = monotonicMs()
    const offset = wallNow() - nowMs / 1000
    while ((lowest.at(-1)?.offset ?? Number.NEGATIVE_INFINITY) >= offset) lowest.pop()
    // One sample an hour is enough to know how long a jump has lasted.
    if (nowMs - (lowest.at(-1)?.sampledMs ?? Number.NEGATIVE_INFINITY) >= SAMPLE_MS) {
      lowest.push({ sampledMs: nowMs, offset })
    }
    while ((lowest[0]?.sampledMs ?? nowMs) < nowMs - WINDOW_MS - SAMPLE_MS) lowest.shift()
    return Math.floor((lowest[0]?.offset ?? offset) + nowMs / 1000)
  }
}
