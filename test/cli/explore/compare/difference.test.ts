import { hasSharedDifference, type RunDifference } from '../../../../src/cli/explore/compare/difference.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DIFFERENCE } from '../sample-runs.ts'

const test = suite('cli/explore/difference')

const SCENARIO: RunDifference = { ...DIFFERENCE, kind: 'scenario', change: 'changed', path: '' }

test('two findings that have only the failed scenario in common are different', () => {
  const other = { ...DIFFERENCE, path: 'emails' }
  assert.is(hasSharedDifference([DIFFERENCE, SCENARIO], [other, SCENARIO]), false)
  assert.is(hasSharedDifference([DIFFERENCE, SCENARIO], [DIFFERENCE]), true)
  assert.is(hasSharedDifference([SCENARIO], [SCENARIO]), true)
})

test.run()
