import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getProgramInvocation, replaceProgramName } from '../../../src/cli/output/program-name.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/program-name')
const folder = newFolder()
writeFileSync(join(folder, 'paycli'), '')
const installed = { PATH: `/nowhere:${folder}` }
const clone = { PATH: '/nowhere:/project/node_modules/.bin' }

test('returns paycli if PATH contains its folder, otherwise npx paycli', () => {
  assert.is(getProgramInvocation(installed), 'paycli')
  assert.is(getProgramInvocation(clone), 'npx paycli')
  assert.is(getProgramInvocation({}), 'npx paycli')
})

test('replaces the program name in commands, but not in other text', () => {
  const text = 'Start one: paycli serve. For sessions: (paycli payment-sessions list). See paycli help.'
  assert.is(replaceProgramName(text, installed), text)
  assert.is(
    replaceProgramName(text, clone),
    'Start one: npx paycli serve. For sessions: (npx paycli payment-sessions list). See npx paycli help.',
  )
  for (const other of [
    'Start one: npx paycli serve.',
    'the paycli server at /srv/paycli status',
    'No paycli server at http://127.0.0.1:4100',
    'ada@paycli events',
    'This version of paycli cannot read it.',
  ])
    assert.is(replaceProgramName(other, clone), other)
})

test.run()
