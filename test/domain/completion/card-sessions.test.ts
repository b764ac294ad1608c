import { createCardSession, listCardSessionErrors } from '../../../src/domain/completion/card-sessions.ts'
import { aCustomer } from '../../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/completion/card-sessions')

test('creates an open session for all subscriptions, which expires after a day', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const owner = { customer, subscription: null }
  const session = createCardSession({ customer: customer.id }, owner, context).after
  assert.equal([session.status, session.use_for, session.subscription], ['open', 'all', null])
  assert.equal([session.pay_open_invoices, session.payment_method, session.return_url], [true, null, null])
  assert.equal([session.created, session.expires_at], [START, START + DAY])
  assert.is(session.url, `${CHECKOUT_URL}/cards/${session.id}`)
})

/** Columns: fields, codes and parameters of the errors. */
const INVALID = [
  [{}, ''],
  [{ use_for: 'all' }, ''],
  [{ use_for: 'subscription', subscription: 'sub_1' }, ''],
  [{ subscription: 'sub_1' }, ''],
  [{ use_for: 'subscription' }, 'parameter_missing subscription'],
  // Null stands for a value that is already invalid.
  [{ use_for: 'subscription', subscription: null }, ''],
  [{ use_for: null, subscription: 'sub_1' }, ''],
  [{ use_for: 'all', subscription: 'sub_1' }, 'parameters_exclusive subscription'],
  [{ use_for: 'customer', subscription: 'sub_1' }, 'parameters_exclusive subscription'],
  [
    { use_for: 'customer', subscription: 'sub_1', expires_at: START + 60 },
    'parameters_exclusive subscription, expires_at_out_of_range expires_at',
  ],
] as const

for (const [fields, wanted] of INVALID) {
  test(`${JSON.stringify(fields)} results in ${wanted || 'no error'}`, () => {
    const errors = listCardSessionErrors(fields, START)
    assert.is(errors.map(({ code, param }) => `${code} ${param}`).join(', '), wanted)
  })
}

test.run()
