import { formatPaymentResourceNote } from '../../../src/cli/command/payment-retrieve-command.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/payment-retrieve-command')

test('suggests a refund only for a succeeded payment, and prints each command on a separate line', () => {
  const noteOf = (status: string) =>
    formatPaymentResourceNote('py_1', { object: 'payment', id: 'py_1', status })
  assert.is(noteOf('succeeded'), 'py_1 is a payment. Next:\n  paycli payments refund py_1')
  assert.is(noteOf('failed'), 'py_1 is a payment. Next:\n  paycli timeline py_1')
  assert.is(
    formatPaymentResourceNote('py_sess_1', { object: 'payment_session', id: 'py_sess_1', status: 'open' }),
    'py_sess_1 is a payment session. List its payments:\n  paycli payments list --session py_sess_1',
  )
})

test.run()
