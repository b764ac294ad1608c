import {
  findObjectMatch,
  parsePossibleAmounts,
  rankResults,
} from '../../../src/dashboard/data/search-matching.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/search-matching')

const PAYMENT = { id: 'py_4bT9wNqXz7LrYcVd2PkH8mJs', object: 'payment', amount: 1250, currency: 'eur' }
const CUSTOMER = { id: 'cus_9bT9wNqXz7LrYcVd2PkH8mJs', object: 'customer', email: 'Ada@example.com' }

test('parses amounts in major and minor units', () => {
  assert.equal(parsePossibleAmounts('12.50', 'eur'), [1250])
  assert.equal(parsePossibleAmounts('12,5', 'eur'), [1250])
  assert.equal(parsePossibleAmounts('1250', 'eur'), [125_000, 1250])
  assert.equal(parsePossibleAmounts('12.50 EUR', 'eur'), [1250])
  assert.equal(parsePossibleAmounts('12.50usd', 'eur'), [])
  assert.equal(parsePossibleAmounts('12.5', 'jpy'), [])
  assert.equal(parsePossibleAmounts('1.234', 'kwd'), [1234])
  assert.equal(parsePossibleAmounts('twelve', 'eur'), [])
})

test('finds objects by a part of the id or the email address, or by an amount', () => {
  assert.is(findObjectMatch('nqxz7', PAYMENT)?.field, '')
  assert.is(findObjectMatch('12.50', PAYMENT)?.field, 'amount')
  assert.is(findObjectMatch('1250', PAYMENT)?.field, 'amount')
  assert.is(findObjectMatch('ada@', CUSTOMER)?.field, 'email')
  assert.is(findObjectMatch('py', PAYMENT), null)
  assert.is(findObjectMatch('12.50 usd', PAYMENT), null)
  assert.is(findObjectMatch(' ', CUSTOMER), null)
})

test('ranks exact matches first, and lists each object once', () => {
  const [first, ...rest] = rankResults(
    'ada@example.com',
    [PAYMENT, CUSTOMER, PAYMENT].map((object) => ({ object, field: '' })),
    5,
  )
  assert.is(first?.object.id, CUSTOMER.id)
  assert.is(rest.length, 1)
  assert.is(rankResults('x', [{ object: PAYMENT, field: '' }], 0).length, 0)
})

test.run()
