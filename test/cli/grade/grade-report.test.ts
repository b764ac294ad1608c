import { formatGrade, toGradeJUnit, toGradeMarkdown } from '../../../src/cli/grade/grade-report.ts'
import type { ClassResult, GradeFinding } from '../../../src/cli/grade/grade-result.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/grade-report')

const FINDING: Omit<GradeFinding, 'id'> = {
  ...{ class: 'money', severity: 'high', problem: 'Refunds are \u001b[31mignored.' },
  ...{ evidence: ['printed \u001b]0;title\u0007 <b>'], fix: `Subtract ${'them '.repeat(20)}` },
}
const RESULTS: readonly ClassResult[] = [
  {
    ...{ class: 'money', checks: 1, notes: [], durationMs: 1500 },
    findings: [
      { ...FINDING, id: 'money/a' },
      { ...FINDING, id: 'money/b' },
    ],
  },
  { class: 'life', findings: [], checks: 0, notes: ['Add "access".'], durationMs: 0 },
]

test('prints escaped lines of at most 80 columns, and an unwrapped command to repeat a class once', () => {
  const repeat = () => `paycli grade --only money -- node app.js ${'--option '.repeat(10)}x`
  const known = new Set(['money/b'])
  const text = formatGrade(RESULTS, { style: createStyle(false), width: 80, repeat, known })
  assert.ok(text.split('\n').every((line) => line.length <= 80 || line.startsWith('  Repeat: ')))
  assert.not.match(text, '\u001b')
  assert.match(text, 'FAILED  money (1 check, 1.5 s)')
  assert.match(text, 'HIGH (known)  Refunds')
  assert.is(text.split(`Repeat: ${repeat()}`).length, 2)
  assert.is(text.split('/docs/guides/billing').length, 2)
  assert.match(text, '2 findings. Classes: 1 failed, 0 passed, 1 not tried')
})

test('escapes Markdown and XML', () => {
  assert.not.match(toGradeMarkdown(RESULTS), '\u001b')
  const xml = toGradeJUnit(RESULTS)
  assert.match(xml, 'tests="3" failures="2" errors="0" skipped="1"')
  assert.match(xml, '&lt;b&gt;')
  assert.not.match(xml, '\u001b')
})

test.run()
