import { compareValues } from '../../../../src/cli/explore/compare/compare-values.ts'
import { normaliseObservation } from '../../../../src/cli/explore/compare/normalise.ts'
import {
  findUnstableValues,
  removeUnstableValues,
} from '../../../../src/cli/explore/compare/unstable-values.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/unstable-values')

/** Returns the differences of a third observation after two runs without faults. */
function differencesAfter(first: unknown, second: unknown, third: unknown): string[] {
  const [a, b, c] = [first, second, third].map((value) =>
    normaliseObservation(typeof value === 'string' ? value : JSON.stringify(value)),
  )
  if (a === undefined || b === undefined || c === undefined) throw new Error('three observations are needed')
  const unstable = findUnstableValues([a, b])
  return compareValues(removeUnstableValues(a.value, unstable), removeUnstableValues(c.value, unstable)).map(
    ({ text }) => text,
  )
}

test('ignores fields that differ without faults, and compares the other fields', () => {
  const observe = (score: number, paid: boolean) => ({ orders: [{ score, paid }] })
  assert.equal(differencesAfter(observe(1, true), observe(2, true), observe(3, true)), [])
  assert.equal(differencesAfter(observe(1, true), observe(2, true), observe(3, false)), [
    'orders[].paid: false instead of true',
  ])
})

test('ignores fields and list entries that only some runs without faults have', () => {
  assert.equal(differencesAfter({ a: 1 }, { a: 1, cache: 'x' }, { a: 1, cache: 'y' }), [])
  assert.equal(differencesAfter({ jobs: [] }, { jobs: [1] }, { jobs: [1, 2, 3] }), [])
})

test('ignores lines that differ only in numbers without faults', () => {
  assert.equal(differencesAfter('paid\ntook 12 s', 'paid\ntook 7 s', 'paid\ntook 9 s'), [])
  assert.equal(differencesAfter('paid\ntook 12 s', 'paid\ntook 7 s', 'took 9 s').length, 1)
})

test('returns no unstable value for equal observations', () => {
  const unstable = findUnstableValues([normaliseObservation('{"a":[1]}'), normaliseObservation('{"a":[1]}')])
  assert.equal([unstable.paths.size, unstable.shapes.size, unstable.hasReferences], [0, 0, false])
})

test.run()
