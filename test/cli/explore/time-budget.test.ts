import { createTimeBudget } from '../../../src/cli/explore/time-budget.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/explore/time-budget')

function createBudget(timeMs: number) {
  const clock = { nowMs: 500 }
  return { clock, budget: createTimeBudget(timeMs, () => clock.nowMs) }
}

test('reserves the time of three runs with a difference for the confirmation of a finding, at most a sixth of the limit', () => {
  for (const [runMs, lastMs] of [
    [1000, 50_900],
    [20_000, 49_900],
  ] as const) {
    const { clock, budget } = createBudget(60_000)
    budget.addRun(runMs)
    clock.nowMs = 500 + lastMs
    assert.is(budget.hasTime(), true)
    clock.nowMs += 200
    assert.is(budget.hasTime(), false)
  }
})

test('reduces a finding in at most a quarter of the limit, and not in the reserved time', () => {
  const { clock, budget } = createBudget(60_000)
  const hasTime = budget.startReduction()
  clock.nowMs += 14_900
  assert.is(hasTime(), true)
  clock.nowMs += 200
  assert.equal([hasTime(), budget.hasTime()], [false, true])
  clock.nowMs = 60_600
  assert.is(budget.startReduction()(), false)
})

test('has no end without a time limit', () => {
  const { clock, budget } = createBudget(Infinity)
  clock.nowMs = 1e9
  assert.equal([budget.hasTime(), budget.remainingMs()], [true, Infinity])
})

test.run()
