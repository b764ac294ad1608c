import { serializeResult, withNewerFields } from '../../src/domain/newer-fields.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/newer-fields')

test('returns newer records, deleted objects and objects of other types as they are', () => {
  for (const record of [
    { object: 'customer', balances: { eur: -5 } },
    { object: 'customer', deleted: true },
    { object: 'refund' },
  ]) {
    assert.is(withNewerFields(record), record)
  }
})

const OLDER_DETAILS = { type: 'card', card: { last4: '4242' } }
const DETAILS = { type: 'card', card: { last4: '4242', wallet: null } }
const PAYMENT = {
  ...{ object: 'payment', checkout_session: null, payment_session: null },
  payment_method_details: OLDER_DETAILS,
}

for (const [origin, owner] of [
  ['checkout_session', { checkout_session: 'cks_1' }],
  ['payment_session', { payment_session: 'py_sess_1' }],
  ['invoice', { invoice: 'in_1' }],
] as const) {
  test(`an older payment with the field ${Object.keys(owner)} has the origin ${origin}`, () => {
    const older = { ...PAYMENT, ...owner }
    assert.equal(withNewerFields(older), {
      ...older,
      ...{ origin, description: null, payment_method_details: DETAILS },
    })
  })
}

test('a payment without a wallet keeps its origin and description', () => {
  const older = { ...PAYMENT, origin: 'api', description: 'Two coffees' }
  assert.equal(withNewerFields(older), { ...older, payment_method_details: DETAILS })
})

test('an older payment method has no wallet, and a newer one keeps its own', () => {
  const older = { object: 'payment_method', id: 'pm_1', card: { last4: '4242' } }
  assert.equal(withNewerFields(older), { ...older, card: { last4: '4242', wallet: null } })
  const newer = { ...older, card: { last4: '4242', wallet: { type: 'test_wallet' } } }
  assert.is(withNewerFields(newer), newer)
})

test('an older draft has no balances yet', () => {
  const older = { object: 'invoice', lines: [], finalized_at: null }
  const balances = { starting_balance: null, ending_balance: null, balance_applied: 0 }
  assert.equal(withNewerFields(older), { ...older, ...balances })
})

test('an older test clock made no steps in months, and a newer one keeps its own', () => {
  const older = { object: 'test_clock', id: 'clock_1' }
  assert.equal(withNewerFields(older), { ...older, month_steps_start: null })
  const newer = { ...older, month_steps_start: 5 }
  assert.is(withNewerFields(newer), newer)
})

for (const object of ['webhook_delivery', 'request_log']) {
  test(`an older ${object} has no fault, and a newer one keeps its own`, () => {
    const older = { object, id: 'x_1', status: 'failed' }
    assert.equal(withNewerFields(older), { ...older, fault: null })
    const newer = { ...older, fault: 'flt_1' }
    assert.is(withNewerFields(newer), newer)
  })
}

test('serializes the records of a list, and results without records', () => {
  const list = JSON.parse(serializeResult({ object: 'list', data: [{ object: 'customer' }] }))
  assert.equal(list, { object: 'list', data: [{ object: 'customer', balances: {} }] })
  assert.is(serializeResult({ resent: 2 }), '{"resent":2}')
})

test.run()
