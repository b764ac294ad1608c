import { getCheckoutParams } from '../../../src/cli/sessions/checkout-params.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/checkout-params')

const CANONICAL = {
  currency: 'eur',
  customer: 'cus_1',
  payment_method_types: ['card'],
  subscription_data: {
    collection_method: 'charge_automatically',
    interval: 'month',
    interval_count: 1,
    start_date: 1704067200,
    items: [
      {
        description: 'Monthly rent',
        type: 'rent',
        price_data: { amount: 100000, currency: 'eur', tax_percent: 20 },
      },
    ],
  },
}

const FLAGS = { currency: 'eur', customer: 'cus_1', interval: 'month', item: ['Monthly rent:100000:20:rent'] }

test('sets every parameter of a checkout session from flags', () => {
  const params = getCheckoutParams(
    {
      ...FLAGS,
      'payment-method-types': ['card'],
      'interval-count': '1',
      'collection-method': 'charge_automatically',
      'start-date': '2024-01-01',
    },
    {},
  )
  // The currency of an item defaults to the currency of its session.
  const items = [
    { description: 'Monthly rent', type: 'rent', price_data: { amount: 100000, tax_percent: 20 } },
  ]
  assert.equal(params, { ...CANONICAL, subscription_data: { ...CANONICAL.subscription_data, items } })
})

test('sets every parameter of a checkout session from a file', () => {
  assert.equal(getCheckoutParams({}, CANONICAL), CANONICAL)
})

test('overrides single fields of the file with flags', () => {
  const params = getCheckoutParams({ customer: 'cus_2', interval: 'year', item: ['Seat:1'] }, CANONICAL)
  assert.is(params.customer, 'cus_2')
  assert.is(params.currency, 'eur')
  assert.equal(params.subscription_data, {
    ...CANONICAL.subscription_data,
    interval: 'year',
    items: [{ description: 'Seat', price_data: { amount: 1 } }],
  })
})

test('sets the metadata of the session and of the subscription from separate flags', () => {
  const params = getCheckoutParams({ ...FLAGS, metadata: ['a=1'], 'subscription-metadata': ['b=2'] }, {})
  assert.equal(params.metadata, { a: '1' })
  assert.equal(Object(params['subscription_data']).metadata, { b: '2' })
})

test('lists all missing flags in one error', () => {
  assert.throws(
    () => getCheckoutParams({}, {}),
    /^Missing flags: --currency, --customer, --interval, --item\.$/,
  )
  assert.throws(() => getCheckoutParams({ ...FLAGS, item: [] }, {}), /^Missing flag: --item\.$/)
  assert.throws(() => getCheckoutParams({}, { subscription_data: 'x' }), /--interval/)
})

test.run()
