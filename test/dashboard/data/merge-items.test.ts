import { mergeItems } from '../../../src/dashboard/data/merge-items.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/merge-items')

const item = (id: string, created: number, state = 'old') => ({ id, created, state })

test('keeps the order of the pages, also of objects on a clock in the future', () => {
  const newer = [item('c', 5), item('future', 9000, 'new')]
  const older = [item('future', 9000), item('a', 4)]
  assert.equal(mergeItems(newer, older), [item('c', 5), item('future', 9000, 'new'), item('a', 4)])
})

test.run()
