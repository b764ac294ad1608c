import type { Baseline } from './compare/compare-runs.ts'
import type { RunDifference } from './compare/difference.ts'
import type { RunRecord } from './model/run-record.ts'
import type { FaultSchedule } from './model/schedule.ts'

/**
 * The number of runs of a schedule, and the number of runs with a different outcome. If only some runs differ, the bug
 * is a race.
 */
export interface FindingOccurrences {
  readonly failed: number
  readonly runs: number
}

/** A finding of an earlier exploration, to be repeated. */
export interface FindingToReplay {
  readonly schedule: FaultSchedule
  /** The descriptions of the finding's differences; empty if unknown. */
  readonly differences: readonly string[]
}

/** A schedule after which the app has another state. */
export interface Finding {
  readonly schedule: FaultSchedule
  /** Whether further runs or the known differences of a replay confirm it; false if the time limit was reached first. */
  readonly isConfirmed: boolean
  readonly occurrences: FindingOccurrences
  readonly differences: readonly RunDifference[]
  /** Other single faults at the same point that caused one of the differences. */
  readonly alsoAfter: readonly FaultSchedule[]
  /** The record of one run with a difference. */
  readonly record: RunRecord
}

/**
 * The result of a schedule: `not_applied` if a fault never applied, `known` if an earlier finding shares a difference,
 * `not_confirmed` if the time limit was reached before the confirmation of a difference, `aborted` if the scenario failed.
 * Only `finding` and `known` are problems of the app.
 */
export type ScheduleResult =
  | 'passed'
  | 'finding'
  | 'not_confirmed'
  | 'known'
  | 'not_applied'
  | 'not_reproducible'
  | 'aborted'

export interface ExploredSchedule {
  readonly schedule: FaultSchedule
  readonly result: ScheduleResult
  readonly occurrences: FindingOccurrences
  readonly applied: FaultSchedule
  /** Descriptions of the differences that are not findings. */
  readonly allowedDifferences: readonly string[]
  readonly durationMs: number
}

/** A schedule whose run failed for a reason other than the app's behavior, for example because the app did not start. */
export interface ScheduleRunFailure {
  readonly schedule: FaultSchedule
  readonly message: string
}

/** The result of `paycli explore`. */
export interface ExplorationResult {
  readonly baseline: Baseline
  /** The confirmed findings. */
  readonly findings: readonly Finding[]
  /** The findings that are not confirmed, which may be random differences, as on a slow machine. */
  readonly unconfirmed: readonly Finding[]
  readonly explored: readonly ExploredSchedule[]
  /** Schedules of one fault that were not tried, because the time was up or a finding ended the exploration. */
  readonly skipped: readonly FaultSchedule[]
  /** Schedules of one fault that passed together with other faults of their kind, and were not tried alone. */
  readonly notTriedAlone: readonly FaultSchedule[]
  /** Schedules of one fault that were not tried, because the app acknowledges the delivery without an effect. */
  readonly notTriedWithoutEffect: readonly FaultSchedule[]
  /** The state that a restart of the app loses. If any state is lost, no schedule restarts the app. */
  readonly lostState: readonly RunDifference[]
  /** The schedule whose run failed after a finding and ended the exploration, or null. */
  readonly failure: ScheduleRunFailure | null
  readonly isReplay: boolean
  readonly durationMs: number
}
