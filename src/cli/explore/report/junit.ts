import { escapeUnsafeCharacters } from '../../../domain/text/sanitize.ts'
import { createStyle } from '../../output/style.ts'
import type { ExplorationResult, ExploredSchedule, Finding, ScheduleResult } from '../exploration.ts'
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
  const cases = explored.map((one) => toCase(one, one.result === 'finding' ? remaining.shift() : undefined))
  return renderJUnit(`paycli explore ${scenario}`, cases, durationMs)
}

function toCase(
  { schedule, durationMs, result, occurrences, allowedDifferences }: ExploredSchedule,
  finding: Finding | undefined,
): JUnitCase {
  const message = finding?.differences.map(({ text }) => text).join('; ') ?? ''
  const details: Readonly<Record<ScheduleResult, Partial<JUnitCase>>> = {
    passed: {},
    finding: { failure: finding && { message, text: describeFinding(finding) } },
    known: { failure: { message: 'The same difference as in an earlier test case', text: '' } },
    not_applied: { skipped: 'The fault did not apply' },
    aborted: { skipped: allowedDifferences.join('; ') },
    not_confirmed: { skipped: 'Ended differently, but the time limit was reached before the confirmation' },
    not_reproducible: { output: `Ended differently in ${occurrences.failed} of ${occurrences.runs} runs` },
  }
  return {
    ...{ name: describeSchedule(schedule), durationMs },
    classname: [...new Set(schedule.map(formatFaultName))].join(' + '),
    ...details[result],
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
