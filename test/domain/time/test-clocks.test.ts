import { isDeleted, toDeletion } from '../../../src/domain/core/changes.ts'
import {
  beginAdvance,
  createTestClock,
  endAdvance,
  getAdvanceTarget,
  getReadyClockTime,
  markClockFailed,
  requireValidAdvanceTarget,
  type TestClock,
} from '../../../src/domain/time/test-clocks.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/test-clocks')

const unix = (date: string) => Date.parse(date) / 1000
const clock: TestClock = createTestClock({ frozen_time: START }, createRuleContext(START + 7)).after

test('creates a ready test clock at frozen_time, with created in real time', () => {
  const made = createTestClock({ frozen_time: 0, name: 'moon' }, createRuleContext(START + 7))
  assert.is(made.event, 'test_clock.created')
  assert.equal(made.after, {
    id: 'clock_Test00000000000000000001',
    object: 'test_clock',
    created: START + 7,
    livemode: false,
    name: 'moon',
    frozen_time: 0,
    month_steps_start: null,
    status: 'ready',
    status_details: { advancing: null },
  })
})

test('rejects a frozen_time in milliseconds', async () => {
  const { code, message, param } = await catchDomainError(() =>
    createTestClock({ frozen_time: START * 1000 }, createRuleContext()),
  )
  assert.equal([code, param], ['timestamp_invalid', 'frozen_time'])
  assert.match(message, new RegExp(`looks like milliseconds.+ ${START}\\.$`))
  const destination = { frozen_time: START * 1000 }
  assert.is((await catchDomainError(() => getAdvanceTarget(clock, destination))).code, 'timestamp_invalid')
})

/** Columns: target of an advance from 2024-01-15T10:30:00Z, error code or `-`. */
const TARGETS = `
  2024-01-15T10:30:01Z -
  2024-01-15T10:30:00Z test_clock_not_forward
  2024-01-15T10:29:59Z test_clock_not_forward
  1970-01-01T00:00:00Z test_clock_not_forward
  2034-01-15T10:30:00Z -
  2034-01-15T10:30:01Z test_clock_too_far
`

for (const line of TARGETS.trim().split('\n')) {
  const [target = '', code = ''] = line.trim().split(/\s+/)
  test(`an advance to ${target} ${code === '-' ? 'starts' : `throws ${code}`}`, async () => {
    if (code !== '-') {
      const refused = await catchDomainError(() => beginAdvance(clock, unix(target)))
      assert.equal([refused.code, refused.param], [code, 'frozen_time'])
      return
    }
    const { event, after } = beginAdvance(clock, unix(target))
    assert.is(event, 'test_clock.advancing')
    assert.equal(after, {
      ...clock,
      status: 'advancing',
      status_details: { advancing: { target_frozen_time: unix(target) } },
    })
  })
}

test('an advance by months or years keeps month_steps_start, and any other advance resets it', () => {
  let current: TestClock = clock
  const advanceBy = (fields: Parameters<typeof getAdvanceTarget>[1]) => {
    const { until, monthStepsStart } = getAdvanceTarget(current, fields)
    current = endAdvance(beginAdvance(current, until, monthStepsStart).after, until).after
    return current.month_steps_start
  }
  assert.is(advanceBy({ by: { interval: 'month', count: 1 } }), START)
  assert.is(advanceBy({ by: { interval: 'year', count: 1 } }), START)
  assert.is(advanceBy({ by: { interval: 'day', count: 1 } }), null)
  const begun = current.frozen_time
  assert.is(advanceBy({ by: { interval: 'month', count: 2 } }), begun)
  assert.is(advanceBy({ frozen_time: current.frozen_time + DAY }), null)
})

test('an advance by too long a duration throws test_clock_too_far, even if the target looks like milliseconds', async () => {
  for (const count of [11, 100_000]) {
    const target = getAdvanceTarget(clock, { by: { interval: 'year', count } })
    const { code, param } = await catchDomainError(() => requireValidAdvanceTarget(clock, target))
    assert.equal([code, param], ['test_clock_too_far', 'by'])
  }
})

test('an advance ends at its target, or marks the clock as failed at the failed job', () => {
  const { after: advancing } = beginAdvance(clock, START + DAY)
  const ended = endAdvance(advancing, START + DAY)
  assert.is(ended.event, 'test_clock.ready')
  assert.equal(ended.after, { ...clock, frozen_time: START + DAY })
  const broken = markClockFailed(advancing, START + 60)
  assert.is(broken.event, 'test_clock.internal_failure')
  assert.equal(broken.after, { ...clock, frozen_time: START + 60, status: 'internal_failure' })
  assert.is(markClockFailed(advancing, START - 60).after.frozen_time, START)
})

test('an advance of ten years from 28 February reaches 29 February when its steps began on the 31st', () => {
  const began = { ...clock, frozen_time: unix('2026-02-28'), month_steps_start: unix('2026-01-31') }
  const target = getAdvanceTarget(began, { by: { interval: 'year', count: 10 } })
  assert.is(beginAdvance(began, target.until, target.monthStepsStart).after.status, 'advancing')
  assert.is(target.until, unix('2036-02-29'))
})

test('deleting a clock leaves an object with id, object and deleted', () => {
  const { event, before, after } = toDeletion(clock)
  assert.equal([event, before], ['test_clock.deleted', clock])
  assert.equal(after, { id: clock.id, object: 'test_clock', deleted: true })
  assert.equal([isDeleted(after), isDeleted(clock)], [true, false])
})

test('getReadyClockTime throws unless the clock is ready', async () => {
  assert.is(getReadyClockTime(clock, clock.id), START)
  const advancing = beginAdvance(clock, START + DAY).after
  const cases = [
    [advancing, 'test_clock_advancing', 1],
    [markClockFailed(advancing).after, 'test_clock_failed', null],
    [toDeletion(clock).after, 'test_clock_deleted', null],
    [null, 'test_clock_deleted', null],
  ] as const
  for (const [given, wanted, retryAfter] of cases) {
    const { code, details } = await catchDomainError(() => getReadyClockTime(given, clock.id))
    assert.equal([code, details.retryAfterSeconds ?? null], [wanted, retryAfter])
  }
})

test.run()
