import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import { runCount } from '../support/property.ts'
import { newCustomer } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('property/canonical-payloads')

releaseStoresAfterEachCase()

/** Returns the canonical checkout payload. */
const checkoutPayload = (customer: string) => ({
  currency: 'eur',
  customer,
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
})

const paymentPayload = (customer: string) => ({
  amount: 1000,
  currency: 'eur',
  customer,
  payment_method_types: ['card'],
  return_url: 'https://example.com/return',
})

const FIVE_YEARS = 5 * 365 * DAY

function post(sandbox: Sandbox, body: object): Promise<unknown> {
  const request = { body: JSON.parse(JSON.stringify(body)) }
  if ('amount' in body) return sandbox.send(api.paymentSessions.create, request)
  return sandbox.send(api.checkoutSessions.create, request)
}

function fieldsOf(object: object): string {
  return Object.keys(object).join(' ')
}

/** Asserts that an object and its nested objects have exactly these fields, in this order. */
function assertFields(found: object, expected: object): void {
  assert.is(JSON.stringify(found, null, 1), JSON.stringify(expected, null, 1))
}

test('accepts the documented checkout payload and returns all fields in order', async () => {
  const sandbox = createSandbox()
  const customer = await newCustomer(sandbox)
  assert.is(
    fieldsOf(customer),
    'id object created livemode email name phone description default_payment_method balances metadata test_clock',
  )
  const session = (await post(sandbox, checkoutPayload(customer.id))) as CheckoutSession
  assertFields(session, {
    id: session.id,
    object: 'checkout_session',
    created: START,
    livemode: false,
    url: `${CHECKOUT_URL}/checkout/${session.id}`,
    status: 'open',
    payment_status: 'unpaid',
    customer: customer.id,
    currency: 'eur',
    description: 'Monthly rent',
    payment_method_types: ['card'],
    payment_method_collection: 'always',
    subscription_data: {
      collection_method: 'charge_automatically',
      interval: 'month',
      interval_count: 1,
      start_date: 1704067200,
      trial_days: null,
      trial_end: null,
      trial_settings: null,
      days_until_due: null,
      metadata: {},
      items: [
        {
          description: 'Monthly rent',
          type: 'rent',
          price_data: { amount: 100000, currency: 'eur', tax_percent: 20 },
          quantity: 1,
          amount_subtotal: 100000,
          amount_discount: 0,
          amount_tax: 20000,
          amount_total: 120000,
        },
      ],
    },
    discounts: [],
    allow_promotion_codes: false,
    amount_subtotal: 100000,
    amount_discount: 0,
    amount_tax: 20000,
    amount_total: 120000,
    return_url: null,
    branding: null,
    client_reference_id: null,
    locale: null,
    expires_at: START + DAY,
    completed_at: null,
    expired_at: null,
    expiration_reason: null,
    subscription: null,
    invoice: null,
    payment: null,
    payment_method: null,
    metadata: {},
    test_clock: null,
  })
})

test('accepts the documented payment payload and returns all fields in order', async () => {
  const sandbox = createSandbox()
  const customer = await newCustomer(sandbox)
  const session = (await post(sandbox, paymentPayload(customer.id))) as { id: string }
  assertFields(session, {
    id: session.id,
    object: 'payment_session',
    created: START,
    livemode: false,
    url: `${CHECKOUT_URL}/sessions/${session.id}`,
    status: 'open',
    payment_status: 'unpaid',
    customer: customer.id,
    amount: 1000,
    currency: 'eur',
    description: null,
    payment_method_types: ['card'],
    capture_method: 'automatic',
    save_payment_method: false,
    payment_method: null,
    return_url: 'https://example.com/return',
    branding: null,
    client_reference_id: null,
    locale: null,
    expires_at: START + DAY,
    completed_at: null,
    expired_at: null,
    expiration_reason: null,
    payment: null,
    metadata: {},
    test_clock: null,
  })
})

test('the fields of a completed session have the same order as those of an open session', async () => {
  const sandbox = createSandbox()
  const customer = await newCustomer(sandbox)
  for (const payload of [checkoutPayload, paymentPayload]) {
    const open = (await post(sandbox, payload(customer.id))) as { id: string }
    await sandbox.submit(open.id, typed('4242424242424242'))
    const events = await sandbox.events()
    assert.is(fieldsOf(events.at(-1)?.data.object ?? {}), fieldsOf(open))
  }
})

const startDates = fc.oneof(
  fc.integer({ min: 0, max: START + FIVE_YEARS }),
  fc.integer({ min: START - 2 * DAY, max: START + 2 * DAY }),
  fc.constantFrom(0, 1, START - 1, START, START + 1, START + FIVE_YEARS),
)

const rents = fc.record({
  start_date: startDates,
  amount: fc.oneof(fc.integer({ min: 0, max: 999_999_999_999 }), fc.constantFrom(0, 1, 999_999_999_999)),
  description: fc.option(fc.constant('Flat 3'), { nil: undefined }),
})

test('accepts and completes a session with any start date up to 5 years ahead, with and without description', async () => {
  await fc.assert(
    fc.asyncProperty(rents, async ({ start_date, amount, description }) => {
      const sandbox = createSandbox()
      const payload = checkoutPayload((await newCustomer(sandbox)).id)
      const { items, ...terms } = payload.subscription_data
      const price = { amount, currency: 'eur', tax_percent: 20 }
      const session = (await post(sandbox, {
        ...payload,
        description,
        subscription_data: {
          ...terms,
          start_date,
          items: items.map((item) => ({ ...item, price_data: price })),
        },
      })) as CheckoutSession
      assert.is(session.description, description ?? 'Monthly rent')
      assert.is(session.subscription_data.start_date, start_date)
      const tax = Math.floor((amount + 2) / 5)
      assert.equal(
        [session.amount_subtotal, session.amount_tax, session.amount_total],
        [amount, tax, amount + tax],
      )
      await sandbox.submit(session.id, typed('4242424242424242'))
      const done = await sandbox.call(api.checkoutSessions.retrieve, { id: session.id })
      const isFree = amount === 0 || start_date > START
      assert.is(done.payment_status, isFree ? 'no_payment_required' : 'paid')
    }),
    runCount(150),
  )
})

test.run()
