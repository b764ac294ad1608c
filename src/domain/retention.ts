import { type ClockState, initialClockState, settledAt, updateClockState } from './settled-time.ts'

/**
 * The newest event on one of the days on which the service ran; private. The age of an event is the number of marks after
 * it: its own time is that of its object's clock, and the wall clock may be wrong or may have stood still for months.
 */
export interface RetentionMark {
  readonly id: string
  readonly object: 'retention_mark'
  /** Settled time in Unix seconds. */
  readonly at: number
  /** The newest event then. */
  readonly sequence: number
  /** The state of the wall clock at the last sweep; only that of the newest mark counts. Missing in marks of 0.1.0. */
  readonly clock?: ClockState
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

/** Returns the clock state that a mark holds; a mark of 0.1.0 tells at least when the service ran. */
export function clockStateOf({ at, clock }: RetentionMark): ClockState {
  return clock ?? initialClockState(at)
}

/**
 * Returns the newest mark at wall time `now`: a new one when the last is a day of settled time old, else the last one
 * with the clock state of now; the same object when nothing changed. A mark is dated back only when the wall clock was
 * set back by more than a day, so that the days go on.
 */
export function nextMark(last: RetentionMark | undefined, now: number, sequence: number): RetentionMark {
  const known = last === undefined ? initialClockState(now) : clockStateOf(last)
  const clock = updateClockState(known, now)
  const at = settledAt(clock, now)
  if (last === undefined || at >= last.at + SECONDS_PER_DAY) {
    return { id: `mark_${sequence}_${at}`, object: 'retention_mark', at, sequence, clock }
  }
  if (at < last.at - SECONDS_PER_DAY) return { ...last, at, clock }
  return clock === last.clock ? last : { ...last, clock }
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
