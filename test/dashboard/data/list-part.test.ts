import { addNewer, addOlder, mergeItems, replaceNewest } from '../../../src/dashboard/data/list-part.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/list-part')

/** A part with objects of the given ids; `next` is the position after it. */
const part = (ids: string, next: string | null = null) => ({
  items: [...ids].map((id) => ({ id })),
  newest: ids[0] ?? null,
  next,
})

for (const [what, known, newest, merged] of [
  ['puts the newest objects before older ones', part('cba'), part('dcb', 'b'), part('dcba')],
  ['drops objects that the list no longer contains', part('cxba', 'a'), part('cb', 'b'), part('cba', 'a')],
  [
    'starts again when the newest objects do not reach the known ones',
    part('ba'),
    part('zy', 'y'),
    part('zy', 'y'),
  ],
  ['drops known objects after the end of the list', part('ba'), part('b'), part('b')],
  ['empties a list that has become empty', part('ba'), part(''), part('')],
  ['continues after the newest objects if the list has more', part('b'), part('b', 'b'), part('b', 'b')],
  [
    'keeps only the first occurrence of an object that moved to the start',
    part('cba'),
    part('acb', 'b'),
    part('acb'),
  ],
] as const) {
  test(what, () => assert.equal(replaceNewest(known, newest), merged))
}

test('keeps known objects below those of new entries, and continues after a gap', () => {
  assert.equal(addNewer(part('cba', 'e1'), part('ac', 'e5'), true), part('acb', 'e1'))
  assert.equal(addNewer(part('cba', 'e1'), part('ac', 'e5'), false), part('acb', 'e5'))
})

test('adds older objects after the known ones', () => {
  assert.equal(addOlder(part('cb', 'b'), part('ba', 'a')), part('cba', 'a'))
})

test('keeps the order of the pages and the first state of each object', () => {
  const [newer, older] = [
    { id: 'future', created: 9000, state: 'new' },
    { id: 'future', created: 9000, state: 'old' },
  ]
  const [c, a] = [
    { id: 'c', created: 5, state: 'old' },
    { id: 'a', created: 4, state: 'old' },
  ]
  assert.equal(mergeItems([c, newer], [older, a]), [c, newer, a])
})

test.run()
