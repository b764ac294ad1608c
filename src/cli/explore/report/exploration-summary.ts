import { toSingleLine } from '../../output/format-values.ts'
import { wrapText } from '../../output/text-layout.ts'
import { createPlainCell, formatTable } from '../../views/table.ts'
import type { ViewOptions } from '../../views/view-options.ts'
import type { ExplorationResult, ExploredSchedule, ScheduleResult } from '../exploration.ts'
import type { FaultSchedule } from '../model/schedule.ts'
import { describeSchedule, formatFaultName } from './fault-descriptions.ts'

type SummaryOptions = Pick<ViewOptions, 'style' | 'width'>

/** A sentence, or a value that is not a string if the sentence does not apply. */
type Note = string | false | null | undefined
type Summary = readonly [headline: string, ...notes: Note[]]

/** Returns the summary as lines: a headline, a table of the explored schedules, and notes. A replay has no table. */
export function formatExplorationSummary(
  exploration: ExplorationResult,
  { style, width }: SummaryOptions,
): string[] {
  const { explored, isReplay } = exploration
  const table = explored.length === 0 ? [] : [...countTable(exploration, { style, width }), '']
  const [headline, ...notes] = isReplay ? summarizeReplay(exploration) : summarizeExploration(exploration)
  const lines = [...notes, ...comparisonNotes(exploration)]
    .filter(isText)
    .flatMap((note) => wrapText(toSingleLine(note), width))
  return [style.bold(headline), ...(isReplay ? [] : ['', ...table]), ...lines]
}

function isText(note: Note): note is string {
  return typeof note === 'string'
}

function summarizeReplay({ explored }: ExplorationResult): Summary {
  const [replayed, ...others] = explored
  if (replayed === undefined) return ['The replay was interrupted.']
  if (others.length === 0) return describeReplay(replayed)
  const again = explored.filter(isFoundAgain)
  return [
    `The replay found ${again.length} of ${explored.length} problems again.`,
    ...explored.map((one) => [`${describeSchedule(one.schedule)}:`, ...describeReplay(one)].join(' ')),
  ]
}

/** Returns whether a replay found its problem again. */
export function isFoundAgain({ result }: ExploredSchedule): boolean {
  return result === 'finding' || result === 'known'
}

function describeReplay(replayed: ExploredSchedule): Summary {
  if (isFoundAgain(replayed)) return ['The replay found the problem again.']
  const { result, occurrences, allowedDifferences } = replayed
  if (result === 'not_reproducible') {
    return [
      `The replay found a problem in only ${occurrences.failed} of ${occurrences.runs} runs.`,
      'The problem is a race, or the app differs from run to run without faults. Repeat the replay to be sure.',
    ]
  }
  const differences = allowedDifferences.join('; ')
  if (result === 'aborted') {
    return [
      'The replay is not conclusive, because the scenario failed.',
      `${ABORTED} The differences: ${differences}.`,
    ]
  }
  if (result === 'not_applied') {
    const reason = 'the app no longer sends these requests, or receives these events.'
    return ['The replay found no problem.', `The faults of the problem did not apply: ${reason}`]
  }
  return [
    'The replay found no problem.',
    differences === ''
      ? 'The app ends in the same state as without faults.'
      : `The app ends in a different state, as expected after a failed request: ${differences}.`,
  ]
}

const ABORTED =
  'After a fault on a request or a restart, the scenario must repeat steps that fail, and wait for deliveries.'

function abortedNote(explored: readonly ExploredSchedule[]): Note {
  const aborted = explored.filter(({ result }) => result === 'aborted')
  const [first] = aborted
  if (first === undefined) return
  const example = `${describeSchedule(first.schedule)}: ${first.allowedDifferences.join('; ')}`
  return `Not conclusive: the scenario failed in ${schedules(aborted.length)} (${example}). ${ABORTED}`
}

function summarizeExploration(exploration: ExplorationResult): Summary {
  const { explored, skipped, findings, unconfirmed, durationMs } = exploration
  const none = unconfirmed.length === 0 ? 'No' : 'No confirmed'
  const problems = findings.length === 1 ? '1 problem' : `${findings.length || none} problems`
  const tried = schedules(explored.length)
  const seconds = `(${(durationMs / 1000).toFixed(1)} s)`
  const total = explored.length + skipped.length
  return [
    findings.length === 0 && skipped.length > 0
      ? `${problems} found, but only ${explored.length} of ${total} runs with faults were tried ${seconds}`
      : `${problems} found in ${tried} ${seconds}`,
    ...incompleteNotes(exploration, findings.length > 0),
    findings.length === 0 && remainderNote(exploration),
  ]
}

