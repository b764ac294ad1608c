const SECONDS_PER_HOUR = 3600
const SECONDS_PER_DAY = 86_400

/** The state from which retention time is computed, shared by all processes of a store. All times are in Unix seconds. */
export interface RetentionClockState {
  /** The wall time of the last sweep, at most an hour old while the server runs. */
  readonly wall: number
  /** Seconds by which retention time is behind the wall clock. */
  readonly lag: number
  /** The wall time at which the last jump was detected; null without a lag. */
  readonly since: number | null
}

/** Returns the initial state of a clock. */
export function createRetentionClockState(wall: number): RetentionClockState {
  return { wall, lag: 0, since: null }
}

/**
 * Returns the state at wall time `now`; returns the same object when no change must be stored. A jump or a pause of
 * more than a day counts only after another day. Differences of less than a day are normal between processes.
 */
export function updateRetentionClockState(state: RetentionClockState, now: number): RetentionClockState {
  const { wall, lag, since } = state
  const passed = now - wall
  if (passed > SECONDS_PER_DAY) return { wall: now, lag: lag + passed, since: now }
  if (passed < -SECONDS_PER_DAY) {
    const rest = Math.max(0, lag + passed)
    return { wall: now, lag: rest, since: rest === 0 ? null : now }
  }
  if (since !== null && now - since >= SECONDS_PER_DAY) return createRetentionClockState(now)
  return passed < SECONDS_PER_HOUR ? state : { ...state, wall: now }
}

/** Returns the retention time at wall time `now`, in Unix seconds. The age of records is computed from this time. */
export function computeRetentionTime(state: RetentionClockState, now: number): number {
  return now - updateRetentionClockState(state, now).lag
}
