import { findEventCustomer, getEventObjectSummary } from '../../src/presentation/event-summary.ts'
import { SAMPLES } from '../store/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { eventOf } from '../tui/test-screen.ts'

const test = suite('presentation/event-summary')

const aboutObject = (object: object) => eventOf(1, { object })

test('summarizes an event by the amount, the name and the email address in its object', () => {
  const { customers, invoices } = SAMPLES
  const { id, email, name } = customers
  assert.equal(getEventObjectSummary(aboutObject(customers)), { id, amount: null, name: name || null, email })
  assert.match(getEventObjectSummary(aboutObject(invoices)).amount ?? '', /^\d+\.\d\d EUR$/)
})

test('summarizes a payment by the captured amount if only a part was captured', () => {
  const amountOf = (amount_captured: number) =>
    getEventObjectSummary(aboutObject({ ...SAMPLES.payments, amount_captured })).amount
  assert.equal([2261, 1000, 0].map(amountOf), ['22.61 EUR', '10.00 EUR', '22.61 EUR'])
})

test('summarizes an object without a name with the stored name of its customer', () => {
  const names = new Map([['cus_1', 'Ada Lovelace']])
  const nameOf = (object: object) => getEventObjectSummary(aboutObject({ id: 'x_1', ...object }), names).name
  assert.is(nameOf({ customer: 'cus_1' }), 'Ada Lovelace')
  assert.is(nameOf({ customer: 'cus_1', billing_details: { name: 'A. L.' } }), 'A. L.')
  assert.is(nameOf({ customer: 'cus_2' }), null)
})

test('summarizes objects with missing fields or values of other types', () => {
  const nothing = { amount: null, name: null, email: null }
  assert.equal(getEventObjectSummary(aboutObject({})), { ...nothing, id: '' })
  assert.equal(getEventObjectSummary({ ...eventOf(1), data: { object: null } } as never), {
    ...nothing,
    id: '',
  })
  const odd = { id: 5, total: 100, currency: 'eur', name: {}, email: 5, customer_email: 'a@b' }
  assert.equal(getEventObjectSummary(aboutObject({ object: 'invoice', ...odd })), {
    id: '5',
    amount: '1.00 EUR',
    name: null,
    email: 'a@b',
  })
})

test('returns the id of a customer and the name, or else the email address, from a customer event', () => {
  assert.equal(findEventCustomer(eventOf(1)), { id: 'cus_1', name: 'ada@example.com' })
  assert.is(findEventCustomer(aboutObject({ id: 'py_1', object: 'payment', customer: 'cus_1' })), null)
})

test.run()
