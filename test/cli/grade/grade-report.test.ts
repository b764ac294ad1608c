import {
  formatGrade,
  toGradeJson,
  toGradeJUnit,
  toGradeMarkdown,
} from '../../../src/cli/grade/grade-report.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import type { GradeFinding } from '../../../src/presentation/grade-report.ts'
import { assert, suite } from '../../support/suite.ts'
import { createReport } from './report-samples.ts'

const test = suite('cli/grade/grade-report')

const GUIDE = 'http://127.0.0.1:4100/docs/guides/grade#money'

test('prints escaped lines of at most 80 columns, and an unwrapped command to repeat a class once', () => {
  const repeat = () => `paycli grade --only money -- node app.js ${'--option '.repeat(10)}x`
  const report = createReport(undefined, { repeat })
  const text = formatGrade(report, { style: createStyle(false), width: 80 })
  assert.ok(text.split('\n').every((line) => line.length <= 80 || line.startsWith('  Repeat: ')))
  assert.not.match(text, '\u001b')
  assert.match(text, 'FAILED  money (1 check, 1.5 s)')
  assert.match(text, 'MEDIUM (known)  Refunds')
  assert.is(text.split(`Repeat: ${repeat()}`).length, 2)
  assert.is(text.split(`Guide: ${GUIDE}`).length, 2)
  assert.match(text, '2 findings. Classes: 1 failed, 0 passed, 1 not tried')
})

test('hides the passwords of URLs in the output of the app', () => {
  const finding: GradeFinding = {
    ...{ id: 'a', severity: 'high', problem: 'The app responds with mysql://me:s3cret@host/shop.' },
    ...{ evidence: ['Error: connect postgres://me:s3cret@host/shop'], fix: 'Store it.' },
  }
  const report = createReport([{ class: 'money', checks: 1, notes: [], findings: [finding] }])
  assert.not.match(JSON.stringify(report), 's3cret')
  assert.is(report.classes[0]?.findings[0]?.evidence[0], 'Error: connect postgres://me@host/shop')
})

test('escapes Markdown and XML', () => {
  assert.not.match(toGradeMarkdown(createReport()), '\u001b')
  const xml = toGradeJUnit(createReport())
  assert.match(xml, 'tests="3" failures="2" errors="0" skipped="1"')
  assert.match(xml, '&lt;b&gt;')
  assert.not.match(xml, '\u001b')
})

test('links each finding to the guide, and each class to the command that repeats it', () => {
  const json = JSON.stringify(toGradeJson(createReport()))
  assert.is(json.split(`"guide":"${GUIDE}"`).length, 3)
  assert.match(json, '"repeat":"paycli grade --only money -- node app.js"')
  assert.is(toGradeMarkdown(createReport()).split(`([guide](${GUIDE}))`).length, 3)
  assert.is(toGradeJUnit(createReport()).split(GUIDE).length, 3)
})

test.run()
