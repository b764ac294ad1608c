/**
 * The newest event on one of the days on which the service ran; private. The age of an event is the number of marks after
 * it: its own time is that of its object's clock, and the wall clock may be wrong or may have stood still for months.
 */
export interface RetentionMark {
  readonly id: string
  readonly object: 'retention_mark'
  /** Wall time in Unix seconds. */
  readonly at: number
  /** The newest event then. */
  readonly sequence: number
}

/** How long history is kept. */
export interface RetentionRules {
  readonly maxAgeSeconds: number
  readonly maxEvents: number
}

const SECONDS_PER_DAY = 86_400

/** Events of 30 days, and one million of them at most. */
export const DEFAULT_RETENTION: RetentionRules = {
  maxAgeSeconds: 30 * SECONDS_PER_DAY,
  maxEvents: 1_000_000,
}

/**
 * Returns the mark to store, or null within a day after the last one. `marks` are in the order in which they were made,
 * `now` is in Unix seconds. A last mark of the future is dated back, so that a clock that was set back goes on.
 */
export function nextMark(
  marks: readonly RetentionMark[],
  now: number,
  sequence: number,
): RetentionMark | null {
  const last = marks.at(-1)
  if (last !== undefined && last.at > now) return { ...last, at: now }
  if (last !== undefined && now < last.at + SECONDS_PER_DAY) return null
  return { id: `mark_${sequence}_${now}`, object: 'retention_mark', at: now, sequence }
}

/** Returns the sequence of the newest event that is too old or one too many; 0 when all of them stay. */
export function lastExpired(marks: readonly RetentionMark[], newest: number, rules: RetentionRules): number {
  const old = oldMarks(marks, rules).at(-1)?.sequence ?? 0
  return Math.max(0, newest - rules.maxEvents, old)
}

/** Returns the marks that are no longer needed, because a later one is old enough too. */
export function spentMarks(marks: readonly RetentionMark[], rules: RetentionRules): RetentionMark[] {
  return oldMarks(marks, rules).slice(0, -1)
}

function oldMarks(marks: readonly RetentionMark[], { maxAgeSeconds }: RetentionRules): RetentionMark[] {
  const days = Math.ceil(maxAgeSeconds / SECONDS_PER_DAY)
  return marks.slice(0, Math.max(0, marks.length - days))
}
