import {
  type CheckoutSessionFields,
  completeCheckoutSession,
  createCheckoutSession,
  expireCheckoutSession,
  isFreeToday,
  startsLater,
} from '../../src/domain/checkout-sessions.ts'
import { aCheckout, aCustomer, aPayment, told } from '../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, DAY, START } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/checkout-sessions')

test('a session starts open and unpaid with the totals of its items', () => {
  const session = aCheckout(
    createRuleContext(),
    {
      items: [
        { price_data: { amount: 333, tax_percent: 5.5 } },
        { type: 'rent', price_data: { amount: 1000, currency: 'eur', tax_percent: 20 } },
        { description: 'Free', price_data: { amount: 0 } },
      ],
    },
    { description: 'Flat 3' },
  )
  assert.equal([session.status, session.payment_status, session.subscription], ['open', 'unpaid', null])
  assert.equal([session.amount_subtotal, session.amount_tax, session.amount_total], [1333, 218, 1551])
  assert.equal(
    session.subscription_data.items.map(({ type, description, amount_tax }) => [
      type,
      description,
      amount_tax,
    ]),
    [
      ['other', null, 18],
      ['rent', null, 200],
      ['other', 'Free', 0],
    ],
  )
  assert.equal(session.subscription_data.items[2]?.price_data, { amount: 0, currency: 'eur', tax_percent: 0 })
  assert.is(session.url, `${CHECKOUT_URL}/checkout/${session.id}`)
})

const DESCRIPTIONS: readonly (readonly [given: string | undefined, items: string[], description: string])[] =
  [
    [undefined, ['Rent'], 'Rent'],
    [undefined, ['Rent', 'Parking'], 'Rent, Parking'],
    ['Flat 3', ['Rent', 'Parking'], 'Flat 3'],
    [undefined, ['x'.repeat(499), 'y'], `${'x'.repeat(499)},`],
    [undefined, ['💶'.repeat(400), '💶'.repeat(400)], `${'💶'.repeat(400)}, ${'💶'.repeat(98)}`],
  ]

for (const [given, items, description] of DESCRIPTIONS) {
  test(`the description of ${items.length} items is ${description.slice(0, 20)}`, () => {
    const described = items.map((each) => ({ description: each, price_data: { amount: 1 } }))
    const fields = given === undefined ? {} : { description: given }
    assert.is(aCheckout(createRuleContext(), { items: described }, fields).description, description)
  })
}

test('the largest bodies that are taken stay safe integers', () => {
  const item = { description: 'x', price_data: { amount: 999_999_999_999, tax_percent: 100 } }
  const { amount_total } = aCheckout(createRuleContext(), { items: Array.from({ length: 20 }, () => item) })
  assert.is(amount_total, 39_999_999_999_960)
})

/** collection method, days given, days kept */
const DUE = [
  [undefined, undefined, null],
  ['charge_automatically', undefined, null],
  ['send_invoice', undefined, 30],
  ['send_invoice', 0, 0],
  ['send_invoice', 14, 14],
] as const

for (const [collection_method, given, kept] of DUE) {
  test(`${given ?? 'no'} days until due by ${collection_method ?? 'default'} are kept as ${kept}`, () => {
    const terms = {
      ...(collection_method === undefined ? {} : { collection_method }),
      ...(given === undefined ? {} : { days_until_due: given }),
    }
    assert.is(aCheckout(createRuleContext(), terms).subscription_data.days_until_due, kept)
  })
}

test('every fault is told at once, none creates anything', async () => {
  const context = createRuleContext()
  const fields: CheckoutSessionFields = {
    currency: 'eur',
    customer: 'cus_1',
    subscription_data: {
      interval: 'week',
      interval_count: 157,
      start_date: START + 1827 * DAY,
      days_until_due: 1,
      items: [{ price_data: { amount: 1, currency: 'usd' } }],
    },
    expires_at: START,
  }
  const { errors } = await refusal(() => createCheckoutSession(fields, aCustomer(context), context))
  assert.equal(
    errors.map(({ code }) => code),
    [
      'currency_mismatch',
      'interval_count_out_of_range',
      'timestamp_invalid',
      'days_until_due_not_allowed',
      'parameter_missing',
      'expires_at_out_of_range',
    ],
  )
})

test('five years ahead is the last start', () => {
  const limit = START + 5 * 365.25 * DAY
  assert.is(aCheckout(createRuleContext(), { start_date: limit }).subscription_data.start_date, limit)
  assert.throws(() => aCheckout(createRuleContext(), { start_date: limit + 1 }), /more than 5 years ahead/)
})

/** start, amount, now; whether it starts later, whether nothing is charged today */
const FREE: readonly (readonly [start: number | undefined, amount: number, later: boolean, free: boolean])[] =
  [
    [undefined, 100, false, false],
    [START, 100, false, false],
    [START - 1, 100, false, false],
    [START + 1, 100, true, true],
    [undefined, 0, false, true],
    [START + 1, 0, true, true],
  ]

for (const [start_date, amount, later, free] of FREE) {
  test(`a start at ${start_date ?? 'once'} for ${amount} ${later ? 'is' : 'is not'} later, ${free ? '' : 'not '}free today`, () => {
    const items = [{ description: 'x', price_data: { amount } }]
    const session = aCheckout(createRuleContext(), {
      items,
      ...(start_date === undefined ? {} : { start_date }),
    })
    assert.equal([startsLater(session, START), isFreeToday(session, START)], [later, free])
  })
}

test('a start lies ahead or not by the time of completion, not of creation', () => {
  const session = aCheckout(createRuleContext(), { start_date: START + DAY })
  assert.ok(startsLater(session, START + DAY - 1))
  assert.not(startsLater(session, START + DAY))
})

test('completing names what was made and when', () => {
  const session = aCheckout(createRuleContext())
  const made = { subscription: 'sub_1', invoice: 'in_1', payment: 'py_1', payment_method: 'pm_1' }
  const { event, after } = completeCheckoutSession(
    session,
    { ...made, payment_status: 'paid' },
    createRuleContext(START + 9),
  )
  assert.is(event, 'checkout_session.completed')
  assert.equal(after, {
    ...session,
    ...made,
    status: 'complete',
    payment_status: 'paid',
    completed_at: START + 9,
  })
})

test('expiring cancels a payment that waits first, and no other', () => {
  const context = createRuleContext()
  const session = aCheckout(context)
  const cause = (payment: ReturnType<typeof aPayment> | null) => ({ reason: 'api', payment }) as const
  const waiting = aPayment(context, { status: 'requires_action' })
  assert.equal(told(expireCheckoutSession(session, cause(waiting), context)), [
    'payment.canceled',
    'checkout_session.expired',
  ])
  for (const payment of [null, aPayment(context, { status: 'failed' })]) {
    assert.equal(told(expireCheckoutSession(session, cause(payment), context)), ['checkout_session.expired'])
  }
})

test.run()
