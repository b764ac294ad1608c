import { findDeadline } from '../../../src/domain/schedule/deadlines.ts'
import { createTimerChange, type TimerRecord } from '../../../src/domain/time/timers.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/timers')

const given = { id: 'in_1', what: 'invoice_overdue', at: START, test_clock: null } as const
const timer: TimerRecord = { ...given, object: 'timer' }

test('creates a timer without an event', () => {
  assert.equal(createTimerChange(given), { event: null, before: null, after: timer })
})

/** Columns: timer, rank among jobs that are due at the same time. */
const RANKS = `
  refund_succeeds 2
  refund_fails    2
  issuer_answers  2
  invoice_overdue 8
`

for (const line of RANKS.trim().split('\n')) {
  const [what = '', rank] = line.trim().split(/\s+/)
  test(`the timer ${what} is due at its time on its clock with rank ${rank}`, () => {
    const set = { ...timer, what: what as TimerRecord['what'] }
    assert.equal(findDeadline(set), { queue: 'real', at: START, rank: Number(rank) })
    assert.is(findDeadline({ ...set, test_clock: 'clock_1' } as TimerRecord)?.queue, 'clock:clock_1')
  })
}

test.run()
