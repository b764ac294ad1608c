import { isGrowing } from '../../../src/cli/grade/response-growth.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/response-growth')

/** Returns whether deliveries grow; the response time at an unknown path is 0.5 ms by default. */
function judge(deliveries: readonly number[], unknownPaths: readonly number[] = []): boolean {
  const [first, ...later] = deliveries.map((delivery, index) => ({
    ...{ delivery, unknownPath: unknownPaths[index] ?? 0.5 },
  }))
  return first !== undefined && isGrowing(first, later)
}

for (const times of [
  [1, 5, 10],
  [2, 6, 17],
  [0, 3, 5],
  [0.5, 1.5, 2.5, 3.5],
  // The last times of a handler that a busy machine slowed down during the second load.
  [1.1, 8.6, 44, 22.4],
])
  test(`treats ${times.join(', ')} ms as growth`, () => assert.is(judge(times), true))

for (const [title, times] of [
  ['that fall', [2, 0, 0]],
  ['that grow once', [1, 8, 8]],
  ['that grow once and then a little', [0.6, 3.5, 4.5, 5.5]],
  ['that grow a little', [30, 37, 46]],
  ['that grow by less than half a millisecond', [0.1, 0.4, 0.8]],
] as const)
  test(`does not treat times ${title} as growth`, () => assert.is(judge(times), false))

test('does not treat times as growth that also grow at an unknown path', () => {
  assert.is(judge([2, 6, 12, 18]), true)
  assert.is(judge([2, 6, 12, 18], [0.5, 1.5, 3, 4.5]), false)
})

test.run()
