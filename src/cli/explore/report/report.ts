import { escapeUnsafeCharacters } from '../../../domain/text/sanitize.ts'
import { toSingleLine } from '../../output/format-values.ts'
import { replaceProgramName } from '../../output/program-name.ts'
import { wrapHanging, wrapNote, wrapText } from '../../output/text-layout.ts'
import type { ViewOptions } from '../../views/view-options.ts'
import type { ExplorationResult, Finding } from '../exploration.ts'
import type { AppLifecycleEvent, RecordedDelivery, RecordedRequest, RunRecord } from '../model/run-record.ts'
import { formatExplorationSummary } from './exploration-summary.ts'
import { describeFault, describeUncertainFinding, listFaultCommands } from './fault-descriptions.ts'
import { listFixHints } from './fix-hints.ts'

export interface ReportOptions extends Pick<ViewOptions, 'style' | 'width'> {
  /** The command line that repeats the finding, with `--replay`; null without a replay file. */
  readonly replayCommand: string | null
}

const INDENT = '  '
const LOG_LINES = 8

/** Formats the result of an exploration: each finding with its timeline, then the summary. */
export function formatExploration(exploration: ExplorationResult, options: ReportOptions): string {
  const findings = [
    ...exploration.findings.map((finding, index) => findingLines(finding, `Problem ${index + 1}`, options)),
    ...exploration.unconfirmed.map((finding) => findingLines(finding, 'Not confirmed', options)),
  ].flatMap((lines) => [...lines, ''])
  return `${[...findings, ...formatExplorationSummary(exploration, options)].join('\n')}\n`
}

function findingLines(finding: Finding, title: string, options: ReportOptions): string[] {
  const { style, width } = options
  const { schedule, differences, alsoAfter, record } = finding
  const wrap = (text: string) => indent(text, width)
  return [
    style.bold(title),
    ...schedule.flatMap((fault) => wrap(`${describeFault(fault)}.`)),
    ...describeUncertainFinding(finding).flatMap(wrap),
    '',
    style.bold(wrapText('Difference from the run without faults', width).join('\n')),
    ...differences.flatMap(({ text }) => wrap(toSingleLine(text)).map(style.red)),
    ...(record.outcome.scenarioError === null || differences.some(({ kind }) => kind === 'scenario')
      ? []
      : wrap('The scenario also failed.')),
    ...alsoAfter.flatMap(([fault]) =>
      fault === undefined ? [] : wrap(`The same difference occurs when: ${describeFault(fault)}.`),
    ),
    '',
    style.bold('Timeline'),
    ...formatRunTimeline(finding, options),
    ...(record.outcome.hasCrashed ? logLines(record.log, options) : []),
    '',
    style.bold('Usual fix'),
    ...listFixHints(finding).flatMap(wrap),
    ...repeatLines(finding, options),
  ]
}

/** Returns the timeline of a finding as lines. */
export function formatRunTimeline(
  { record }: Pick<Finding, 'record'>,
  { style, width }: ReportOptions,
): string[] {
  const lines = createRunTimeline(record)
  const timeWidth = Math.max(0, ...lines.map(({ time }) => time.length))
  const fromWidth = Math.max(0, ...lines.map(({ from }) => from.length))
  return lines.flatMap(({ time, from, text, isFaulted }) => {
    const start = `${INDENT}${time.padStart(timeWidth)}  ${from.padEnd(fromWidth)}  `
    return wrapHanging(start, text, width).map(isFaulted ? style.yellow : (line) => line)
  })
}

const CHANGES: Readonly<Record<AppLifecycleEvent['kind'], string>> = {
  killed: 'was killed',
  restarted: 'was started again',
  crashed: 'ended by itself',
}

/** Numbers of lines before the first fault and after the last fault of a long timeline. */
const CONTEXT_BEFORE = 6
const CONTEXT_AFTER = 10
const MAX_LINES = 30

/** Returns the requests, deliveries and app changes of a run in order. A long run is cut to entries near its faults. */
export function createRunTimeline({ requests, deliveries, appChanges }: RunRecord) {
  const lines = [...requests, ...deliveries, ...appChanges].sort((a, b) => a.atMs - b.atMs).map(toLine)
  if (lines.length <= MAX_LINES) return lines
  const faulted = lines.flatMap(({ isFaulted }, index) => (isFaulted ? [index] : []))
  const first = Math.max(0, (faulted[0] ?? 0) - CONTEXT_BEFORE)
  const last = Math.min(lines.length, first + MAX_LINES, (faulted.at(-1) ?? MAX_LINES) + CONTEXT_AFTER + 1)
  return [...omission(first), ...lines.slice(first, last), ...omission(lines.length - last)]
}

function omission(count: number) {
  return count === 0 ? [] : [{ time: '', from: '', text: `… ${count} more`, isFaulted: false }]
}

// The time is in seconds since the start of the scenario.
function toLine(one: RecordedRequest | RecordedDelivery | AppLifecycleEvent) {
  const time = `${(one.atMs / 1000).toFixed(2)} s`
  if ('kind' in one)
    return { time, from: 'app', text: CHANGES[one.kind], isFaulted: one.kind !== 'restarted' }
  const { point, status, fault } = one
  const [from, name] =
    point.kind === 'request' ? ['app -> API', point.operation] : ['API -> app', point.event_type]
  const count = point.occurrence > 1 ? ` #${point.occurrence}` : ''
  const detail = 'summary' in one && one.summary !== '' ? ` (${one.summary})` : ''
  const result = `${status ?? 'no response'}${fault === null ? '' : `, ${fault}`}`
  return { time, from, text: toSingleLine(`${name}${count}${detail}: ${result}`), isFaulted: fault !== null }
}

function logLines(log: string, { style, width }: ReportOptions): string[] {
  const last = log.trimEnd().split('\n').slice(-LOG_LINES)
  const lines = last.flatMap((line) => indent(escapeUnsafeCharacters(line.replaceAll('\t', '  ')), width))
  return ['', style.bold('Last output of the app'), ...lines]
}

function repeatLines({ schedule }: Finding, { style, width, replayCommand }: ReportOptions): string[] {
  const commands = listFaultCommands(schedule)
  const asNote = (command: string) => wrapNote(replaceProgramName(`${INDENT}${command}`), width)
  return [
    ...(replayCommand === null ? [] : ['', style.bold('Repeat it'), asNote(replayCommand)]),
    ...(commands.length === 0
      ? []
      : ['', style.bold('Simulate it in a sandbox of your own'), ...commands.map(asNote)]),
  ]
}

function indent(text: string, width: number): string[] {
  return wrapText(text, width - INDENT.length).map((line) => INDENT + line)
}
