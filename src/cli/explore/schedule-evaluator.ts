import { isDeepStrictEqual } from 'node:util'
import { runWithTimeout } from '../../client/timing.ts'
import { toCanonicalJson } from '../../domain/text/canonical-json.ts'
import {
  compareRun,
  createBaseline,
  findStateLostOnRestart,
  isOutcomeExpected,
} from './compare/compare-runs.ts'
import { getDifferenceKey, hasSharedDifference, type RunDifference } from './compare/difference.ts'
import type { Finding, FindingOccurrences, FindingToReplay } from './exploration.ts'
import type { RunOptions, RunOutcome, RunRecord, ScenarioRunner } from './model/run-record.ts'
import type { FaultSchedule } from './model/schedule.ts'
import { shrinkSchedule } from './plan/shrink.ts'

/**
 * A difference must occur again in two of three further runs: races do not always occur, but random differences are
 * rare.
 */
const CONFIRMATION_RUNS = 3
const REQUIRED_CONFIRMATIONS = 2
/** Maximum number of runs of a replayed schedule while no difference occurs. */
const REPLAY_RUNS = 3

export type ScheduleEvaluator = ReturnType<typeof createScheduleEvaluator>

/**
 * Creates the evaluator of an exploration, which runs schedules and compares them with the runs without faults.
 * `limitMs` returns the time in milliseconds after which a run ends (default: no limit).
 */
export function createScheduleEvaluator(
  runner: ScenarioRunner,
  records: readonly [RunRecord, ...RunRecord[]],
  signal: AbortSignal = new AbortController().signal,
  limitMs: () => number = () => Infinity,
) {
  const learnt: [RunRecord, ...RunRecord[]] = [...records]
  let baseline = createBaseline(learnt)
  const isExpected = (outcome: RunOutcome) => isOutcomeExpected(baseline, outcome)
  const occurrences = new Map<string, FindingOccurrences>()
  /** Returns the differences of a run that are findings; none if too few of its faults were applied. */
  const compare = (record: RunRecord) =>
    hasAppliedFaults(record) ? compareRun(baseline, record).findings : []
  /** Returns the number of runs of a schedule so far, and the number of runs with a difference. */
  const occurrencesOf = (schedule: FaultSchedule) =>
    occurrences.get(toCanonicalJson(schedule)) ?? { failed: 0, runs: 0 }

  /** Runs a schedule; resolves with null if the time is up before the run ends. */
  async function run(schedule: FaultSchedule, options: RunOptions = {}): Promise<RunRecord | null> {
    const record = await runWithTimeout(Math.max(0, limitMs()), (timeout) =>
      runner.run(schedule, { isExpected, ...options, signal: AbortSignal.any([signal, timeout]) }),
    )
    if (record === null) return null
    const { failed, runs } = occurrencesOf(schedule)
    const isFailed = compare(record).length > 0
    occurrences.set(toCanonicalJson(schedule), { failed: failed + (isFailed ? 1 : 0), runs: runs + 1 })
    return record
  }

  return {
    baseline: () => baseline,
    /** Adds a run without faults to the baseline. */
    learn(record: RunRecord) {
      learnt.push(record)
      baseline = createBaseline(learnt)
    },
    ...{ run, compare, occurrencesOf },
    /** Returns descriptions of the differences of a run that are not findings. */
    allowedDifferences: (record: RunRecord) => compareRun(baseline, record).allowed.map(({ text }) => text),
    /** Returns the state that the app loses in a restart after a run without faults. */
    async findStateLostOnRestart() {
      const { outcome } = await runner.run([], { isExpected, signal, restartAtEnd: true })
      return findStateLostOnRestart(baseline, outcome)
    },
  }
}

/**
 * Repeats a replayed schedule until a run differs from the baseline, at most three times, because races do not occur in
 * every run.
 */
export async function runReplay(comparison: ScheduleEvaluator, schedule: FaultSchedule) {
  for (let runs = 1; ; runs += 1) {
    const record = await comparison.run(schedule)
    if (record === null || !hasAppliedFaults(record) || runs === REPLAY_RUNS) return record
    if (comparison.compare(record).length > 0) return record
  }
}

/** Returns the finding of a replayed run; null unless a difference is repeated or known from the earlier finding. */
export async function findReplayedFinding(
  comparison: ScheduleEvaluator,
  record: RunRecord,
  replays: readonly FindingToReplay[],
): Promise<Finding | null> {
  const replayed = replays.filter(({ schedule }) => isDeepStrictEqual(schedule, record.schedule))
  const texts = replayed.flatMap(({ differences }) => differences)
  const known = comparison.compare(record).filter(({ text }) => texts.includes(text))
  return known.length > 0
    ? toFinding(comparison, record, { differences: known, isConfirmed: true })
    : confirmFinding(comparison, record)
}

