import { getUnixSeconds, systemClock } from '../../../src/daemon/system/clock.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/system/clock')

test('getUnixSeconds() rounds the time down to whole seconds', () => {
  assert.is(getUnixSeconds({ nowMs: () => 1_700_000_000_000 }), 1_700_000_000)
  assert.is(getUnixSeconds({ nowMs: () => 1_700_000_000_999 }), 1_700_000_000)
})

test('the system clock returns Unix milliseconds', () => {
  const before = Date.now()
  const now = systemClock.nowMs()
  assert.ok(now >= before && now <= Date.now())
})

test.run()
