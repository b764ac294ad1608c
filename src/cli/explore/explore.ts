import { toCanonicalJson } from '../../domain/text/canonical-json.ts'
import { getErrorMessage } from '../errors/error-fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import { requireComparedStateChange } from './compare/compared-state.ts'
import { hasSharedDifference, type RunDifference } from './compare/difference.ts'
import type {
  ExplorationResult,
  ExploredSchedule,
  Finding,
  FindingToReplay,
  ScheduleResult,
  ScheduleRunFailure,
} from './exploration.ts'
import type { RunRecord, ScenarioRunner } from './model/run-record.ts'
import type { FaultSchedule } from './model/schedule.ts'
import {
  planFaultPairs,
  planFaultSweeps,
  planRelatedFaults,
  planSingleFaults,
} from './plan/plan-schedules.ts'
import { interleave } from './plan/point-ranks.ts'
import {
  confirmSmallestSchedule,
  createScheduleEvaluator,
  findReplayedFinding,
  hasAppliedFaults,
  listSchedulesWithFinding,
  runReplay,
  type ScheduleEvaluator,
} from './schedule-evaluator.ts'
import { createTimeBudget, type TimeBudget } from './time-budget.ts'

export interface ExploreProgress {
  /** The number of schedules that have ended. */
  readonly done: number
  readonly findings: number
  readonly current: FaultSchedule
  /** The remaining time in milliseconds; Infinity for a replay, which has no time limit. */
  readonly remainingMs: number
}

/** A difference after the faults of a schedule, before its schedule is reduced and confirmed. */
export interface NewDifference {
  readonly schedule: FaultSchedule
  readonly text: string
  readonly elapsedMs: number
}

export interface ExploreOptions {
  /** The time limit in milliseconds. Its last part is only for confirmations; the first schedule is always tried and confirmed. */
  readonly timeMs: number
  readonly seed: string
  /** The findings to repeat; null to explore. */
  readonly replays: readonly FindingToReplay[] | null
  /** Returns the command line of the user with further flags; if null, no compared state is required (default). */
  readonly suggestCommand?: ((...flags: readonly string[]) => string) | null
  /** Whether to continue after the first finding (default: false). */
  readonly isExhaustive?: boolean
  /** Returns milliseconds of a monotonic clock. */
  readonly nowMs: () => number
  readonly onProgress?: (progress: ExploreProgress) => void
  /** Called with each new difference before it is confirmed, and with the milliseconds since the start. */
  readonly onDifference?: (difference: NewDifference) => void
  /** Ends the exploration early. `explore` then returns the results so far. */
  readonly signal?: AbortSignal
}

const NOTHING = 'There is nothing to explore: the app sent no request to the API and received no webhook.'
const NOTHING_HINT =
  'Let the app use PAYCLI_API_BASE and PAYCLI_API_KEY, and give the path of its webhook handler, such as --forward-to /webhooks.'

/**
 * Runs the scenario without faults, then with each schedule until the time is up or a finding is confirmed. Throws a
 * UsageError if the scenario fails without faults.
 */
export async function explore(runner: ScenarioRunner, options: ExploreOptions): Promise<ExplorationResult> {
  const isReplay = options.replays !== null
  const time = createTimeBudget(isReplay ? Infinity : options.timeMs, options.nowMs)
  const records = await runBaselines(runner, options)
  const comparison = createScheduleEvaluator(runner, records, options.signal, time.limitMs)
  const { record } = comparison.baseline()
  if (!isReplay && planSingleFaults(record, { canRestart: true }).length === 0)
    throw new UsageError('nothing_to_explore', NOTHING, { hint: NOTHING_HINT })
  if (options.suggestCommand) requireComparedStateChange(comparison.baseline(), options.suggestCommand)
  const explorer = await createExplorer(comparison, options, time)
  await explorer.tryAll((options.replays ?? []).map(({ schedule }) => schedule))
  const { effectiveTypes } = comparison.baseline()
  const plan = { canRestart: explorer.lostState.length === 0, effectiveTypes }
  const singles = isReplay ? [] : planSingleFaults(record, plan)
  await explorer.tryAll(isReplay ? [] : planFaultSweeps(record, plan))
  const groups = groupSingleFaults(singles, explorer.result().explored, effectiveTypes)
  await explorer.tryAll(groups.effective)
  const applied = singles.filter((schedule) => explorer.resultOf(schedule) !== 'not_applied')
  const pairs = isReplay ? [] : planFaultPairs(applied, options)
  await explorer.tryAll(interleave([[...groups.covered, ...groups.ineffective], pairs]))
  const notTried = (schedules: readonly FaultSchedule[]) =>
    schedules.filter((schedule) => explorer.resultOf(schedule) === null)
  return {
    ...explorer.result(),
    skipped: notTried(groups.effective),
    notTriedAlone: notTried(groups.covered),
    notTriedWithoutEffect: notTried(groups.ineffective),
    ...{ isReplay, durationMs: time.elapsedMs() },
  }
}

/**
 * Groups schedules of one fault. A fault that was harmless together with faults of its type is rarely harmful alone.
 * A delivery that the app acknowledges without an effect rarely matters.
 */
