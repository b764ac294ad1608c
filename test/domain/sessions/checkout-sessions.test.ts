import {
  type CheckoutSessionParams,
  createCheckoutSession,
} from '../../../src/domain/sessions/checkout-sessions.ts'
import { hasFutureStart, isFreeToday } from '../../../src/domain/sessions/checkout-start.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCheckout, aCustomer } from '../../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/checkout-sessions')

test('creates an open, unpaid session with the totals of its items', () => {
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
  test(`a session ${given === undefined ? 'without' : 'with'} a description and with ${items.length} items is described as ${description.slice(0, 20)}`, () => {
    const described = items.map((each) => ({ description: each, price_data: { amount: 1 } }))
    const fields = given === undefined ? {} : { description: given }
    assert.is(aCheckout(createRuleContext(), { items: described }, fields).description, description)
  })
}

test('the largest valid amounts have a total that is a safe integer', () => {
  const item = { description: 'x', price_data: { amount: 999_999_999_999, tax_percent: 100 } }
  const { amount_total } = aCheckout(createRuleContext(), { items: Array.from({ length: 20 }, () => item) })
  assert.is(amount_total, 39_999_999_999_960)
})

test('throws amount_too_large when a quantity makes the total larger than the largest payment', async () => {
  const price_data = { amount: 999_999_999_999 }
  const items = [{ description: 'x', quantity: 41, price_data }]
  const error = await catchDomainError(async () => aCheckout(createRuleContext(), { items }))
  assert.equal([error.code, error.param], ['amount_too_large', 'subscription_data[items][0][quantity]'])
  const largest = [{ description: 'x', quantity: 40, price_data }]
  assert.is(aCheckout(createRuleContext(), { items: largest }).amount_total, 40 * 999_999_999_999)
})

/** Columns: collection method, days_until_due, stored days_until_due. */
const DUE = [
  [undefined, undefined, null],
  ['charge_automatically', undefined, null],
  ['send_invoice', undefined, 30],
  ['send_invoice', 0, 0],
  ['send_invoice', 14, 14],
] as const

for (const [collection_method, given, kept] of DUE) {
  test(`stores days_until_due ${given} with collection method ${collection_method ?? 'default'} as ${kept}`, () => {
    const terms = {
      ...(collection_method === undefined ? {} : { collection_method }),
      ...(given === undefined ? {} : { days_until_due: given }),
    }
    assert.is(aCheckout(createRuleContext(), terms).subscription_data.days_until_due, kept)
  })
}

test('throws one error with all validation errors of a session', async () => {
  const context = createRuleContext()
  const fields: CheckoutSessionParams = {
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
  const { errors } = await catchDomainError(() => createCheckoutSession(fields, aCustomer(context), context))
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

test('accepts a start date up to five years ahead', () => {
  const limit = START + 5 * 365.25 * DAY
  assert.is(aCheckout(createRuleContext(), { start_date: limit }).subscription_data.start_date, limit)
  assert.throws(() => aCheckout(createRuleContext(), { start_date: limit + 1 }), /more than 5 years ahead/)
})

/** Columns: start, amount, whether the start is in the future, whether it is free today. */
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
  test(`a subscription start at ${start_date ?? 'completion'} with amount ${amount} is ${later ? '' : 'not '}in the future and ${free ? '' : 'not '}free today`, () => {
    const items = [{ description: 'x', price_data: { amount } }]
    const session = aCheckout(createRuleContext(), {
      items,
      ...(start_date === undefined ? {} : { start_date }),
    })
    assert.equal([hasFutureStart(session, START), isFreeToday(session, START)], [later, free])
  })
}

test.run()
