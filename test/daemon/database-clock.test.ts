import fc from 'fast-check'
import { createDatabaseClock } from '../../src/daemon/database-clock.ts'
import { propertySettings } from '../support/property.ts'
import { assert, suite } from '../support/suite.ts'

const START_MS = 1_700_000_000_000

const test = suite('daemon/database-clock')

/** Creates a database clock over a monotonic clock that the test moves. */
function setUp() {
  const monotonic = { ms: 5000 }
  const clock = createDatabaseClock(() => monotonic.ms)
  /** Measures a database that reads its clock after `there` milliseconds and responds `back` milliseconds later. */
  function ask(databaseMs: number, { there = 0, back = 0 } = {}) {
    const measured = clock.measure()
    monotonic.ms += there + back
    measured(databaseMs)
  }
  return { monotonic, clock, ask }
}

test('throws when the time is read before the first measurement', () => {
  const { clock, ask } = setUp()
  assert.not.ok(clock.isMeasured())
  assert.throws(() => clock.nowMs(), 'has not been measured yet')
  ask(START_MS)
  assert.ok(clock.isMeasured())
})

test('the time lags behind the database clock by at most the response time and 0.1 %', () => {
  const { monotonic, clock, ask } = setUp()
  ask(START_MS, { there: 30, back: 20 })
  assert.is(clock.nowMs(), START_MS)
  monotonic.ms += 10_000
  assert.is(clock.nowMs(), START_MS + 9990)
  ask(START_MS + 10_020 + 3, { there: 3 })
  assert.is(clock.nowMs(), START_MS + 10_023, 'a faster round trip is more precise')
  ask(START_MS + 10_100, { there: 77, back: 500 })
  assert.is(clock.nowMs(), START_MS + 10_023 + 576, 'a slower round trip changes nothing')
})

test('the time stands still when the database clock is set back by less than a second, and follows a larger change', () => {
  const { monotonic, clock, ask } = setUp()
  ask(START_MS)
  assert.is(clock.nowMs(), START_MS)
  ask(START_MS - 900)
  assert.is(clock.nowMs(), START_MS)
  monotonic.ms += 2000
  assert.is(clock.nowMs(), START_MS - 900 + 1998)
  ask(START_MS - 3_600_000)
  assert.is(clock.nowMs(), START_MS - 3_600_000)
})

test('the time follows the database clock when the clock is set forward', () => {
  const { clock, ask } = setUp()
  ask(START_MS)
  ask(START_MS + 3_600_000)
  assert.is(clock.nowMs(), START_MS + 3_600_000)
})

/** A transaction: its process, network delays, duration and the pause before it. */
const transaction = fc.record({
  by: fc.nat({ max: 2 }),
  there: fc.nat({ max: 400 }),
  back: fc.nat({ max: 400 }),
  work: fc.nat({ max: 1500 }),
  isIdleFor: fc.nat({ max: 20_000 }),
})

test('alternating transactions of several processes never go back in time, for any clocks and delays', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: 0.9995, max: 1.0005, noNaN: true })),
        {
          minLength: 3,
          maxLength: 3,
        },
      ),
      fc.array(transaction, { maxLength: 60 }),
      (machines, transactions) => {
        let trueMs = START_MS
        const clocks = machines.map(([offset, rate]) =>
          createDatabaseClock(() => offset + (trueMs - START_MS) * rate),
        )
        let lastMs = 0
        for (const { by, there, back, work, isIdleFor } of transactions) {
          const clock = clocks[by]
          if (clock === undefined) continue
          trueMs += isIdleFor
          const measured = clock.measure()
          trueMs += there
          const shown = trueMs
          trueMs += back
          measured(shown)
          for (const _ of ['begins', 'ends']) {
            const now = clock.nowMs()
            assert.ok(now >= lastMs, 'earlier than the transaction of another process')
            assert.ok(now <= trueMs, 'ahead of the database')
            assert.ok(now >= Math.floor(shown), 'behind the measured time')
            lastMs = now
            trueMs += work
          }
        }
      },
    ),
    propertySettings,
  )
})

test.run()
