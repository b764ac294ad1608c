import { escapeUnsafeCharacters } from '../../../domain/text/sanitize.ts'
import { createStyle } from '../../output/style.ts'
import type { ExplorationResult, ExploredSchedule, Finding } from '../exploration.ts'
import { describeIntermittentFinding, describeSchedule, formatFaultName } from './fault-descriptions.ts'
import { listFixHints } from './fix-hints.ts'
import { formatRunTimeline } from './report.ts'

const PLAIN = { style: createStyle(false), width: 120, replayCommand: null }

/** Returns a JUnit report with a test case for each schedule. */
export function toJUnit({ explored, findings, durationMs }: ExplorationResult, scenario: string): string {
  const remaining = [...findings]
  const cases = explored.map((one) =>
    testCase(one, one.result === 'finding' ? (remaining.shift() ?? null) : null),
  )
  const count = (results: readonly ExploredSchedule['result'][]) =>
    explored.filter(({ result }) => results.includes(result)).length
  const counts = {
    tests: explored.length,
    failures: count(['finding', 'known']),
    errors: 0,
    skipped: count(['not_applied', 'aborted']),
    time: seconds(durationMs),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite${attributes({ name: `paycli explore ${scenario}`, ...counts })}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(explored: ExploredSchedule, finding: Finding | null): string {
  const { schedule, durationMs } = explored
  const open = `    <testcase${attributes({
    name: describeSchedule(schedule),
    classname: [...new Set(schedule.map(formatFaultName))].join(' + '),
    time: seconds(durationMs),
  })}`
  const content = contentOf(explored, finding)
  return content === '' ? `${open}/>` : `${open}>\n      ${content}\n    </testcase>`
}

function contentOf(
  { result, occurrences, allowedDifferences }: ExploredSchedule,
  finding: Finding | null,
): string {
  if (finding !== null) {
    const message = finding.differences.map(({ text }) => text).join('; ')
    return `<failure${attributes({ message })}>${escapeXml(describeFinding(finding))}</failure>`
  }
  if (result === 'known') return '<failure message="The same difference as in an earlier test case"/>'
  if (result === 'not_applied') return '<skipped message="The fault did not apply"/>'
  if (result === 'aborted') return `<skipped${attributes({ message: allowedDifferences.join('; ') })}/>`
  if (result !== 'not_reproducible') return ''
  const { failed, runs } = occurrences
  return `<system-out>Ended differently in ${failed} of ${runs} runs</system-out>`
}

function describeFinding(finding: Finding): string {
  const { schedule, differences } = finding
  return [
    describeSchedule(schedule),
    ...describeIntermittentFinding(finding),
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
