import {
  type ClassResult,
  createGradeReport,
  type GradeReportOptions,
  type RunReport,
} from '../../../src/cli/grade/grade-result.ts'
import type { GradeFinding } from '../../../src/presentation/grade-report.ts'

const FINDING: Omit<GradeFinding, 'id'> = {
  ...{ severity: 'high', problem: 'Refunds are \u001b[31mignored.' },
  ...{ evidence: ['printed \u001b]0;title\u0007 <b>'], fix: `Subtract ${'them '.repeat(20)}` },
}

const RESULTS: readonly ClassResult[] = [
  {
    ...{ class: 'money', checks: 1, notes: [], durationMs: 1500 },
    findings: [
      { ...FINDING, id: 'a' },
      { ...FINDING, id: 'b', severity: 'medium' },
    ],
  },
  { class: 'life', findings: [], checks: 0, notes: ['Add "access".'] },
]

/** Returns a report, by default with two findings about money, of which one is known. */
export function createReport(
  results: readonly ClassResult[] = RESULTS,
  options: Partial<GradeReportOptions> = {},
): RunReport {
  return createGradeReport(results, {
    classes: results.map((one) => one.class),
    known: new Set(['money/b']),
    repeat: (name) => `paycli grade --only ${name} -- node app.js`,
    ...{ created: 1_800_000_000, appFile: 'package.json' },
    ...options,
  })
}
