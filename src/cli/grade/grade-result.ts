import { hidePassword } from '../databases/app-database.ts'

/** The classes of `paycli grade`, in the order of the report of an app without findings. */
export const GRADE_CLASSES = {
  authenticity: 'authenticity',
  duplicates: 'duplicates and order',
  lost_responses: 'lost responses',
  load: 'load',
  money: 'money',
  life: 'life of a subscription',
} as const

export type GradeClass = keyof typeof GRADE_CLASSES

/** The severities of findings, worst first. */
export const SEVERITIES = ['high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A problem of the app, with its evidence. */
export interface GradeFinding {
  readonly class: GradeClass
  /** The name of the problem, which is equal in all runs, such as `money/pays/refunded`. */
  readonly id: string
  readonly severity: Severity
  /** The problem and its cause, as one sentence. */
  readonly problem: string
  /** The lines of a short timeline or list. */
  readonly evidence: readonly string[]
  readonly fix: string
}

/** The result of a test of a class. Results of the same class are merged. */
export interface ClassResult {
  readonly class: GradeClass
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
  readonly durationMs: number
}

/** A result before its duration is known. */
export type ClassResultWithoutDuration = Omit<ClassResult, 'durationMs'>

/** Returns one result for each class, worst first, without the passwords of URLs; a class without a result has no checks. */
export function mergeClassResults(results: readonly ClassResult[], classes: readonly GradeClass[]) {
  const merged = classes.map((name): ClassResult => {
    const parts = results.filter((one) => one.class === name)
    return {
      class: name,
      findings: parts
        .flatMap(({ findings }) => findings.map(withoutPasswords))
        .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
      checks: parts.reduce((sum, { checks }) => sum + checks, 0),
      notes: [...new Set(parts.flatMap(({ notes }) => notes.map(hidePassword)))],
      // Sorting puts `error` first and undefined last.
      incomplete: parts.map((one) => one.incomplete).toSorted()[0],
      durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0),
    }
  })
  return merged.toSorted((a, b) => rankOf(a) - rankOf(b))
}

// CI systems publish reports, which contain responses and the log of the app.
function withoutPasswords(finding: GradeFinding): GradeFinding {
  return {
    ...finding,
    problem: hidePassword(finding.problem),
    evidence: finding.evidence.map(hidePassword),
  }
}

/** The states of classes, in the order of the report. */
const STATES = ['FAILED', 'NOT TRIED', 'PARTLY TRIED', 'PASSED'] as const

/** Returns the state of a class. */
export function stateOf({ findings, checks, incomplete }: ClassResult): (typeof STATES)[number] {
  if (findings.length > 0) return 'FAILED'
  if (checks === 0 || incomplete === 'error') return 'NOT TRIED'
  return incomplete === 'untried' ? 'PARTLY TRIED' : 'PASSED'
}

// Classes with findings come first, then classes that did not pass.
function rankOf(result: ClassResult): number {
  const [worst] = result.findings
  if (worst !== undefined) return SEVERITIES.indexOf(worst.severity)
  return SEVERITIES.length + STATES.indexOf(stateOf(result))
}
