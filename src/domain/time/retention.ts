import {
  computeRetentionTime,
  createRetentionClockState,
  type RetentionClockState,
  updateRetentionClockState,
} from './retention-clock.ts'

/**
 * Internal record: the newest event of a day on which the server ran. The age of an event is the number of later marks.
 * The timestamp of the event cannot be used: it may come from a test clock, and the wall clock may be wrong.
 */
export interface RetentionMark {
  readonly id: string
  readonly object: 'retention_mark'
  /** Retention time in Unix seconds. */
  readonly at: number
  /** The sequence number of the newest event at the time of the mark. */
  readonly sequence: number
  /** The state of the wall clock at the last sweep; used only in the newest mark. */
  readonly clock: RetentionClockState
}

/** Limits on stored events. */
export interface RetentionRules {
  readonly maxAgeSeconds: number
  readonly maxEvents: number
}

const SECONDS_PER_DAY = 86_400

/** The default retention: events are stored for 30 days, at most one million events. */
export const DEFAULT_RETENTION: RetentionRules = {
  maxAgeSeconds: 30 * SECONDS_PER_DAY,
  maxEvents: 1_000_000,
}

/**
 * Returns the newest mark at wall time `now`, in Unix seconds. Returns a new mark once a day of retention time.
 * Otherwise returns the last mark with the current clock state, or the same object for an unchanged state. If the wall
 * clock was set back by more than a day, the mark gets the earlier time, so that new days are counted again.
 */
export function updateRetentionMark(
  last: RetentionMark | undefined,
  now: number,
  sequence: number,
): RetentionMark {
  const known = last === undefined ? createRetentionClockState(now) : last.clock
  const clock = updateRetentionClockState(known, now)
  const at = computeRetentionTime(clock, now)
  if (last === undefined || at >= last.at + SECONDS_PER_DAY) {
    return { id: `mark_${sequence}_${at}`, object: 'retention_mark', at, sequence, clock }
  }
  if (at < last.at - SECONDS_PER_DAY) return { ...last, at, clock }
  return clock === last.clock ? last : { ...last, clock }
}

/** Returns the sequence of the newest event that exceeds the maximum age or number; 0 without such an event. */
export function getLastExpiredSequence(
  marks: readonly RetentionMark[],
  newest: number,
  rules: RetentionRules,
): number {
  const old = oldMarks(marks, rules).at(-1)?.sequence ?? 0
  return Math.max(0, newest - rules.maxEvents, old)
}

/** Returns the marks that are no longer needed, because a later mark is older than the maximum age too. */
export function listObsoleteRetentionMarks(
  marks: readonly RetentionMark[],
  rules: RetentionRules,
): RetentionMark[] {
  return oldMarks(marks, rules).slice(0, -1)
}

function oldMarks(marks: readonly RetentionMark[], { maxAgeSeconds }: RetentionRules): RetentionMark[] {
  const days = Math.ceil(maxAgeSeconds / SECONDS_PER_DAY)
  return marks.slice(0, Math.max(0, marks.length - days))
}
