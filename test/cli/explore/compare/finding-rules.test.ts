import {
  FINDING_RULES,
  type FindingConditions,
  type ScenarioCompletion,
} from '../../../../src/cli/explore/compare/finding-rules.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/finding-rules')

const ORDER = { amount: 2000, session: '<py_sess>' }
const EMAIL = { to: 'ada@example.com' }

/** Returns the findings as letters: O for an order and E for an email with the same money, L for an order with less. */
function row(meaning: keyof typeof FINDING_RULES): Record<ScenarioCompletion, string> {
  const cell = (completion: ScenarioCompletion) => {
    const run = (hasSameMoney: boolean): FindingConditions => ({
      ...{ completion, hasSameMoney, isObservationEqual: false, expectedObservation: '{}' },
    })
    const rule = FINDING_RULES[meaning][completion]
    const letters = { O: rule(run(true), ORDER), E: rule(run(true), EMAIL), L: rule(run(false), ORDER) }
    return Object.entries(letters)
      .flatMap(([letter, isFinding]) => (isFinding ? [letter] : []))
      .join('')
  }
  return {
    ...{ undisturbed: cell('undisturbed'), interrupted: cell('interrupted') },
    ...{ declined: cell('declined'), aborted: cell('aborted') },
  }
}

test('defines which differences are findings', () => {
  const cells = (undisturbed: string, interrupted: string, declined: string, aborted: string) => ({
    ...{ undisturbed, interrupted, declined, aborted },
  })
  for (const meaning of ['crash', 'forgery', 'unacknowledged'] as const)
    assert.equal(row(meaning), cells('OEL', 'OEL', 'OEL', 'OEL'))
  assert.equal(row('money lost'), cells('OEL', 'OEL', '', 'OEL'))
  assert.equal(row('expectation'), cells('OEL', 'OE', 'OE', ''))
  assert.equal(row('scenario'), cells('OEL', '', '', ''))
  assert.equal(row('money missing'), cells('OEL', '', '', ''))
  assert.equal(row('entry missing'), cells('OEL', 'OE', 'OE', 'O'))
  assert.equal(row('entry repeated'), cells('OEL', 'OL', 'O', 'OL'))
  assert.equal(row('entry added'), cells('OEL', '', '', ''))
  assert.equal(row('value changed'), cells('OEL', 'OE', 'OE', ''))
})

test('reports missing payments after a failed request only if the observation contains their amount', () => {
  const rule = FINDING_RULES['money missing'].interrupted
  const run = { completion: 'interrupted', hasSameMoney: false, isObservationEqual: true } as const
  assert.is(rule({ ...run, expectedObservation: '{"orders":[{"amount":2000}]}' }, null), true)
  assert.is(rule({ ...run, expectedObservation: '{"users":["ada"]}' }, null), false)
})

test.run()
