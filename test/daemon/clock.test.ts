import { systemClock, unixSeconds } from '../../src/daemon/clock.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/clock')

test('a second counts from its start to its end', () => {
  assert.is(unixSeconds({ nowMs: () => 1_700_000_000_000 }), 1_700_000_000)
  assert.is(unixSeconds({ nowMs: () => 1_700_000_000_999 }), 1_700_000_000)
})

test('the clock of the machine is in milliseconds since 1970', () => {
  const before = Date.now()
  const now = systemClock.nowMs()
  assert.ok(now >= before && now <= Date.now())
})

test.run()
