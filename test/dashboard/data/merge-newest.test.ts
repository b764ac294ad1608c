import { mergeNewest } from '../../../src/dashboard/data/merge-newest.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/merge-newest')

const list = (...ids: string[]) => ids.map((id) => ({ id }))

test('puts the newest page before the older entries that were loaded', () => {
  const known = { data: list('c', 'b', 'a'), hasMore: false }
  assert.equal(mergeNewest(known, { data: list('d', 'c', 'b'), has_more: true }), {
    data: list('d', 'c', 'b', 'a'),
    hasMore: false,
  })
})

test('drops entries that the page no longer contains', () => {
  const known = { data: list('c', 'x', 'b', 'a'), hasMore: true }
  assert.equal(mergeNewest(known, { data: list('c', 'b'), has_more: true }).data, list('c', 'b', 'a'))
})

test('starts again when the page does not reach the known entries', () => {
  const known = { data: list('b', 'a'), hasMore: false }
  assert.equal(mergeNewest(known, { data: list('z', 'y'), has_more: true }), {
    data: list('z', 'y'),
    hasMore: true,
  })
})

test('keeps nothing after the last page', () => {
  const known = { data: list('b', 'a'), hasMore: false }
  assert.equal(mergeNewest(known, { data: list('b'), has_more: false }), { data: list('b'), hasMore: false })
  assert.equal(mergeNewest(known, { data: [], has_more: false }), { data: [], hasMore: false })
})

test('has more after the first page if the API says so', () => {
  assert.is(
    mergeNewest({ data: list('b'), hasMore: false }, { data: list('b'), has_more: true }).hasMore,
    true,
  )
})

test.run()
