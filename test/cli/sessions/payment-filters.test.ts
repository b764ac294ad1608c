import { getSessionFilter } from '../../../src/cli/sessions/payment-filters.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/payment-filters')

test('selects the payment filter by the prefix of the session id', () => {
  assert.equal(getSessionFilter({ session: 'py_sess_1', limit: '2' }), { payment_session: 'py_sess_1' })
  assert.equal(getSessionFilter({ session: 'cks_1' }), { checkout_session: 'cks_1' })
  assert.equal(getSessionFilter({ invoice: 'in_1', status: 'failed' }), {})
})

test('throws for an id that is not a session id', () => {
  assert.throws(() => getSessionFilter({ session: 'py_1' }), /Invalid --session 'py_1'/)
})

test.run()
