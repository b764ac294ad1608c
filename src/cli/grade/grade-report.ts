import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import type { GradedClass, GradeReport } from '../../presentation/grade-report.ts'
import { formatCountWithNoun } from '../../presentation/words.ts'
import { type JUnitCase, renderJUnit } from '../explore/report/junit.ts'
import { toSingleLine } from '../output/format-values.ts'
import { wrapHanging } from '../output/text-layout.ts'
import type { ViewOptions } from '../views/view-options.ts'
import type { RunReport } from './grade-result.ts'

type Layout = Pick<ViewOptions, 'style' | 'width'>

/** Formats the report for a terminal. */
export function formatGrade({ classes }: GradeReport, { style, width }: Layout): string {
  const lines = classes.flatMap(({ title, repeat, state, checks, findings, notes, duration_ms }) => {
    const color = state === 'failed' ? style.red : state === 'passed' ? style.green : style.yellow
    // Of the classes that share a run, only one contains the duration of the run.
    const seconds = duration_ms === 0 ? '' : `, ${(duration_ms / 1000).toFixed(1)} s`
    const facts = checks === 0 ? '' : ` (${formatCountWithNoun(checks, 'check')}${seconds})`
    // Do not wrap the command, because a wrapped command cannot be copied.
    const footer = [`  Guide: ${findings[0]?.guide}`, `  Repeat: ${escapeUnsafeCharacters(repeat)}`]
    return [
      `${color(style.bold(toWords(state).toUpperCase()))}  ${style.bold(title)}${facts}`,
      ...findings.flatMap((finding) => findingLines(finding, { style, width })),
      ...(findings.length === 0 ? [] : footer),
      ...notes.flatMap((note) => wrapHanging('  ', toSingleLine(note), width)),
      '',
    ]
  })
  const hasFindings = classes.some((one) => one.findings.length > 0)
  const note = 'The addresses of the guide work while paycli serve runs.'
  return `${[...lines, ...(hasFindings ? [note, ''] : []), style.bold(summarize(classes))].join('\n')}\n`
}

function toWords(state: GradedClass['state']): string {
  return state.replace('_', ' ')
}

function findingLines(finding: GradedClass['findings'][number], { style, width }: Layout): string[] {
  const label = `  ${finding.severity.toUpperCase()}${finding.known ? ' (known)' : ''}  `
  const wrap = (start: string, text: string) => wrapHanging(start, escapeUnsafeCharacters(text), width)
  return [
    ...wrap(label, finding.problem).map(style.bold),
    ...finding.evidence.flatMap((line) => wrap('    ', toSingleLine(line))),
    ...wrap('    Fix: ', finding.fix),
  ]
}

function summarize(classes: readonly GradedClass[]): string {
  const inState = (state: GradedClass['state']) => classes.filter((one) => one.state === state).length
  const findings = classes.reduce((sum, one) => sum + one.findings.length, 0)
  const partly = inState('partly_tried')
  const states = [
    `${inState('failed')} failed`,
    `${inState('passed')} passed`,
    ...(partly === 0 ? [] : [`${partly} partly tried`]),
    `${inState('not_tried')} not tried`,
  ]
  return `${formatCountWithNoun(findings, 'finding')}. Classes: ${states.join(', ')}`
}

/** Returns the JSON form of the report. */
export function toGradeJson({ object, created, repeat, classes }: RunReport): GradeReport {
  return { object, created, repeat, classes: classes.map(({ incomplete: _incomplete, ...one }) => one) }
}

/** Returns the report as JUnit with a test case for each finding, and for each class without findings. */
export function toGradeJUnit({ classes }: RunReport): string {
  const cases = classes.flatMap(({ findings, notes, incomplete, state, ...one }): JUnitCase[] => {
    const rest = { classname: one.title, durationMs: one.duration_ms }
    const text = notes.join(' ')
    if (findings.length === 0 && incomplete === 'error')
      return [{ name: one.class, ...rest, failure: { message: text, text: notes.join('\n') } }]
    if (findings.length === 0)
      return [{ name: one.class, ...rest, ...(state !== 'passed' && { skipped: text }) }]
    return findings.map(({ id, problem, evidence, fix, guide }) => ({
      ...{ name: id, ...rest },
      failure: { message: problem, text: [...evidence, fix, guide].join('\n') },
    }))
  })
  return renderJUnit(
    'paycli grade',
    cases,
    classes.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
  )
}

/** Returns the report as Markdown, for the summary of a job. */
export function toGradeMarkdown({ classes }: GradeReport): string {
  const toText = (text: string) => toSingleLine(text).replace(/[\\|<>`*_[\]]/g, '\\$&')
  const rows = classes.map(
    ({ title, state, checks, findings }) =>
      `| ${title} | ${toWords(state)} | ${checks} | ${findings.length} |`,
  )
  const findings = classes
    .flatMap((one) => one.findings)
    .map(
      ({ severity, problem, fix, guide }) =>
        `- **${severity}** ${toText(problem)} ${toText(fix)} ([guide](${guide}))`,
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
