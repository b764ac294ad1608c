import { findNextStepNote } from '../../../src/cli/views/next-step.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/next-step')

const CASES: readonly (readonly [object: object, command: RegExp | null])[] = [
  [{ object: 'payment', id: 'py_1', status: 'succeeded', refunded: false }, /payments refund py_1$/],
  [{ object: 'payment', id: 'py_1', status: 'succeeded', refunded: true }, /timeline py_1$/],
  [{ object: 'payment', id: 'py_1', status: 'failed' }, /timeline py_1$/],
  [{ object: 'checkout_session', id: 'cks_1', status: 'open' }, /checkout complete cks_1 --card visa$/],
  [
    { object: 'payment_session', id: 'ps_1', status: 'open', payment_method_types: ['sepa_debit'] },
    /complete ps_1 --card sepa_debit$/,
  ],
  [{ object: 'payment_session', id: 'py_sess_1', status: 'complete', payment: 'py_1' }, /get py_1$/],
  [{ object: 'payment_session', id: 'py_sess_1', status: 'expired', payment: null }, null],
  [{ object: 'invoice', id: 'in_1', status: 'draft' }, /invoices finalize in_1$/],
  [{ object: 'invoice', id: 'in_1', status: 'open' }, /invoices pay in_1$/],
  [
    {
      object: 'invoice',
      status: 'open',
      id: 'in_1',
      attempted: true,
      last_payment_error: null,
      latest_payment: 'py_1',
    },
    /get py_1$/,
  ],
  [
    { object: 'payment', id: 'py_1', status: 'processing', test_clock: 'clock_1' },
    /clock advance clock_1 3d$/,
  ],
  [{ object: 'invoice', id: 'in_1', status: 'void', latest_payment: null }, null],
  [{ object: 'subscription', id: 'sub_1', test_clock: 'clock_1' }, /clock advance clock_1 1mo$/],
  [{ object: 'subscription', id: 'sub_1', test_clock: 'clock_1', status: 'past_due' }, /upcoming sub_1$/],
  [{ object: 'subscription', id: 'sub_1', status: 'paused' }, /subscriptions resume sub_1$/],
  [{ object: 'subscription', id: 'sub_1', status: 'canceled', test_clock: 'clock_1' }, /timeline sub_1$/],
  [
    { object: 'invoice_item', id: 'ii_1', invoice: null, subscription: 'sub_1' },
    /subscriptions preview sub_1$/,
  ],
  [{ object: 'invoice_item', id: 'ii_1', invoice: 'in_1', subscription: 'sub_1' }, /get in_1$/],
  [{ object: 'test_clock', id: 'clock_1', status: 'advancing' }, null],
  [
    { object: 'webhook_delivery', id: 'whd_1', status: 'failed', event: 'evt_1', webhook_endpoint: 'we_1' },
    /events resend evt_1 --endpoint we_1$/,
  ],
  [{ object: 'fault', id: 'flt_1', type: 'hold' }, /faults delete flt_1$/],
  [{ object: 'customer', id: 'cus_1', deleted: true }, null],
  [{ object: 'unknown', id: 'x_1' }, null],
  [{ resent: 1 }, null],
]

for (const [object, command] of CASES) {
  test(`${JSON.stringify(object)} has ${command === null ? 'no next command' : `the next command ${command.source}`}`, () => {
    const note = findNextStepNote(object)
    if (command === null) assert.is(note, null)
    else assert.match(note ?? '', command)
  })
}

test.run()
