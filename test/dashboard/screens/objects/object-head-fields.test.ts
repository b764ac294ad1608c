import {
  describeState,
  listHeadFields,
} from '../../../../src/dashboard/screens/objects/object-head-fields.ts'
import { toUpcomingSteps } from '../../../../src/dashboard/screens/objects/upcoming-steps.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/objects/object-head-fields')

const SUBSCRIPTION = {
  object: 'subscription',
  status: 'active',
  interval: 'month',
  interval_count: 1,
  current_period_end: 1_767_225_600,
  cancel_at_period_end: false,
}

test('describes the state of subscriptions', () => {
  const describe = (changes: object) => describeState({ ...SUBSCRIPTION, ...changes })
  assert.is(describe({}), 'Billed every month. The current period ends on 2026-01-01.')
  assert.is(
    describe({ interval_count: 3, cancel_at_period_end: true }),
    'Billed every 3 months. The current period ends on 2026-01-01, and the subscription with it.',
  )
  assert.is(
    describe({ status: 'canceled', ended_at: 0, cancellation_reason: 'payment_failed' }),
    'Ended on 1970-01-01: payment failed, before the end of its period on 2026-01-01.',
  )
  assert.match(describe({ status: 'past_due' }), /declined/)
  assert.match(describe({ status: 'trialing' }), /trial until 2026-01-01/)
})

test('describes the state of invoices, payments and sessions', () => {
  const invoice = { object: 'invoice', status: 'open', next_payment_attempt: 0, attempt_count: 2 }
  assert.is(describeState(invoice), '2 of its charges failed. The next one is on 1970-01-01.')
  const debited = { ...invoice, next_payment_attempt: null, attempted: true, last_payment_error: null }
  assert.is(describeState(debited), 'A debit of it has no outcome yet.')
  assert.is(describeState({ object: 'payment', status: 'processing' }), 'The bank has not decided yet.')
  assert.is(
    describeState({ object: 'payment', status: 'succeeded', refunded: true }),
    'Charged, then refunded in full.',
  )
  assert.is(
    describeState({ object: 'payment_session', status: 'expired', expiration_reason: 'time' }),
    'Expired: time.',
  )
  assert.is(describeState({ object: 'customer', deleted: true }), 'Deleted. Its history stays readable.')
  assert.is(describeState({ object: 'faults' }), '')
})

test('shows a bank account as one field', () => {
  const sepa_debit = { country: 'DE', last4: '3000', mandate: 'mandate_1' }
  for (const object of [
    { sepa_debit },
    { payment_method_details: { type: 'sepa_debit', card: null, sepa_debit } },
  ]) {
    const [field] = listHeadFields({ card: null, ...object })
    assert.equal([field?.label, field?.value.text], ['Bank account', 'SEPA Direct Debit •••• 3000'])
  }
})

test('lists the fields with a value, without ids', () => {
  const card = { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 }
  const facts = listHeadFields({
    ...{ id: 'x', object: 'payment', currency: 'eur', amount: 1250, description: null, refunded: false },
    ...{ customer: 'cus_4bT9wNqXz7LrYcVd2PkH8mJs', payment_method_details: { type: 'card', card } },
  })
  assert.equal(
    facts.map(({ label, value }) => [label, value.text]),
    [
      ['Amount', '12.50 EUR'],
      ['Card', 'Visa •••• 4242, valid to 1/2030'],
    ],
  )
})

test('groups projected events by time under the most important event', () => {
  const payment = { object: 'payment', amount: 1500, currency: 'eur', decline_code: 'insufficient_funds' }
  const event = (created: number, type: string, object: object = {}) => ({
    ...{ created, type },
    data: { object: { ...object } },
  })
  const data = [
    event(5, 'subscription.renewed'),
    event(5, 'payment.succeeded', payment),
    event(9, 'payment.failed', payment),
    event(9, 'invoice.payment_failed'),
    event(12, 'invoice.finalized', { object: 'invoice', total: 700, currency: 'eur' }),
  ]
  const steps = toUpcomingSteps({ subscription: 'sub_1', data })
  assert.equal(
    steps.map(({ at, words, detail, outcome }) => [at, words, detail, outcome]),
    [
      [5, 'Renews', '15.00 EUR is charged', 'good'],
      [9, 'A retry is declined', '15.00 EUR is declined: insufficient funds', 'bad'],
      [12, 'Invoice finalized', 'invoice of 7.00 EUR', 'neutral'],
    ],
  )
})

test.run()
