import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  readBaselineFindingIds,
  readGradeClasses,
  readGradeConfig,
} from '../../../src/cli/grade/grade-config.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/grade-config')

function write(text: string): string {
  const file = join(newFolder(), 'file.json')
  writeFileSync(file, text)
  return file
}

test('merges flags into the file, which take precedence', () => {
  const config = write('{"paid":"/a","rate":5}')
  assert.equal(readGradeConfig({ config, paid: '/b' }), { paid: '/b', rate: 5 })
})

test('names the file only if the file is invalid', () => {
  const config = write('{"acces":"/a"}')
  assert.throws(() => readGradeConfig({ config }), /file\.json' is not a valid .* Did you mean access\?/)
  assert.throws(() => readGradeConfig({ access: '' }), /Invalid flags: access must not be empty/)
  for (const text of ['[1]', 'null', '{'])
    assert.throws(() => readGradeConfig({ config: write(text) }), 'contains no JSON object')
})

test('reads classes and unique beginnings of classes, in the order of the report', () => {
  assert.equal(readGradeClasses('load,lost,dup'), ['duplicates', 'lost_responses', 'load'])
  for (const text of ['l', 'load,', 'loads'])
    assert.throws(() => readGradeClasses(text), 'expected one of authenticity, ')
})

test('reads the ids of a baseline, also with quotation marks', () => {
  const id = 'duplicates/duplicate delivery/orders["a"].paid'
  const file = write(JSON.stringify({ object: 'grade', classes: [{ findings: [{ id }] }] }))
  assert.equal([...readBaselineFindingIds(file)], [id])
  assert.throws(() => readBaselineFindingIds(write('{}')), 'is not a JSON report of paycli grade')
})

test.run()
