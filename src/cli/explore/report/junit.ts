import { escapeUnsafeCharacters } from '../../../domain/text/sanitize.ts'
import { createStyle } from '../../output/style.ts'
import type { ExplorationResult, ExploredSchedule, Finding } from '../exploration.ts'
import { describeSchedule, describeUncertainFinding, formatFaultName } from './fault-descriptions.ts'
import { listFixHints } from './fix-hints.ts'
import { formatRunTimeline } from './report.ts'

const PLAIN = { style: createStyle(false), width: 120, replayCommand: null }

/** A test case of a JUnit report. At most one of `failure` and `skipped` has a message. */
export interface JUnitCase {
  readonly name: string
  readonly classname: string
  readonly durationMs: number
  readonly failure?: { readonly message: string; readonly text: string } | undefined
  readonly skipped?: string | undefined
  readonly output?: string | undefined
}

/** Renders a JUnit report with one suite. */
export function renderJUnit(name: string, cases: readonly JUnitCase[], durationMs: number): string {
  const counts = {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    time: seconds(durationMs),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite${attributes({ name, ...counts })}>`,
    ...cases.map(renderCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function renderCase({ name, classname, durationMs, failure, skipped, output }: JUnitCase): string {
  const open = `    <testcase${attributes({ name, classname, time: seconds(durationMs) })}`
  const content = [
    failure && `<failure${attributes({ message: failure.message })}>${escapeXml(failure.text)}</failure>`,
    skipped !== undefined && `<skipped${attributes({ message: skipped })}/>`,
    output !== undefined && `<system-out>${escapeXml(output)}</system-out>`,
  ].filter((one) => one)
  return content.length === 0 ? `${open}/>` : `${open}>\n      ${content.join('')}\n    </testcase>`
}

/** Returns a JUnit report with a test case for each schedule. */
export function toJUnit({ explored, findings, durationMs }: ExplorationResult, scenario: string): string {
  const remaining = [...findings]
  const cases = explored.map((one) =>
    toCase(one, one.result === 'finding' ? (remaining.shift() ?? null) : null),
  )
  return renderJUnit(`paycli explore ${scenario}`, cases, durationMs)
}

function toCase(
  { schedule, durationMs, result, occurrences, allowedDifferences }: ExploredSchedule,
  finding: Finding | null,
): JUnitCase {
  const message = finding?.differences.map(({ text }) => text).join('; ')
  const known = { message: 'The same difference as in an earlier test case', text: '' }
  const skipped = { not_applied: 'The fault did not apply', aborted: allowedDifferences.join('; ') }
  return {
    ...{ name: describeSchedule(schedule), durationMs },
    classname: [...new Set(schedule.map(formatFaultName))].join(' + '),
    ...(result === 'known' && { failure: known }),
    ...(finding !== null && { failure: { message: message ?? '', text: describeFinding(finding) } }),
    ...((result === 'not_applied' || result === 'aborted') && { skipped: skipped[result] }),
    ...(result === 'not_reproducible' && {
      output: `Ended differently in ${occurrences.failed} of ${occurrences.runs} runs`,
    }),
  }
}

function describeFinding(finding: Finding): string {
  const { schedule, differences } = finding
  return [
    describeSchedule(schedule),
    ...describeUncertainFinding(finding),
    ...differences.map(({ text }) => text),
    ...formatRunTimeline(finding, PLAIN),
    ...listFixHints(finding),
  ].join('\n')
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

// XML 1.0 allows no control characters, not even as character references.
function escapeXml(text: string): string {
  return escapeUnsafeCharacters(text.toWellFormed())
    .replaceAll('\ufffe', '\\ufffe')
    .replaceAll('\uffff', '\\uffff')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}
