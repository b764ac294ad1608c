import {
  findFieldValue,
  formatCompositeField,
  formatSubscriptionItem,
  getFieldName,
} from '../../src/presentation/field-values.ts'
import { listIdentityPaths } from '../../src/presentation/identity-fields.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('presentation/field-values')

const item = (fields: object, price: object = {}) =>
  formatSubscriptionItem({
    description: 'Seat',
    price_data: { amount: 1500, currency: 'eur', ...price },
    ...fields,
  })

test('formats an item by description, quantity, price and tax', () => {
  assert.is(item({}), 'Seat 15.00 EUR')
  assert.is(item({ quantity: 3 }, { tax_percent: 19 }), 'Seat 3 × 15.00 EUR + 19 % tax')
  assert.is(item({ quantity: 1, description: '' }, { tax_percent: 0 }), '15.00 EUR')
})

test('formats invalid items without throwing', () => {
  const odd = { toString: 1, valueOf: 1 }
  assert.is(
    item({ quantity: odd }, { amount: odd, tax_percent: null }),
    `Seat ${JSON.stringify(odd)} × ${JSON.stringify(odd)}`,
  )
  assert.is(item({}, { amount: null }), 'Seat -')
  assert.is(formatSubscriptionItem(undefined), '-')
  assert.is(formatCompositeField('items', []), null)
  assert.is(formatCompositeField('metadata', { brand: 'visa', last4: '1' }), null)
})

test('returns the value and the name of the first alternative with a value', () => {
  assert.is(findFieldValue({ a: '', b: { c: 0 } }, 'a|b.c'), 0)
  assert.is(findFieldValue({ a: null }, 'a|b.c'), undefined)
  assert.is(getFieldName({ a: '', b: { c: 0 } }, 'a|b.c'), 'c')
  assert.is(getFieldName({ a: null }, 'a|b.c'), 'a')
})

test('returns the captured amount of a payment, or its amount before a capture', () => {
  const amountOf = (amount_captured: number) =>
    findFieldValue({ amount: 9, amount_captured }, 'amount_captured|amount')
  assert.equal([0, 4, 9].map(amountOf), [9, 4, 9])
  assert.is(findFieldValue({ amount: 9, amount_captured: 0 }, 'amount_captured'), 0)
})

test('identifies an object by the identity fields that have a value', () => {
  assert.equal(listIdentityPaths({ object: 'customer', name: '', email: 'ada@example.com' }), ['email'])
  assert.equal(listIdentityPaths({ object: 'subscription', items: [], interval: 'month' }), ['interval'])
  for (const object of ['novelty', '__proto__', 'constructor', 5])
    assert.equal(listIdentityPaths({ object }), [])
})

test.run()
