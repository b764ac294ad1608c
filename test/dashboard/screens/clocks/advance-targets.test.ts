import {
  findFirstEndingPeriod,
  findTargetAfterKey,
  findTargetOnDate,
  getLatestTarget,
} from '../../../../src/dashboard/screens/clocks/advance-targets.ts'
import { addDuration } from '../../../../src/dashboard/screens/clocks/time-scale.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard advance targets')

const DAY = 86_400
const NOW = Date.UTC(2026, 0, 31, 8) / 1000

test('adds calendar months, and limits the day to the last day of a shorter month', () => {
  assert.is(addDuration(NOW, { interval: 'month', count: 1 }), Date.UTC(2026, 1, 28, 8) / 1000)
  assert.is(addDuration(NOW, { interval: 'month', count: -1 }), Date.UTC(2025, 11, 31, 8) / 1000)
})

test('returns the billing interval of the live subscription whose period ends first', () => {
  const period = findFirstEndingPeriod([
    { status: 'canceled', interval: 'day', interval_count: 1, current_period_end: 1 },
    { status: 'active', interval: 'year', interval_count: 1, current_period_end: 300 },
    { status: 'active', interval: 'week', interval_count: 2, current_period_end: 200 },
    { status: 'paused', interval: 'month', interval_count: 1, current_period_end: null },
  ])
  assert.equal(period, { interval: 'week', count: 2 })
  assert.is(findFirstEndingPeriod([]), null)
})

test('returns a later date at the time of day of the clock, and null for an earlier date', () => {
  assert.is(findTargetOnDate('2026-03-01', NOW), Date.UTC(2026, 2, 1, 8) / 1000)
  assert.is(findTargetOnDate('2026-01-31', NOW), null)
  assert.is(findTargetOnDate('2026-01-30', NOW), null)
  assert.is(findTargetOnDate('', NOW), null)
})

test('keys move the target between now and ten years later', () => {
  const press = (key: string, target: number) => findTargetAfterKey(key, { now: NOW, target })
  assert.equal(press('ArrowRight', NOW), { target: NOW + DAY, isBack: false })
  assert.equal(press('ArrowLeft', NOW + 3 * DAY), { target: NOW + 2 * DAY, isBack: false })
  assert.equal(press('ArrowLeft', NOW), { target: NOW, isBack: true })
  assert.equal(press('PageDown', NOW + DAY), { target: NOW, isBack: false })
  assert.equal(press('PageUp', NOW), { target: Date.UTC(2026, 1, 28, 8) / 1000, isBack: false })
  assert.equal(press('Home', NOW + DAY), { target: NOW, isBack: false })
  assert.equal(press('End', NOW), { target: getLatestTarget(NOW), isBack: false })
  assert.equal(press('ArrowRight', getLatestTarget(NOW)), { target: getLatestTarget(NOW), isBack: false })
  assert.is(press('Tab', NOW), null)
})

test.run()
