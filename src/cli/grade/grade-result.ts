import {
  compareSeverities,
  type GradedClass,
  type GradeFinding,
  type GradeReport,
  SEVERITIES,
} from '../../presentation/grade-report.ts'
import { removeDatabasePasswords } from '../databases/app-database.ts'

/** The classes of `paycli grade`, in the order in which a report without findings lists them. */
export const GRADE_CLASSES = {
  authenticity: 'authenticity',
  duplicates: 'duplicates and order',
  lost_responses: 'lost responses',
  load: 'load',
  money: 'money',
  life: 'life of a subscription',
} as const

export type GradeClass = keyof typeof GRADE_CLASSES

/** The result of a test of a class. Results of the same class are merged. */
export interface ClassResult {
  readonly class: GradeClass
  /** The findings, whose ids do not contain the class. */
  readonly findings: readonly GradeFinding[]
  /** The number of checks that could have found a problem. */
  readonly checks: number
  /** Notes about tests that did not run, with the way to run them, and the figures of a passed load test. */
  readonly notes: readonly string[]
  /**
   * The reason that a part of the class was not tested; `error` if the scenario or a command of the configuration
   * failed.
   */
  readonly incomplete?: 'error' | 'untried' | undefined
  /** The duration of the tests (default: another part contains it). */
  readonly durationMs?: number
}

export interface GradeReportOptions {
  readonly classes: readonly GradeClass[]
  /** The ids of the findings of an earlier report. */
  readonly known: ReadonlySet<string>
  /** Returns the command line that repeats a class, or all classes of the run. */
  readonly repeat: (name?: GradeClass) => string
  /** The time of the run in Unix seconds. */
  readonly created: number
  /** The configuration or another file of the app, to which code scanning attaches the findings. */
  readonly appFile: string
}

/** A report with the facts that its JSON form does not contain. */
export interface RunReport extends GradeReport, Pick<GradeReportOptions, 'appFile'> {
  readonly classes: readonly (GradedClass & Pick<ClassResult, 'incomplete'>)[]
  /** Whether an earlier report had findings. */
  readonly hasBaseline: boolean
}

/** Returns the report with one result for each class, worst first; a class without a result has no checks. */
export function createGradeReport(
  results: readonly ClassResult[],
  { classes, known, repeat, created, appFile }: GradeReportOptions,
): RunReport {
  const graded = classes.map((name) => {
    const parts = results.filter((one) => one.class === name)
    const findings = parts.flatMap((part) => part.findings.map((one) => reportFinding(name, one, known)))
    const checks = parts.reduce((sum, part) => sum + part.checks, 0)
    // Sorting puts `error` first and undefined last.
    const incomplete = parts.map((one) => one.incomplete).toSorted()[0]
    return {
      ...{ class: name, title: GRADE_CLASSES[name], repeat: repeat(name) },
      ...{ state: stateOf({ findings, checks, incomplete }), checks },
      findings: findings.toSorted(compareSeverities),
      notes: [...new Set(parts.flatMap(({ notes }) => notes.map(removeDatabasePasswords)))],
      duration_ms: Math.round(parts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)),
      incomplete,
    }
  })
  return {
    ...{ object: 'grade', created, repeat: repeat(), hasBaseline: known.size > 0, appFile },
    classes: graded.toSorted((a, b) => rankOf(a) - rankOf(b)),
  }
}

// CI systems publish reports, which contain responses and the log of the app.
function reportFinding(name: GradeClass, finding: GradeFinding, known: ReadonlySet<string>) {
  const id = `${name}/${finding.id}`
  return {
    ...{ ...finding, id, problem: removeDatabasePasswords(finding.problem) },
    evidence: finding.evidence.map(removeDatabasePasswords),
    guide: `http://127.0.0.1:4100/docs/guides/grade#${GRADE_CLASSES[name].replaceAll(' ', '-')}`,
    known: known.has(id),
  }
}

/** The states of classes, in the order of the report. */
const STATES = ['failed', 'not_tried', 'partly_tried', 'passed'] as const

function stateOf({
  findings,
  checks,
  incomplete,
}: Pick<ClassResult, 'findings' | 'checks' | 'incomplete'>): GradedClass['state'] {
  if (findings.length > 0) return 'failed'
  if (checks === 0 || incomplete === 'error') return 'not_tried'
  return incomplete === 'untried' ? 'partly_tried' : 'passed'
}

// Classes with findings come first, then classes that did not pass.
function rankOf({ findings: [worst], state }: GradedClass): number {
  if (worst !== undefined) return SEVERITIES.indexOf(worst.severity)
  return SEVERITIES.length + STATES.indexOf(state)
}