function groupSingleFaults(
  singles: readonly FaultSchedule[],
  explored: readonly ExploredSchedule[],
  effectiveTypes: ReadonlySet<string>,
) {
  const passed = explored.filter(({ result }) => result === 'passed').flatMap(({ applied }) => applied)
  const passedKeys = new Set(passed.map(toCanonicalJson))
  const groups = Object.groupBy(singles, (schedule) => {
    if (schedule.every((fault) => passedKeys.has(toCanonicalJson(fault)))) return 'covered'
    const isEffective = schedule.some(({ at }) => at.kind !== 'delivery' || effectiveTypes.has(at.event_type))
    return isEffective ? 'effective' : 'ineffective'
  })
  return { effective: [], covered: [], ineffective: [], ...groups }
}

async function createExplorer(comparison: ScheduleEvaluator, options: ExploreOptions, time: TimeBudget) {
  const { replays, signal } = options
  const lostState = replays === null ? await comparison.findStateLostOnRestart() : []
  const explored = new Map<string, ExploredSchedule>()
  const findings: Finding[] = []
  let failure: ScheduleRunFailure | null = null
  const isOver = () =>
    signal?.aborted === true ||
    failure !== null ||
    // At least one schedule is run, even after long runs without faults.
    (explored.size > 0 && !time.hasTime()) ||
    (findings.length > 0 && options.isExhaustive !== true && replays === null)
  const resultOf = (schedule: FaultSchedule) => explored.get(toCanonicalJson(schedule))?.result ?? null

  async function tryAll(schedules: readonly FaultSchedule[]): Promise<void> {
    for (const schedule of schedules) {
      if (isOver()) return
      if (resultOf(schedule) !== null) continue
      const progress = { done: explored.size, findings: findings.length, current: schedule }
      options.onProgress?.({ ...progress, remainingMs: time.remainingMs() })
      try {
        const record = await (replays === null ? comparison.run(schedule) : runReplay(comparison, schedule))
        if (record === null) return
        const result = await judge(record)
        time.addRun(record.durationMs)
        const { applied, durationMs } = record
        explored.set(toCanonicalJson(schedule), {
          ...{ schedule, result, occurrences: comparison.occurrencesOf(schedule), applied, durationMs },
          allowedDifferences: comparison.allowedDifferences(record),
        })
      } catch (error) {
        if (signal?.aborted === true) return
        // Without a finding, there is no result to report, so rethrow the error.
        if (findings.length === 0) throw error
        failure = { schedule, message: getErrorMessage(error) }
      }
    }
  }

  async function judge(record: RunRecord): Promise<ScheduleResult> {
    if (!hasAppliedFaults(record)) return 'not_applied'
    const differences = comparison.compare(record)
    const [first] = differences
    if (first === undefined) return record.outcome.scenarioError === null ? 'passed' : 'aborted'
    const isKnown = (some: readonly RunDifference[]) =>
      findings.some((finding) => hasSharedDifference(finding.differences, some))
    if (isKnown(differences)) return 'known'
    if (replays === null)
      options.onDifference?.({ schedule: record.applied, text: first.text, elapsedMs: time.elapsedMs() })
    const isHarmless = (smaller: FaultSchedule) =>
      ['passed', 'not_applied', 'aborted'].includes(resultOf(smaller) ?? '')
    const limits = { isHarmless, isKnown, hasTime: time.startReduction() }
    const finding =
      replays === null
        ? await confirmSmallestSchedule(comparison, record, limits)
        : await findReplayedFinding(comparison, record, replays)
    if (finding === null) return 'not_reproducible'
    if (isKnown(finding.differences)) return 'known'
    const plan = { canRestart: lostState.length === 0 }
    const related = replays === null ? planRelatedFaults(finding.schedule, plan) : []
    const alsoAfter = await listSchedulesWithFinding(comparison, finding, related, {
      ...limits,
      hasTime: time.hasTime,
    })
    findings.push({ ...finding, alsoAfter })
    return finding.isConfirmed ? 'finding' : 'not_confirmed'
  }

  const result = () => ({
    ...{ baseline: comparison.baseline(), explored: [...explored.values()], lostState, failure },
    findings: findings.filter(({ isConfirmed }) => isConfirmed),
    unconfirmed: findings.filter(({ isConfirmed }) => !isConfirmed),
  })
  return { lostState, tryAll, resultOf, result }
}

async function runBaselines(
  runner: ScenarioRunner,
  { signal, onProgress, timeMs, replays }: ExploreOptions,
): Promise<[RunRecord, ...RunRecord[]]> {
  const runOnce = async () => {
    const remainingMs = replays === null ? timeMs : Infinity
    onProgress?.({ done: 0, findings: 0, current: [], remainingMs })
    const record = await runner.run([], { signal })
    requireExpectation(record)
    return record
  }
  // Two runs without faults show which values differ without a fault.
  return [await runOnce(), await runOnce()]
}

function requireExpectation({ outcome }: RunRecord): void {
  if ((outcome.expectation ?? 0) === 0) return
  const output = outcome.expectationOutput.trim()
  throw new UsageError(
    'flag_invalid',
    `--expect fails without faults, with exit code ${outcome.expectation}${output === '' ? '.' : `: ${output}`}`,
    { param: 'expect', hint: 'Give a command that succeeds when the app is in the expected state.' },
  )
}
