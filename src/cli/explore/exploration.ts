import type { Baseline } from './compare/compare-runs.ts'
import type { Difference } from './compare/difference.ts'
import type { RunRecord } from './model/run-record.ts'
import type { Schedule } from './model/schedule.ts'

/** In how many runs of a schedule the app ended differently. Where it did not in all of them, the problem is a race. */
export interface Occurrences {
  readonly failed: number
  readonly runs: number
}

/** An earlier finding that is repeated. */
export interface Replay {
  readonly schedule: Schedule
  /** The texts of its differences; empty if they are unknown. */
  readonly differences: readonly string[]
}

/** A schedule after which the app ends differently, in two runs in the same way. */
export interface Finding {
  readonly schedule: Schedule
  readonly occurrences: Occurrences
  readonly differences: readonly Difference[]
  /** One of the runs. */
  readonly record: RunRecord
}

/** How a schedule ended: `not_applied` if a fault never found its point, `known` if an earlier finding has its differences. */
export type ScheduleResult = 'passed' | 'finding' | 'known' | 'not_applied' | 'not_reproducible'

export interface ExploredSchedule {
  readonly schedule: Schedule
  readonly result: ScheduleResult
  readonly occurrences: Occurrences
  /** The faults that found their point; empty if the scenario failed, because later steps are then missing. */
  readonly applied: Schedule
  readonly durationMs: number
}

/** A schedule whose run failed for a reason outside of the app's answers, for example because the app did not start. */
export interface FailedSchedule {
  readonly schedule: Schedule
  readonly message: string
}

/** The result of `paycli explore`. */
export interface Exploration {
  readonly baseline: Baseline
  readonly findings: readonly Finding[]
  readonly explored: readonly ExploredSchedule[]
  /** Schedules of one fault that were not tried, because the time was up or a finding ended the exploration. */
  readonly skipped: readonly Schedule[]
  /** What a restart of the app lost, which is why restarts were not explored; empty if they were. */
  readonly lostState: readonly Difference[]
  /** The run that ended the exploration after a finding, or null. */
  readonly failure: FailedSchedule | null
  readonly isReplay: boolean
  readonly durationMs: number
}
