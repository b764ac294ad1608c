import { createStyle, isColorWanted } from '../../../src/cli/output/style.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/style')

const WANTED: readonly (readonly [
  flag: boolean | undefined,
  env: Record<string, string>,
  tty: boolean,
  wanted: boolean,
])[] = [
  [undefined, {}, true, true],
  [undefined, {}, false, false],
  [undefined, { NO_COLOR: '1' }, true, false],
  [undefined, { NO_COLOR: '' }, true, true],
  [undefined, { FORCE_COLOR: '1' }, false, true],
  [undefined, { FORCE_COLOR: '0' }, true, false],
  [undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  [undefined, { TERM: 'dumb' }, true, false],
  [true, { NO_COLOR: '1' }, false, true],
  [false, { FORCE_COLOR: '1' }, true, false],
]

for (const [flag, env, tty, wanted] of WANTED) {
  const where = tty ? 'on a terminal' : 'in a pipe'
  test(`--color ${flag}, ${JSON.stringify(env)}, ${where}: ${wanted}`, () => {
    assert.is(isColorWanted(flag, env, tty), wanted)
  })
}

test('no colour, no escapes', () => {
  assert.is(createStyle(false).bold('x'), 'x')
  assert.is(createStyle(true).bold('x'), '\u001b[1mx\u001b[22m')
})

test.run()
