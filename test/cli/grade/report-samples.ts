import type { GradeReport } from '../../../src/cli/grade/grade-report.ts'
import type { GradeFinding } from '../../../src/cli/grade/grade-result.ts'

const FINDING: Omit<GradeFinding, 'id'> = {
  ...{ class: 'money', severity: 'high', problem: 'Refunds are \u001b[31mignored.' },
  ...{ evidence: ['printed \u001b]0;title\u0007 <b>'], fix: `Subtract ${'them '.repeat(20)}` },
}

/** Returns a report with two findings about money, of which one is known. */
export function createReport(): GradeReport {
  return {
    results: [
      {
        ...{ class: 'money', checks: 1, notes: [], durationMs: 1500 },
        findings: [
          { ...FINDING, id: 'money/a' },
          { ...FINDING, id: 'money/b', severity: 'medium' },
        ],
      },
      { class: 'life', findings: [], checks: 0, notes: ['Add "access".'], durationMs: 0 },
    ],
    known: new Set(['money/b']),
    repeat: (name) => `paycli grade --only ${name} -- node app.js`,
    ...{ created: 1_800_000_000, file: 'package.json' },
  }
}
