import { advanceSummary } from '../../../src/cli/sessions/advance-summary.ts'
import type { Event } from '../../../src/domain/events.ts'
import type { TestClock } from '../../../src/domain/test-clocks.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/advance-summary')

const WAY = { from: 1704067200, to: 1706745600 }
const CHOSEN = { clock: { id: 'clock_1' } as TestClock, isOnly: false }

/** Events of these types, given oldest first and walked newest first. */
function happened(types: readonly string[], hasMore = false) {
  return { found: types.map((type) => ({ type }) as Event).reverse(), hasMore }
}

test('from where to where, and how often what, in the order in which it first happened', () => {
  const types = ['subscription.renewed', 'payment.created', 'payment.failed', 'payment.created']
  assert.is(
    advanceSummary(CHOSEN, WAY, happened(types)),
    `clock_1: 2024-01-01T00:00:00Z -> 2024-02-01T00:00:00Z, 4 events:
  1  subscription.renewed
  2  payment.created
  1  payment.failed
See them: paycli timeline clock_1`,
  )
})

test('a clock that nobody named is named', () => {
  const summary = advanceSummary({ ...CHOSEN, isOnly: true }, WAY, happened([]))
  assert.is(
    summary,
    'clock_1 (the only clock): 2024-01-01T00:00:00Z -> 2024-02-01T00:00:00Z, and nothing happened.',
  )
})

test('what was not counted is not kept secret', () => {
  assert.match(advanceSummary(CHOSEN, WAY, happened(['customer.updated'])), /Z, 1 event:\n {2}1 {2}customer/)
  assert.match(
    advanceSummary(CHOSEN, WAY, happened(['customer.updated', 'customer.updated'], true)),
    'Z, more than 2 events, of which the newest are:',
  )
})

test.run()
