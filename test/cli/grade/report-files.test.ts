import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { type ClassResult, GRADE_CLASSES, type GradeClass } from '../../../src/cli/grade/grade-result.ts'
import { toGradeBadge, toGradeSarif } from '../../../src/cli/grade/report-files.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { createReport } from './report-samples.ts'

const test = suite('cli/grade/report-files')

const TEXT = { type: 'string', minLength: 1 }
const MESSAGE = { type: 'object', required: ['text'], properties: { text: TEXT, markdown: TEXT } }
const LEVEL = { enum: ['none', 'note', 'warning', 'error'] }
const object = (properties: object) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})

/** The part of the schema of SARIF 2.1.0 that the report uses, with the fields that GitHub requires. */
const SARIF = object({
  $schema: TEXT,
  version: { const: '2.1.0' },
  runs: {
    ...{ type: 'array', minItems: 1, maxItems: 1 },
    items: object({
      tool: object({
        driver: object({
          name: TEXT,
          rules: {
            type: 'array',
            items: object({
              ...{ id: TEXT, shortDescription: MESSAGE, fullDescription: MESSAGE, help: MESSAGE },
              helpUri: { type: 'string', pattern: '^https?://[!-~]+$' },
              defaultConfiguration: object({ level: LEVEL }),
              properties: object({ tags: { type: 'array', uniqueItems: true, items: TEXT } }),
            }),
          },
        }),
      }),
      results: {
        type: 'array',
        items: object({
          ...{ ruleId: TEXT, ruleIndex: { type: 'integer', minimum: 0 }, level: LEVEL, message: MESSAGE },
          locations: {
            ...{ type: 'array', minItems: 1 },
            items: object({
              physicalLocation: object({
                artifactLocation: object({ uri: { type: 'string', pattern: '^[A-Za-z0-9]' } }),
                region: object({ startLine: { type: 'integer', minimum: 1 } }),
              }),
            }),
          },
          partialFingerprints: object({ primaryLocationLineHash: TEXT }),
          baselineState: { enum: ['new', 'unchanged', 'updated', 'absent'] },
        }),
      },
    }),
  },
})

test('writes a SARIF log with rules, levels, fingerprints and a file of the repository', () => {
  const root = newFolder()
  const app = join(root, 'apps', 'my shop')
  mkdirSync(join(root, '.git'))
  mkdirSync(app, { recursive: true })
  writeFileSync(join(app, 'package.json'), '{}')
  const log = JSON.parse(toGradeSarif(createReport(undefined, { appFile: join(app, 'package.json') })))
  const [{ tool, results }] = log.runs
  const check = new Ajv().compile<unknown>(SARIF)
  assert.ok(check(log), JSON.stringify(check.errors))
  assert.equal(
    results.map((one: { ruleIndex: number }) => tool.driver.rules[one.ruleIndex].id),
    ['money/a', 'money/b'],
  )
  assert.is(tool.driver.rules[0].helpUri, 'http://127.0.0.1:4100/docs/guides/grade#money')
  const fields = ({ level, baselineState, partialFingerprints, locations }: (typeof results)[0]) => [
    ...[level, baselineState, partialFingerprints.primaryLocationLineHash],
    locations[0].physicalLocation.artifactLocation.uri,
  ]
  assert.equal(results.map(fields), [
    ['error', 'new', 'money/a', 'apps/my%20shop/package.json'],
    ['warning', 'unchanged', 'money/b', 'apps/my%20shop/package.json'],
  ])
})

test('omits the state of findings without an earlier report', () => {
  const { runs } = JSON.parse(toGradeSarif(createReport(undefined, { known: new Set() })))
  assert.not.match(JSON.stringify(runs), 'baselineState')
})

/** Returns results in which each of these classes passed. */
function passing(...names: GradeClass[]): ClassResult[] {
  return names.map((name) => ({ class: name, findings: [], checks: 1, notes: [] }))
}

const PARTLY = passing('money', 'load').map((one, index) => ({
  ...{ ...one, incomplete: index === 0 ? ('untried' as const) : undefined },
}))

for (const [title, report, color] of [
  ['integration: 2 findings', createReport(undefined, { known: new Set() }), '#a81e19'],
  ['integration: 1 finding', createReport(undefined, { known: new Set(['money/a']) }), '#8a4b00'],
  ['integration: 1 of 6 classes passed', createReport(passing('money')), '#566074'],
  ['integration: 1 of 6 classes passed', createReport(PARTLY), '#566074'],
  ['integration: ready', createReport(passing(...(Object.keys(GRADE_CLASSES) as GradeClass[]))), '#17693c'],
] as const) {
  test(`writes the badge "${title}"`, () => {
    const badge = toGradeBadge(report)
    assert.match(badge, `<title id="title">${title}</title>`)
    assert.match(badge, `fill="${color}"`)
    assert.not.match(badge, /NaN|undefined/)
  })
}

test.run()
