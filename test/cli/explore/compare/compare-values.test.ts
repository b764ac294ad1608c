import { compareValues } from '../../../../src/cli/explore/compare/compare-values.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/compare-values')

const textsOf = (...values: Parameters<typeof compareValues>) =>
  compareValues(...values).map(({ text }) => text)

test('counts additional and missing entries, and shows one example', () => {
  const order = { status: 'paid' }
  assert.equal(textsOf({ orders: [order] }, { orders: [order, order] }), [
    'orders: 2 entries instead of 1 (extra: {"status":"paid"})',
  ])
  assert.equal(textsOf({ orders: [order] }, { orders: [] }), [
    'orders: no entries instead of 1 (missing: {"status":"paid"})',
  ])
  assert.equal(textsOf(['a'], ['a', 'b']), ['the output: 2 lines instead of 1 (extra: "b")'])
})

test('pairs each missing entry with the most similar added entry', () => {
  const before = [
    { plan: 'pro', user: 'ada', paid: true },
    { plan: 'basic', user: 'bob', paid: true },
  ]
  const now = [
    { plan: 'pro', user: 'ada', paid: false },
    { plan: 'basic', user: 'bob', paid: true },
  ]
  assert.equal(textsOf({ users: before }, { users: now }), ['users[].paid: false instead of true'])
})

test('treats a missing list as an empty list', () => {
  assert.equal(compareValues({ orders: [] }, {}), [])
  assert.equal(compareValues({ orders: null }, {}), [])
  assert.equal(textsOf({}, { orders: [1] }), ['orders: 1 entry instead of 0 (extra: 1)'])
  assert.equal(textsOf({ plan: 'pro' }, {}), ['plan: missing'])
})

test('marks copies of expected entries', () => {
  const [copy] = compareValues([{ a: 1 }], [{ a: 1 }, { a: 1 }])
  const [other] = compareValues([{ a: 1 }], [{ a: 1 }, { a: 2 }])
  assert.equal([copy?.meaning, other?.meaning], ['entry repeated', 'entry added'])
})

test('compares long lists in reasonable time and shortens values', () => {
  const list = (status: string) =>
    Array.from({ length: 500 }, (_, id) => ({ note: 'x'.repeat(500), n: id, status }))
  const differences = compareValues(list('paid'), list('open'))
  assert.is(differences.length > 0, true)
  assert.is(
    differences.every(({ text }) => text.length < 250),
    true,
  )
})

test.run()
