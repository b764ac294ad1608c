import { api } from '../../../src/api/api.ts'
import type { StoredObject } from '../../../src/domain/core/changes.ts'
import { newCheckout } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, START, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/checkout-sessions bounds')

test('rejects a start date in milliseconds and suggests the value in seconds', async () => {
  const sandbox = createSandbox()
  const { message } = await catchDomainError(newCheckout(sandbox, { start_date: 1704067200000 }))
  assert.is(message, 'start_date 1704067200000 looks like milliseconds. Use Unix seconds: 1704067200.')
})

/** Columns: currency, hint of the message. */
const HINTS = [
  ['EUR', "Use 'eur'."],
  ['Usd', "Use 'usd'."],
  ['zzz', 'Use a code of ISO 4217 such as eur, usd or jpy.'],
] as const

for (const [currency, hint] of HINTS) {
  test(`rejects the currency ${currency} with the hint: ${hint}`, async () => {
    const { message } = await catchDomainError(newCheckout(createSandbox(), {}, { currency }))
    assert.is(message, `currency '${currency}' is not the lower-case code of a current currency. ${hint}`)
  })
}

test('accepts session parameters at their limits', async () => {
  const sandbox = createSandbox()
  for (const [interval, interval_count] of [
    ['day', 1095],
    ['week', 156],
    ['month', 36],
    ['year', 3],
  ] as const) {
    const { subscription_data } = await newCheckout(sandbox, { interval, interval_count })
    assert.is(subscription_data.interval_count, interval_count)
  }
  for (const expires_at of [START + 1800, START + 70 * DAY]) {
    assert.is((await newCheckout(sandbox, {}, { expires_at })).expires_at, expires_at)
  }
  const sent = await newCheckout(sandbox, { collection_method: 'send_invoice', days_until_due: 365 })
  assert.is(sent.subscription_data.days_until_due, 365)
  const usual = await newCheckout(sandbox, { collection_method: 'send_invoice' })
  assert.is(usual.subscription_data.days_until_due, 30)
  const doubled = await newCheckout(sandbox, {}, { payment_method_types: ['card', 'card'] })
  assert.equal(doubled.payment_method_types, ['card'])
})

test('retrieves a session, lists it by customer and status, and returns 404 for an unknown id', async () => {
  const sandbox = createSandbox()
  const first = await newCheckout(sandbox)
  const second = await newCheckout(sandbox, {}, { customer: first.customer })
  await newCheckout(sandbox)
  await sandbox.call(api.checkoutSessions.expire, { id: first.id })
  assert.equal(await sandbox.call(api.checkoutSessions.retrieve, { id: second.id }), second)
  const open = await sandbox.call(api.checkoutSessions.list, { customer: first.customer, status: 'open' })
  assert.equal(open, { object: 'list', url: '/v1/checkout_sessions', data: [second], has_more: false })
  const { code, param, message } = await catchDomainError(
    sandbox.call(api.checkoutSessions.retrieve, { id: 'cks_x' }),
  )
  assert.equal([code, param], ['resource_missing', 'id'])
  assert.is(
    message,
    "No such checkout_session: 'cks_x'. List existing objects with GET /v1/checkout_sessions.",
  )
})

test('expiring a session returns the expired session', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  await sandbox.advance(5)
  const expired = await sandbox.call(api.checkoutSessions.expire, { id })
  assert.equal(
    [expired.id, expired.status, expired.expired_at, expired.expiration_reason],
    [id, 'expired', START + 5, 'api'],
  )
})

test('allows 500 live subscriptions per customer, and does not count canceled subscriptions', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newCheckout(sandbox, { start_date: START + DAY })
  await sandbox.submit(id, typed('4242424242424242'))
  const [one] = (await sandbox.call(api.subscriptions.list, {})).data
  if (one === undefined) throw new Error('no subscription')
  const copies = Array.from({ length: 500 }, (_, at) => ({ ...one, id: `sub_${at}` }))
  const put = (records: readonly StoredObject[]) =>
    sandbox.store.transact(async () => ({
      result: null,
      writes: records.map((record) => ({ put: record })),
      events: [],
    }))
  await put(copies.map((copy, at) => ({ ...copy, status: at === 0 ? 'canceled' : 'active' })))
  const { code, param, message } = await catchDomainError(newCheckout(sandbox, {}, { customer }))
  assert.equal([code, param], ['customer_max_subscriptions', 'customer'])
  assert.match(message, new RegExp(`'${customer}' has 500 live subscriptions, which is the limit`))
  await put(copies.slice(0, 2).map((copy) => ({ ...copy, status: 'canceled' })))
  await newCheckout(sandbox, {}, { customer })
})

test.run()
