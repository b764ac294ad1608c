import { findParamFlag } from '../../../src/cli/parse/flag-names.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/flag-names')

const FLAGS = ['email', 'start-date', 'item', 'metadata', 'subscription-metadata', 'created-gte', 'card']

/** Columns: parameter, its flag or null. */
const FOUND: readonly (readonly [param: string, flag: string | null])[] = [
  ['email', 'email'],
  ['subscription_data[start_date]', 'start-date'],
  ['subscription_data[items][0][price_data][amount]', 'item'],
  ['subscription_data[items]', 'item'],
  ['subscription_data[metadata]', 'subscription-metadata'],
  ['metadata', 'metadata'],
  ['payment_method_types', null],
  ['created[gte]', 'created-gte'],
  ['test_card', 'card'],
  ['id', null],
]

for (const [param, flag] of FOUND) {
  test(`finds ${flag === null ? 'no flag' : `--${flag}`} for the parameter ${param}`, () =>
    assert.is(findParamFlag(param, FLAGS), flag))
}

test('returns null for a parameter with the name of a global flag', () => {
  assert.is(findParamFlag('profile', ['profile']), null)
})

test.run()
