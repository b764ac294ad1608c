import { createStyle } from '../../../src/cli/output/style.ts'
import { getStatusStyle } from '../../../src/cli/views/status-style.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/status-style')

const style = createStyle(true)
const CASES = [
  ['succeeded', style.green],
  ['past_due', style.red],
  ['paused', style.yellow],
  ['trialing', style.green],
  ['failed', style.red],
  ['expired', style.dim],
  ['not_listening', style.dim],
  [200, style.green],
  [303, style.green],
  [404, style.yellow],
  [503, style.red],
] as const

for (const [status, paint] of CASES) {
  test(`${status} is printed in ${paint(String(status)).replaceAll('\u001b', '^')}`, () => {
    assert.is(getStatusStyle(status, style)('x'), paint('x'))
  })
}

test('prints an unknown status unchanged', () => assert.is(getStatusStyle('novel', style)('x'), 'x'))

test.run()
