import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { type JUnitCase, renderJUnit } from '../explore/report/junit.ts'
import { toSingleLine } from '../output/format-values.ts'
import { wrapHanging } from '../output/text-layout.ts'
import type { ViewOptions } from '../views/view-options.ts'
import { type ClassResult, GRADE_CLASSES, type GradeClass, type GradeFinding } from './grade-result.ts'

/** The guide that explains each class. */
const GUIDES: Readonly<Record<GradeClass, string>> = {
  authenticity: 'webhooks',
  duplicates: 'faults',
  lost_answers: 'faults',
  load: 'webhooks',
  money: 'billing',
  life: 'test-clocks',
}

export interface GradeReportOptions extends Pick<ViewOptions, 'style' | 'width'> {
  /** Returns the command line that repeats a class. */
  readonly repeat: (name: GradeClass) => string
  /** The ids of the findings of an earlier report. */
  readonly known: ReadonlySet<string>
}

function stateOf({ findings, checks }: ClassResult): 'FAILED' | 'PASSED' | 'NOT TRIED' {
  if (findings.length > 0) return 'FAILED'
  return checks > 0 ? 'PASSED' : 'NOT TRIED'
}

/** Formats the results, worst first, for a terminal. */
export function formatGrade(results: readonly ClassResult[], options: GradeReportOptions): string {
  const { style, width } = options
  const lines = results.flatMap((result) => {
    const state = stateOf(result)
    const color = { FAILED: style.red, PASSED: style.green, 'NOT TRIED': style.yellow }[state]
    // Classes that share a run have one duration.
    const seconds = result.durationMs === 0 ? '' : `, ${(result.durationMs / 1000).toFixed(1)} s`
    const facts = result.checks === 0 ? '' : ` (${count(result.checks, 'check')}${seconds})`
    return [
      `${color(style.bold(state))}  ${style.bold(GRADE_CLASSES[result.class])}${facts}`,
      ...result.findings.flatMap((finding) => findingLines(finding, options)),
      ...(result.findings.length === 0 ? [] : footerOf(result.class, options)),
      ...result.notes.flatMap((note) => wrapHanging('  ', toSingleLine(note), width)),
      '',
    ]
  })
  return `${[...lines, style.bold(summarize(results))].join('\n')}\n`
}

function findingLines(finding: GradeFinding, { style, width, known }: GradeReportOptions): string[] {
  const label = `  ${finding.severity.toUpperCase()}${known.has(finding.id) ? ' (known)' : ''}  `
  const wrap = (start: string, text: string) => wrapHanging(start, escapeUnsafeCharacters(text), width)
  return [
    ...wrap(label, finding.problem).map(style.bold),
    ...finding.evidence.flatMap((line) => wrap('    ', toSingleLine(line))),
    ...wrap('    Fix: ', finding.fix),
  ]
}

function footerOf(name: GradeClass, { width, repeat }: GradeReportOptions): string[] {
  const guide = `${GUIDES[name]}.md of the package, or /docs/guides/${GUIDES[name]} of a running server`
  return [
    ...wrapHanging('  Guide: ', `.github/guides/${guide}`, width),
    // A wrapped command cannot be copied.
    `  Repeat: ${escapeUnsafeCharacters(repeat(name))}`,
  ]
}

function summarize(results: readonly ClassResult[]): string {
  const inState = (state: string) => results.filter((one) => stateOf(one) === state).length
  const findings = results.reduce((sum, one) => sum + one.findings.length, 0)
  return `${count(findings, 'finding')}. Classes: ${inState('FAILED')} failed, ${inState('PASSED')} passed, ${inState('NOT TRIED')} not tried`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Returns the JSON form of the results. */
export function toGradeJson(results: readonly ClassResult[], known: ReadonlySet<string>): object {
  return {
    object: 'grade',
    classes: results.map((result) => ({
      class: result.class,
      state: stateOf(result).toLowerCase().replace(' ', '_'),
      checks: result.checks,
      findings: result.findings.map(({ class: _, ...one }) => ({ ...one, known: known.has(one.id) })),
      notes: result.notes,
      duration_ms: Math.round(result.durationMs),
    })),
  }
}

/** Returns the results as a JUnit report with a test case for each finding, and for each class without findings. */
export function toGradeJUnit(results: readonly ClassResult[]): string {
  const cases = results.flatMap((one): JUnitCase[] => {
    const rest = { classname: GRADE_CLASSES[one.class], durationMs: one.durationMs }
    if (one.findings.length === 0)
      return [{ name: one.class, ...rest, ...(one.checks === 0 && { skipped: one.notes.join(' ') }) }]
    return one.findings.map(({ id, problem, evidence, fix }) => ({
      ...{ name: id, ...rest, failure: { message: problem, text: [...evidence, fix].join('\n') } },
    }))
  })
  return renderJUnit(
    'paycli grade',
    cases,
    results.reduce((sum, { durationMs }) => sum + durationMs, 0),
  )
}

/** Returns the results as Markdown, for the summary of a job. */
export function toGradeMarkdown(results: readonly ClassResult[]): string {
  const toText = (text: string) => toSingleLine(text).replace(/[\\|<>`*_[\]]/g, '\\$&')
  const rows = results.map(
    (one) =>
      `| ${GRADE_CLASSES[one.class]} | ${stateOf(one).toLowerCase()} | ${one.checks} | ${one.findings.length} |`,
  )
  const findings = results.flatMap((one) =>
    one.findings.map(({ severity, problem, fix }) => `- **${severity}** ${toText(problem)} ${toText(fix)}`),
  )
  return [
    '## paycli grade',
    '',
    '| class | state | checks | findings |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...findings,
    '',
  ].join('\n')
}