/** The limits of the search for the smallest schedule of a finding, and for other faults with the same result. */
export interface SearchLimits {
  /** Returns whether a schedule is known to have no finding. */
  readonly isHarmless: (schedule: FaultSchedule) => boolean
  /** Returns whether an earlier finding has these differences. */
  readonly isKnown: (differences: readonly RunDifference[]) => boolean
  readonly hasTime: () => boolean
}

/**
 * Returns the finding of the smallest schedule with a different result, or null if the difference does not occur again.
 * The search skips harmless schedules and known differences, and ends when its time is up.
 */
export async function confirmSmallestSchedule(
  comparison: ScheduleEvaluator,
  record: RunRecord,
  { isHarmless, isKnown, hasTime }: SearchLimits,
): Promise<Finding | null> {
  let smallest = record
  await shrinkSchedule(record.applied, async (schedule) => {
    if (isHarmless(schedule) || !hasTime()) return false
    const smaller = await comparison.run(schedule, { isBrief: true })
    if (smaller === null) return false
    // A smaller schedule may cause new differences: the effects of one lost event differ from the effects of three lost
    // events.
    const differences = comparison.compare(smaller)
    const isFailing = differences.length > 0 && !isKnown(differences)
    if (isFailing) smallest = smaller
    return isFailing
  })
  // The smallest schedule may differ only in some runs, as in a race, and the original schedule in all runs.
  const finding = await confirmFinding(comparison, smallest)
  return finding === null && smallest !== record ? confirmFinding(comparison, record) : finding
}

const MAX_RELATED = 6

/** Returns the schedules of a list after which a run shares a difference with a finding. */
export async function listSchedulesWithFinding(
  comparison: ScheduleEvaluator,
  { differences }: Finding,
  schedules: readonly FaultSchedule[],
  { isHarmless, hasTime }: Pick<SearchLimits, 'isHarmless' | 'hasTime'>,
): Promise<FaultSchedule[]> {
  const same: FaultSchedule[] = []
  for (const schedule of schedules.filter((one) => !isHarmless(one)).slice(0, MAX_RELATED)) {
    const record = hasTime() ? await comparison.run(schedule, { isBrief: true }) : null
    if (record === null) break
    if (hasSharedDifference(comparison.compare(record), differences)) same.push(schedule)
  }
  return same
}

/** Returns whether enough faults were applied: all faults of one or two, or at least one of three or more. */
export function hasAppliedFaults({ schedule, applied }: RunRecord): boolean {
  return schedule.length > 2 ? applied.length > 0 : applied.length === schedule.length
}

/**
 * Repeats a run, and runs the scenario once more without faults, so that rare races and random differences are not
 * reported. Returns null unless only the runs with faults ended differently. At the time limit, returns the
 * differences so far.
 */
async function confirmFinding(comparison: ScheduleEvaluator, first: RunRecord): Promise<Finding | null> {
  const keysOf = (record: RunRecord) => new Set(comparison.compare(record).map(getDifferenceKey))
  const confirmations: RunRecord[] = []
  let isInTime = true
  for (let left = CONFIRMATION_RUNS; isInTime && confirmations.length < REQUIRED_CONFIRMATIONS; left -= 1) {
    if (confirmations.length + left < REQUIRED_CONFIRMATIONS) return null
    const record = await comparison.run(first.schedule)
    isInTime = record !== null
    if (record === null) continue
    if (comparison.compare(first).some((one) => keysOf(record).has(getDifferenceKey(one))))
      confirmations.push(record)
  }
  const control = isInTime ? await comparison.run([]) : null
  const unstable = control === null ? new Set<string>() : keysOf(control)
  if (control?.outcome.scenarioError === null) comparison.learn(control)
  const confirmed = confirmations.map(keysOf)
  const differences = comparison.compare(first).filter((one) => {
    const key = getDifferenceKey(one)
    return confirmed.every((keys) => keys.has(key)) && !unstable.has(key)
  })
  if (differences.length === 0) return null
  return toFinding(comparison, confirmations.at(-1) ?? first, { differences, isConfirmed: control !== null })
}

function toFinding(
  comparison: ScheduleEvaluator,
  record: RunRecord,
  judgement: Pick<Finding, 'differences' | 'isConfirmed'>,
): Finding {
  const { schedule } = record
  return { schedule, occurrences: comparison.occurrencesOf(schedule), alsoAfter: [], record, ...judgement }
}
