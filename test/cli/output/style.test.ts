import { createStyle, isColorEnabled } from '../../../src/cli/output/style.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/style')

const CASES: readonly (readonly [
  flag: boolean | undefined,
  env: Record<string, string>,
  tty: boolean,
  expected: boolean,
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

for (const [flag, env, tty, expected] of CASES) {
  const where = tty ? 'on a terminal' : 'in a pipe'
  test(`${expected ? 'enables' : 'disables'} colors ${where} with --color ${flag ?? 'unset'} and the environment ${JSON.stringify(env)}`, () => {
    assert.is(isColorEnabled(flag, env, tty), expected)
  })
}

test('prints no escape sequences when colors are disabled', () => {
  assert.is(createStyle(false).bold('x'), 'x')
  assert.is(createStyle(true).bold('x'), '\u001b[1mx\u001b[22m')
})

test.run()
