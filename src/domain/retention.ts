/**
 * How far the events had come on one day of wall time; private. Events carry the time of their object's clock, which
 * may be any, so their real age is told by these marks.
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

/** The mark of today, or null when there is one already; `now` is wall time in Unix seconds. */
export function nextMark(
  marks: readonly RetentionMark[],
  now: number,
  sequence: number,
): RetentionMark | null {
  const id = `mark_${Math.floor(now / SECONDS_PER_DAY)}`
  if (marks.some((mark) => mark.id === id)) return null
  return { id, object: 'retention_mark', at: now, sequence }
}

/** The newest event that need not be kept any more, by its sequence; 0 when all must stay. */
export function lastExpired(
  marks: readonly RetentionMark[],
  newest: number,
  { now, rules }: { readonly now: number; readonly rules: RetentionRules },
): number {
  const old = marks.filter(({ at }) => at <= now - rules.maxAgeSeconds).map(({ sequence }) => sequence)
  return Math.max(0, newest - rules.maxEvents, ...old)
}

/** The marks that tell nothing any more because a later one is old enough too. */
export function spentMarks(
  marks: readonly RetentionMark[],
  { now, rules }: { readonly now: number; readonly rules: RetentionRules },
): RetentionMark[] {
  const old = marks.filter(({ at }) => at <= now - rules.maxAgeSeconds).sort((a, b) => a.at - b.at)
  return old.slice(0, -1)
}
