import {
  beginAdvance,
  breakClock,
  createTestClock,
  deleteClock,
  endAdvance,
  isDeletedClock,
  requireTarget,
  type Span,
  type TestClock,
  targetOf,
  timeAfter,
  timeOn,
} from '../../src/domain/test-clocks.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/test-clocks')

const unix = (date: string) => Date.parse(date) / 1000
const clock: TestClock = createTestClock({ frozen_time: START }, createRuleContext(START + 7)).after

test('a clock is made in real time and stands where it was told to', () => {
  const made = createTestClock({ frozen_time: 0, name: 'moon' }, createRuleContext(START + 7))
  assert.is(made.event, 'test_clock.created')
  assert.equal(made.after, {
    id: 'clock_Test00000000000000000001',
    object: 'test_clock',
    created: START + 7,
    livemode: false,
    name: 'moon',
    frozen_time: 0,
    status: 'ready',
    status_details: { advancing: null },
  })
})

test('milliseconds are told from seconds', async () => {
  const { code, message, param } = await refusal(() =>
    createTestClock({ frozen_time: START * 1000 }, createRuleContext()),
  )
  assert.equal([code, param], ['timestamp_invalid', 'frozen_time'])
  assert.match(message, new RegExp(`looks like milliseconds.+ ${START}\\.$`))
  const destination = { frozen_time: START * 1000 }
  assert.is((await refusal(() => targetOf(clock, destination))).code, 'timestamp_invalid')
})

/** stands at, unit, count, stands at afterwards */
const SPANS = `
  2024-01-31T10:00:00Z hour  1   2024-01-31T11:00:00Z
  2024-01-31T10:00:00Z hour  24  2024-02-01T10:00:00Z
  2024-01-31T10:00:00Z day   1   2024-02-01T10:00:00Z
  2024-01-31T10:00:00Z week  2   2024-02-14T10:00:00Z
  2024-01-31T10:00:00Z month 1   2024-02-29T10:00:00Z
  2023-01-31T10:00:00Z month 1   2023-02-28T10:00:00Z
  2024-01-31T10:00:00Z month 13  2025-02-28T10:00:00Z
  2024-02-29T10:00:00Z year  1   2025-02-28T10:00:00Z
  2024-02-29T10:00:00Z year  4   2028-02-29T10:00:00Z
`

for (const line of SPANS.trim().split('\n')) {
  const [from = '', interval, count, to = ''] = line.trim().split(/\s+/)
  test(`${from} and ${count} ${interval} later is ${to}`, () => {
    const span = { interval, count: Number(count) } as Span
    assert.is(timeAfter({ ...clock, frozen_time: unix(from) }, span), unix(to))
  })
}

/** target, seen from 2024-01-15T10:30:00Z; code of the refusal or `-` */
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
  test(`an advance to ${target} is ${code === '-' ? 'begun' : `refused: ${code}`}`, async () => {
    if (code !== '-') {
      const refused = await refusal(() => beginAdvance(clock, unix(target)))
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

test('a span that is too long is that, however it would look as a moment', async () => {
  for (const count of [11, 100_000]) {
    const target = targetOf(clock, { by: { interval: 'year', count } })
    const { code, param } = await refusal(() => requireTarget(clock, target))
    assert.equal([code, param], ['test_clock_too_far', 'by'])
  }
})

test('an advance ends where it was to go, or breaks the clock where it could not go on', () => {
  const { after: advancing } = beginAdvance(clock, START + DAY)
  const ended = endAdvance(advancing, START + DAY)
  assert.is(ended.event, 'test_clock.ready')
  assert.equal(ended.after, { ...clock, frozen_time: START + DAY })
  const broken = breakClock(advancing, START + 60)
  assert.is(broken.event, 'test_clock.internal_failure')
  assert.equal(broken.after, { ...clock, frozen_time: START + 60, status: 'internal_failure' })
  assert.is(breakClock(advancing, START - 60).after.frozen_time, START)
})

test('of a deleted clock only a stub stays', () => {
  const { event, before, after } = deleteClock(clock)
  assert.equal([event, before], ['test_clock.deleted', clock])
  assert.equal(after, { id: clock.id, object: 'test_clock', deleted: true })
  assert.equal([isDeletedClock(after), isDeletedClock(clock)], [true, false])
})

test('only a clock that stands still tells its time to who wants to change something on it', async () => {
  assert.is(timeOn(clock, clock.id), START)
  const advancing = beginAdvance(clock, START + DAY).after
  const cases = [
    [advancing, 'test_clock_advancing', 1],
    [breakClock(advancing).after, 'test_clock_failed', null],
    [deleteClock(clock).after, 'test_clock_deleted', null],
    [null, 'test_clock_deleted', null],
  ] as const
  for (const [given, wanted, retryAfter] of cases) {
    const { code, details } = await refusal(() => timeOn(given, clock.id))
    assert.equal([code, details.retryAfterSeconds ?? null], [wanted, retryAfter])
  }
})

test.run()
