/** The severities of findings, worst first. */
export const SEVERITIES = ['high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A problem of an app that `paycli grade` found. */
export interface GradeFinding {
  /** The name of the problem, which is equal in all runs, such as `money/pays/refunded`. */
  readonly id: string
  readonly severity: Severity
  /** The problem and its cause, as one sentence. */
  readonly problem: string
  /** The lines of a short timeline or list. */
  readonly evidence: readonly string[]
  readonly fix: string
}

/** The result of a class of `paycli grade`, such as money. */
export interface GradedClass {
  readonly class: string
  readonly title: string
  /** The command that repeats the class. */
  readonly repeat: string
  readonly state: 'failed' | 'not_tried' | 'partly_tried' | 'passed'
  /** The number of checks that could have found a problem. */
  readonly checks: number
  /** The findings, worst first; `known` findings were in the report of `--baseline`. */
  readonly findings: readonly (GradeFinding & { readonly guide: string; readonly known: boolean })[]
  readonly notes: readonly string[]
  readonly duration_ms: number
}

/** The report of a run of `paycli grade`. */
export interface GradeReport {
  readonly object: 'grade'
  /** The time of the run in Unix seconds. */
  readonly created: number
  /** The command that repeats the run. */
  readonly repeat: string
  readonly classes: readonly GradedClass[]
}

/** Compares findings for a list with the worst first. */
export function compareSeverities(a: GradeFinding, b: GradeFinding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
}
