import { escapeUnsafeCharacters } from '../../../domain/text/sanitize.ts'
import { toSingleLine } from '../../output/format-values.ts'
import { replaceProgramName } from '../../output/program-name.ts'
import { wrapHanging, wrapNote, wrapText } from '../../output/text-layout.ts'
import type { ViewOptions } from '../../views/view-options.ts'
import type { ExplorationResult, Finding } from '../exploration.ts'
import { formatExplorationSummary } from './exploration-summary.ts'
import { describeFault, describeUncertainFinding, listFaultCommands } from './fault-descriptions.ts'
import { listFixHints } from './fix-hints.ts'
import { createRunTimeline } from './run-timeline.ts'

export interface ReportOptions extends Pick<ViewOptions, 'style' | 'width'> {
  /** The command line that repeats the finding, with `--replay`; null without a replay file. */
  readonly replayCommand: string | null
}

const INDENT = '  '
const LOG_LINES = 8

/** Formats the result of an exploration: each finding with its timeline, then the summary. */
export function formatExploration(exploration: ExplorationResult, options: ReportOptions): string {
  const findings = exploration.findings.flatMap((finding, index) => [
    ...findingLines(finding, index + 1, options),
    '',
  ])
  return `${[...findings, ...formatExplorationSummary(exploration, options)].join('\n')}\n`
}

function findingLines(finding: Finding, number: number, options: ReportOptions): string[] {
  const { style, width } = options
  const { schedule, differences, alsoAfter, record } = finding
  const wrap = (text: string) => indent(text, width)
  return [
    style.bold(`Problem ${number}`),
    ...schedule.flatMap((fault) => wrap(`${describeFault(fault)}.`)),
    ...describeUncertainFinding(finding).flatMap(wrap),
    '',
    style.bold(wrapText('Difference from the run without faults', width).join('\n')),
    ...differences.flatMap(({ text }) => wrap(toSingleLine(text)).map(style.red)),
    ...(record.outcome.scenarioError === null || differences.some(({ kind }) => kind === 'scenario')
      ? []
      : wrap('The scenario failed, too.')),
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
