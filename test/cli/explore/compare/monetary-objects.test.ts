import {
  compareMonetaryObjects,
  listMonetaryObjects,
} from '../../../../src/cli/explore/compare/monetary-objects.ts'
import { assert, suite } from '../../../support/suite.ts'
import { SUCCEEDED_PAYMENT } from '../sample-runs.ts'

const test = suite('cli/explore/money')

const PAID = { payments: [SUCCEEDED_PAYMENT] }
const ACTIVE = { object: 'subscription', status: 'active', cancel_at_period_end: false }

test('ignores failed payments, draft invoices, empty balances and open sessions', () => {
  const traces = {
    payments: [{ ...SUCCEEDED_PAYMENT, status: 'failed' }],
    invoices: [{ object: 'invoice', status: 'draft', total: 5, currency: 'eur' }],
    customers: [{ object: 'customer', balances: {} }],
    payment_sessions: [{ object: 'payment_session', status: 'open', amount: 5 }],
  }
  assert.equal(listMonetaryObjects(traces), [])
  assert.equal(
    compareMonetaryObjects(
      listMonetaryObjects(PAID),
      listMonetaryObjects({ ...PAID, ...traces, payments: [SUCCEEDED_PAYMENT] }),
    ),
    [],
  )
})

test('describes an additional payment and a missing payment', () => {
  const twice = { payments: [SUCCEEDED_PAYMENT, SUCCEEDED_PAYMENT] }
  const [more] = compareMonetaryObjects(listMonetaryObjects(PAID), listMonetaryObjects(twice))
  assert.is(more?.text, 'payments: one more succeeded payment of 20.00 EUR (2 instead of 1)')
  assert.is(more?.meaning, 'money lost')
  const [fewer] = compareMonetaryObjects(listMonetaryObjects(PAID), listMonetaryObjects({}))
  assert.is(fewer?.text, 'payments: one fewer succeeded payment of 20.00 EUR (0 instead of 1)')
  assert.is(fewer?.meaning, 'money missing')
})

test('reports a subscription that was not canceled as missing money, not as an additional subscription', () => {
  const canceled = { subscriptions: [{ ...ACTIVE, status: 'canceled' }] }
  const differences = compareMonetaryObjects(
    listMonetaryObjects(canceled),
    listMonetaryObjects({ subscriptions: [ACTIVE] }),
  )
  assert.equal(
    differences.map(({ meaning }) => meaning),
    ['money missing', 'money missing'],
  )
  const [second] = compareMonetaryObjects(
    listMonetaryObjects({ subscriptions: [ACTIVE] }),
    listMonetaryObjects({ subscriptions: [ACTIVE, ACTIVE] }),
  )
  assert.is(second?.meaning, 'money lost')
})

test.run()