function incompleteNotes(exploration: ExplorationResult, hasEndedEarly: boolean): Note[] {
  const { explored, skipped, lostState, failure } = exploration
  const varying = explored.filter(({ result }) => result === 'not_reproducible').length
  const [lost] = lostState
  const reason = hasEndedEarly
    ? 'the problem ended the exploration. For all problems: --all'
    : 'the time limit was reached. For more time: `--time 5m`'
  return [
    varying > 0 && `Not reproducible: ${schedules(varying)} did not end differently every time.`,
    abortedNote(explored),
    lost && `Not explored: restart, because the app loses its state after a restart (${lost.text}).`,
    failure &&
      `The exploration ended early, because a run failed (${describeSchedule(failure.schedule)}): ${failure.message}`,
    skipped.length > 0 && failure === null && `Not explored: ${schedules(skipped.length)}, because ${reason}`,
  ]
}

/** Returns sentences about the limits of an exploration, such as schedules that were not tried. */
export function describeExplorationLimits(exploration: ExplorationResult): string[] {
  const unconfirmed = exploration.unconfirmed.map(
    ({ schedule, differences: [first] }) =>
      `Not confirmed, because the time limit was reached (${describeSchedule(schedule)}): ${first?.text}. For more time: \`--time 5m\``,
  )
  const notes = [...incompleteNotes(exploration, false), ...comparisonNotes(exploration)]
  return [...unconfirmed, ...notes.filter(isText)]
}

const INCONCLUSIVE: readonly ScheduleResult[] = ['aborted', 'not_confirmed']

function countTable({ explored }: ExplorationResult, { style, width }: SummaryOptions): readonly string[] {
  const groups = Map.groupBy(explored, ({ schedule }) => groupOf(schedule))
  const count = (name: string, results: readonly ScheduleResult[]) =>
    String((groups.get(name) ?? []).filter(({ result }) => results.includes(result)).length)
  const names = [...groups.keys()].sort()
  const column = (heading: string, results: readonly ScheduleResult[]) => ({
    heading,
    isRightAligned: true,
    cells: names.map((name) => createPlainCell(count(name, results))),
  })
  return formatTable(
    [
      { heading: 'fault', isRightAligned: false, cells: names.map(createPlainCell) },
      column('passed', ['passed', 'not_reproducible']),
      column('failed', ['finding', 'known']),
      column('not applied', ['not_applied']),
      ...(explored.some(({ result }) => INCONCLUSIVE.includes(result))
        ? [column('not conclusive', INCONCLUSIVE)]
        : []),
    ],
    { bold: style.bold, width },
  ).lines
}

function groupOf(schedule: FaultSchedule): string {
  const [first] = schedule
  if (first === undefined) return ''
  if (schedule.length > 2) return `${formatFaultName(first)} in every request or delivery`
  return schedule.length === 1 ? formatFaultName(first) : 'two different faults'
}

function remainderNote({ notTriedAlone, notTriedWithoutEffect }: ExplorationResult): Note {
  const reasons = [
    { count: notTriedAlone.length, reason: 'passed in a run with all faults of the same type' },
    { count: notTriedWithoutEffect.length, reason: 'at events without an effect on the app' },
  ].filter(({ count }) => count > 0)
  const texts = reasons.map(({ count, reason }) => `${count} ${reason}`)
  return texts.length > 0 && `Faults not tried one by one: ${texts.join(', ')}.`
}

function comparisonNotes({ baseline }: ExplorationResult): Note[] {
  const { record, ignored, unstable, money, unacknowledged } = baseline
  const isUnstable = (path: string) => unstable.paths.has(path) || unstable.shapes.has(path)
  const differing = ignored.filter(isUnstable)
  const logs = ignored.filter((path) => !isUnstable(path))
  return [
    record.outcome.observation === null &&
      'Not compared: the state of the app. Give a command that prints the state with --observe.',
    record.deliveries.length === 0 &&
      'Not explored: webhooks, because the app received no event. Give the path of the webhook handler with --forward-to.',
    logs.length > 0 && `Not compared, as counters or logs of webhooks: ${logs.join(', ')}.`,
    differing.length > 0 &&
      `Not compared: ${differing.join(', ')}, whose values differ without faults. If the app keeps state from earlier runs, delete this state with --reset.`,
    money === null && 'Not compared: payments, because they differ without faults.',
    unacknowledged.size > 0 &&
      `Never acknowledged, even without faults: ${[...unacknowledged.keys()].join(', ')}.`,
  ]
}

function schedules(count: number): string {
  return count === 1 ? '1 run with faults' : `${count} runs with faults`
}
