import { hasMatchingValue } from '../../src/tui/event-search.ts'
import { assert, suite } from '../support/suite.ts'
import { eventOf } from './test-screen.ts'

const test = suite('tui/event-search')

const PAYMENT = { id: 'py_4bT9kSV', object: 'payment', amount: 4675, currency: 'eur', customer: 'cus_1' }

test('finds values, the formatted amount and the name of the customer, but no field names', () => {
  const event = eventOf(1, {
    object: { ...PAYMENT, metadata: { order: 'Number 7' }, nested: [{ a: 'Oslo' }] },
  })
  const names = new Map([['cus_1', 'Ada Lovelace']])
  for (const [query, isFound] of [
    ['py_4bt9', true],
    ['46.75 eur', true],
    ['lovelace', true],
    ['number 7', true],
    ['oslo', true],
    ['currency', false],
    ['metadata', false],
    ['grace', false],
  ] as const) {
    assert.is(hasMatchingValue(event, query, names), isFound, query)
  }
})

test('finds the current name of a customer, even if an earlier search had no name', () => {
  const event = eventOf(1, { object: PAYMENT })
  assert.not(hasMatchingValue(event, 'ada', new Map()))
  assert.ok(hasMatchingValue(event, 'ada', new Map([['cus_1', 'Ada Lovelace']])))
  assert.ok(hasMatchingValue(event, 'grace', new Map([['cus_1', 'Grace Hopper']])))
})

test.run()
