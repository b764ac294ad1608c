/** A problem that `paycli grade` found. */
export interface StoredGradeFinding {
  readonly id: string
  readonly severity: 'high' | 'medium' | 'low'
  readonly problem: string
  readonly evidence: readonly string[]
  readonly fix: string
}

/** The result of a class of `paycli grade`, such as money. */
export interface GradedClass {
  readonly class: string
  readonly title: string
  readonly state: string
  readonly checks: number
  readonly findings: readonly StoredGradeFinding[]
  readonly notes: readonly string[]
  /** The command that repeats the class. */
  readonly repeat: string
}

/** The last report of `paycli grade`. */
export interface StoredGradeReport {
  /** The time of the run in Unix seconds. */
  readonly created: number
  /** The folder in which the command ran. */
  readonly folder: string
  /** The command that repeats the run. */
  readonly repeat: string
  readonly classes: readonly GradedClass[]
}

const SEVERITIES = ['high', 'medium', 'low']

/** Returns the findings of all classes with their classes, worst first. */
export function listFindings({ classes }: StoredGradeReport): (readonly [StoredGradeFinding, GradedClass])[] {
  return classes
    .flatMap((one) => one.findings.map((finding) => [finding, one] as const))
    .sort(([a], [b]) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
}
