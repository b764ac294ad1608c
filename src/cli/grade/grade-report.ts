import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { formatCountWithNoun } from '../../presentation/words.ts'
import { type JUnitCase, renderJUnit } from '../explore/report/junit.ts'
import { toSingleLine } from '../output/format-values.ts'
import { wrapHanging } from '../output/text-layout.ts'
import type { ViewOptions } from '../views/view-options.ts'
import {
  type ClassResult,
  GRADE_CLASSES,
  type GradeClass,
  type GradeFinding,
  stateOf,
} from './grade-result.ts'

/** The results of a run, and the common data of all reports. */
export interface GradeReport {
  readonly results: readonly ClassResult[]
  /** The ids of the findings of an earlier report. */
  readonly known: ReadonlySet<string>
  /** Returns the command line that repeats a class, or all classes of the run. */
  readonly repeat: (name?: GradeClass) => string
  /** The time of the run in Unix seconds. */
  readonly created: number
  /** The configuration or another file of the app, to which code scanning attaches the findings. */
  readonly file: string
}

type Options = GradeReport & Pick<ViewOptions, 'style' | 'width'>

/** Returns the address of the section of the guide that explains a class, at a server with the default address. */
export function guideOf(name: GradeClass): string {
  return `http://127.0.0.1:4100/docs/guides/grade#${GRADE_CLASSES[name].replaceAll(' ', '-')}`
}

/** Formats the results, worst first, for a terminal. */
export function formatGrade(options: Options): string {
  const { results, style, width } = options
  const lines = results.flatMap((result) => {
    const state = stateOf(result)
    const color = state === 'FAILED' ? style.red : state === 'PASSED' ? style.green : style.yellow
    // Of the classes that share a run, only one contains the duration of the run.
    const seconds = result.durationMs === 0 ? '' : `, ${(result.durationMs / 1000).toFixed(1)} s`
    const facts = result.checks === 0 ? '' : ` (${formatCountWithNoun(result.checks, 'check')}${seconds})`
    return [
      `${color(style.bold(state))}  ${style.bold(GRADE_CLASSES[result.class])}${facts}`,
      ...result.findings.flatMap((finding) => findingLines(finding, options)),
      ...(result.findings.length === 0 ? [] : footerOf(result.class, options)),
      ...result.notes.flatMap((note) => wrapHanging('  ', toSingleLine(note), width)),
      '',
    ]
  })
  const hasFindings = results.some((one) => one.findings.length > 0)
  const note = 'The addresses of the guide work while paycli serve runs.'
  return `${[...lines, ...(hasFindings ? [note, ''] : []), style.bold(summarize(results))].join('\n')}\n`
}

function findingLines(finding: GradeFinding, { style, width, known }: Options): string[] {
  const label = `  ${finding.severity.toUpperCase()}${known.has(finding.id) ? ' (known)' : ''}  `
  const wrap = (start: string, text: string) => wrapHanging(start, escapeUnsafeCharacters(text), width)
  return [
    ...wrap(label, finding.problem).map(style.bold),
    ...finding.evidence.flatMap((line) => wrap('    ', toSingleLine(line))),
    ...wrap('    Fix: ', finding.fix),
  ]
}

function footerOf(name: GradeClass, { repeat }: Options): string[] {
  return [
    `  Guide: ${guideOf(name)}`,
    // Do not wrap the command, because a wrapped command cannot be copied.
    `  Repeat: ${escapeUnsafeCharacters(repeat(name))}`,
  ]
}

function summarize(results: readonly ClassResult[]): string {
  const inState = (state: string) => results.filter((one) => stateOf(one) === state).length
  const findings = results.reduce((sum, one) => sum + one.findings.length, 0)
  const partly = inState('PARTLY TRIED')
  const states = [
    `${inState('FAILED')} failed`,
    `${inState('PASSED')} passed`,
    ...(partly === 0 ? [] : [`${partly} partly tried`]),
    `${inState('NOT TRIED')} not tried`,
  ]
  return `${formatCountWithNoun(findings, 'finding')}. Classes: ${states.join(', ')}`
}

/** Returns the JSON form of the results. */
export function toGradeJson({ results, known, repeat, created }: GradeReport): object {
  return {
    ...{ object: 'grade', created, repeat: repeat() },
    classes: results.map((result) => ({
      ...{ class: result.class, title: GRADE_CLASSES[result.class], repeat: repeat(result.class) },
      state: stateOf(result).toLowerCase().replace(' ', '_'),
      checks: result.checks,
      findings: result.findings.map(({ class: name, ...one }) => ({
        ...{ ...one, guide: guideOf(name), known: known.has(one.id) },
      })),
      notes: result.notes,
      duration_ms: Math.round(result.durationMs),
    })),
  }
}

/** Returns the results as a JUnit report with a test case for each finding, and for each class without findings. */
export function toGradeJUnit({ results }: GradeReport): string {
  const cases = results.flatMap((one): JUnitCase[] => {
    const rest = { classname: GRADE_CLASSES[one.class], durationMs: one.durationMs }
    if (one.findings.length === 0) {
      const notes = one.notes.join(' ')
      if (one.incomplete === 'error')
        return [{ name: one.class, ...rest, failure: { message: notes, text: one.notes.join('\n') } }]
      return [{ name: one.class, ...rest, ...(stateOf(one) !== 'PASSED' && { skipped: notes }) }]
    }
    return one.findings.map(({ id, problem, evidence, fix }) => ({
      ...{ name: id, ...rest },
      failure: { message: problem, text: [...evidence, fix, guideOf(one.class)].join('\n') },
    }))
  })
  return renderJUnit(
    'paycli grade',
    cases,
    results.reduce((sum, { durationMs }) => sum + durationMs, 0),
  )
}

/** Returns the results as Markdown, for the summary of a job. */
export function toGradeMarkdown({ results }: GradeReport): string {
  const toText = (text: string) => toSingleLine(text).replace(/[\\|<>`*_[\]]/g, '\\$&')
  const rows = results.map(
    (one) =>
      `| ${GRADE_CLASSES[one.class]} | ${stateOf(one).toLowerCase()} | ${one.checks} | ${one.findings.length} |`,
  )
  const findings = results.flatMap((one) =>
    one.findings.map(
      ({ severity, problem, fix }) =>
        `- **${severity}** ${toText(problem)} ${toText(fix)} ([guide](${guideOf(one.class)}))`,
    ),
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
