import { attemptParams } from '../../../src/cli/sessions/attempt-params.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/attempt-params')

test('the prefix of a session says of which kind it is', () => {
  assert.equal(attemptParams({ session: 'py_sess_1', limit: '2' }), {
    limit: 2,
    payment_session: 'py_sess_1',
  })
  assert.equal(attemptParams({ session: 'cks_1' }), { checkout_session: 'cks_1' })
  assert.equal(attemptParams({ invoice: 'in_1', status: 'failed' }), { invoice: 'in_1', status: 'failed' })
})

test('another id is no session', () => {
  assert.throws(() => attemptParams({ session: 'py_1' }), /'py_1' is the id of no session/)
})

test.run()
