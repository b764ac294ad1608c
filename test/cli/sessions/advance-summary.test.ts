import { formatAdvanceSummary } from '../../../src/cli/sessions/advance-summary.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import type { TestClock } from '../../../src/domain/time/test-clocks.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/advance-summary')

const RANGE = { from: 1704067200, to: 1706745600 }
const CHOSEN = { clock: { id: 'clock_1' } as TestClock, isOnly: false }

/** Lists events newest first, given their types oldest first. */
function listOf(types: readonly string[], hasMore = false) {
  return { found: types.map((type) => ({ type }) as Event).reverse(), hasMore }
}

test('prints the start, the end and the number of events per type, in the order of first occurrence', () => {
  const types = ['subscription.renewed', 'payment.created', 'payment.failed', 'payment.created']
  assert.is(
    formatAdvanceSummary(CHOSEN, RANGE, listOf(types)),
    `Advanced clock_1
2024-01-01T00:00:00Z -> 2024-02-01T00:00:00Z, 4 events
  1  subscription.renewed
  2  payment.created
  1  payment.failed
See them: paycli timeline clock_1`,
  )
})

test('prints that the clock is the only clock when isOnly is true', () => {
  const summary = formatAdvanceSummary({ ...CHOSEN, isOnly: true }, RANGE, listOf([]))
  assert.is(
    summary,
    'Advanced clock_1 (the only clock)\n2024-01-01T00:00:00Z -> 2024-02-01T00:00:00Z, no events',
  )
})

test('states that only the newest events were counted when the list has more events', () => {
  assert.match(
    formatAdvanceSummary(CHOSEN, RANGE, listOf(['customer.updated'])),
    /Z, 1 event\n {2}1 {2}customer/,
  )
  assert.match(
    formatAdvanceSummary(CHOSEN, RANGE, listOf(['customer.updated', 'customer.updated'], true)),
    'Z, the newest 2 events\n',
  )
})

test.run()
