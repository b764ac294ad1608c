import type { GradeFinding } from '../../presentation/grade-report.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { ExplorationResult, Finding } from '../explore/exploration.ts'
import { explore } from '../explore/explore.ts'
import type { ScenarioRunner } from '../explore/model/run-record.ts'
import type { FaultSchedule } from '../explore/model/schedule.ts'
import { describeExplorationLimits } from '../explore/report/exploration-summary.ts'
import { describeFault, describeSchedule } from '../explore/report/fault-descriptions.ts'
import { listFixHints } from '../explore/report/fix-hints.ts'
import { formatRunTimeline } from '../explore/report/report.ts'
import { createStyle } from '../output/style.ts'
import type { ClassResult, GradeClass } from './grade-result.ts'

const TIMELINE = { style: createStyle(false), width: 200, replayCommand: null }
const MAX_TIMELINE_LINES = 12

export interface FaultsGradeOptions {
  readonly classes: readonly GradeClass[]
  readonly timeMs: number
  readonly nowMs: () => number
  readonly signal: AbortSignal
}

/** Runs the scenario with faults, as `paycli explore --all` does, and returns the result of each class. */
export async function gradeFaults(
  runner: ScenarioRunner,
  options: FaultsGradeOptions,
): Promise<ClassResult[]> {
  const classes = FAULT_CLASSES.filter((name) => options.classes.includes(name))
  const { timeMs, nowMs, signal } = options
  try {
    const suggestCommand = () => 'paycli grade'
    const result = await explore(runner, {
      ...{ timeMs, nowMs, signal, seed: '1', replays: null, isExhaustive: true, suggestCommand },
    })
    return toClassResults(result, classes)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof UsageError) || error.code === 'app_not_started') throw error
    const lines = `${error.message}\n${error.hint ?? ''}`.split('\n').filter((line) => line.trim() !== '')
    const [first = ''] = lines
    const isError = error.code !== 'state_not_compared' && error.code !== 'nothing_to_explore'
    const notes = [
      `Not tried: runs with faults. ${first}`,
      ...(isError ? lines.slice(1).slice(-MAX_OUTPUT_LINES) : []),
      ...(error.code === 'scenario_failed' ? [SCENARIO_HINT] : []),
    ]
    const incomplete = isError ? ('error' as const) : ('untried' as const)
    const none = { findings: [], checks: 0, incomplete }
    return classes.map((name, index) => ({
      ...{ ...none, class: name, notes: index === 0 ? notes : notes.slice(0, 1) },
    }))
  }
}

/** The last lines of an error, which are the output of the app. */
const MAX_OUTPUT_LINES = 6
const SCENARIO_HINT =
  'The scenario must succeed in each run. If the app rejects a repeated value, such as an email, write {{run}} in this value of the recording, or delete the data with --reset.'

const FAULT_CLASSES = ['duplicates', 'lost_responses'] as const

function toClassResults(exploration: ExplorationResult, classes: readonly GradeClass[]): ClassResult[] {
  const { findings, unconfirmed, explored, skipped, durationMs } = exploration
  const tried = explored.filter(({ result }) => result !== 'not_applied' && result !== 'aborted')
  // A fault may also show a problem of another class, but is weak evidence for that class.
  return [...classes, 'authenticity' as const, 'life' as const].map((name, index) => {
    const isOwn = classes.includes(name)
    const checks = isOwn ? tried.filter(({ schedule }) => classOf(schedule) === name).length : 0
    const isUnclear = unconfirmed.some(({ schedule }) => classOf(schedule) === name)
    const left = skipped.filter((schedule) => classOf(schedule) === name).length
    return {
      ...{ class: name, checks, ...(index === 0 && { durationMs }) },
      incomplete: isUnclear || (isOwn && left > checks) ? 'untried' : undefined,
      findings: findings.filter(({ schedule }) => classOf(schedule) === name).map(toGradeFinding),
      notes: [
        ...(index === 0 ? describeExplorationLimits(exploration) : []),
        ...(name === 'lost_responses' && (checks === 0 || left > checks)
          ? [noteOf(explored.length, skipped.length)]
          : []),
      ],
    }
  })
}

function noteOf(runs: number, skipped: number): string {
  return skipped > 0
    ? `The time limit was reached after ${runs} runs with faults. Give a longer --time.`
    : 'Give a --scenario in which the app sends requests to the API.'
}

function classOf([first]: FaultSchedule): GradeClass {
  if (first === undefined || first.fault === 'restart' || first.fault === 'drop_attempt')
    return 'lost_responses'
  if (first.fault === 'bad_signature' || first.fault === 'old_timestamp') return 'authenticity'
  return first.at.kind === 'payment' ? 'life' : first.at.kind === 'request' ? 'lost_responses' : 'duplicates'
}

/** Describes the first fault of many as an example. */
function describePoints(schedule: FaultSchedule): string {
  const [first] = schedule
  if (first === undefined || schedule.length < 3) return describeSchedule(schedule)
  return `${describeFault(first)}, with the same fault at ${schedule.length - 1} other points`
}

function toGradeFinding(finding: Finding): GradeFinding {
  const { schedule, differences, alsoAfter } = finding
  const [first] = differences
  const [fix = '', ...others] = listFixHints(finding)
  return {
    id: `${[...new Set(schedule.map(({ fault, at }) => `${fault} ${at.kind}`))].join('+')}/${first?.path ?? ''}`,
    severity: differences.every(({ kind }) => kind === 'unacknowledged' || kind === 'scenario')
      ? 'medium'
      : 'high',
    problem: `${describePoints(schedule)}, and the app ends differently.`,
    evidence: [
      ...differences.map(({ text }) => text),
      ...formatRunTimeline(finding, TIMELINE)
        .map((line) => line.trim())
        .slice(0, MAX_TIMELINE_LINES),
      ...alsoAfter.map((one) => `The same difference occurs when: ${describeSchedule(one)}.`),
    ],
    fix: [fix, ...others].join(' '),
  }
}
