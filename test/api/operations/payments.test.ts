import { api } from '../../../src/api/api.ts'
import { checkInvariants } from '../../../src/engine/invariants.ts'
import { newCustomerWithCard, saveCard, subscribe } from '../../support/billing.ts'
import { advanceClockTo, interruptAdvance, newCustomerOnClock } from '../../support/clocks.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { errorCodeOf, sendIdempotent } from '../../support/idempotent-requests.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/payments')

const charge = (customer: string) => ({ customer, amount: 4500, currency: 'eur' })

testDomainErrors(test, {
  operation: api.payments.create,
  prepare: async (sandbox) => ({ body: charge((await newCustomerWithCard(sandbox)).customer) }),
  table: `
  no amount                     parameter_missing
  amount = 0                    amount_too_small
  amount = 1000000000000        amount_too_large
  no currency                   parameter_missing
  currency = "EUR"              currency_invalid
  no customer                   parameter_missing
  customer = "cus_nobody"       resource_missing
  payment_method = "pm_nobody"  resource_missing
  off_session = "no"            parameter_invalid_type
  description = text(5001)      parameter_invalid_string
  metadata = keys(51)           metadata_invalid
  capture_method = "later"      parameter_invalid_enum
  ofsession = true              parameter_unknown  try off_session`,
})

test('charges the default card of the customer, or the card in the request', async () => {
  const sandbox = createSandbox()
  const { customer, card } = await newCustomerWithCard(sandbox)
  const { id: second } = await saveCard(sandbox, customer, 'amex')
  const first = await sandbox.call(api.payments.create, charge(customer))
  const other = await sandbox.call(api.payments.create, { ...charge(customer), payment_method: second })
  assert.equal([first.payment_method, other.payment_method], [card, second])
  assert.is(other.payment_method_details.card?.brand, 'amex')
})

test('an API payment has its origin, description and metadata, but no invoice and no session', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox)
  const more = { description: 'API calls', metadata: { month: 'March' } }
  const payment = await sandbox.call(api.payments.create, { ...charge(customer), ...more })
  const { origin, description, metadata, off_session, status, succeeded_at } = payment
  assert.equal([origin, description, metadata], ['api', more.description, more.metadata])
  assert.equal([off_session, status, succeeded_at], [true, 'succeeded', START])
  assert.equal([payment.invoice, payment.checkout_session, payment.payment_session], [null, null, null])
  assert.equal(
    (await sandbox.events()).slice(-2).map(({ type }) => type),
    ['payment.created', 'payment.succeeded'],
  )
})

test('payments of sessions and invoices contain their origin', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox)
  const { id: once } = await newPaymentSession(sandbox, { customer })
  await sandbox.submit(once, typed(CARDS.visa))
  const { current_period_end } = await sandbox.call(api.subscriptions.retrieve, { id })
  await sandbox.moveTo(current_period_end ?? 0)
  const { data } = await sandbox.call(api.payments.list, { customer })
  assert.equal(
    data.map(({ origin }) => origin),
    ['invoice', 'payment_session', 'checkout_session'],
  )
})

test('a decline returns 402 with the failed payment, which is never retried', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox, 'renewal_no_funds')
  const { code, details } = await catchDomainError(sandbox.call(api.payments.create, charge(customer)))
  const { data } = await sandbox.call(api.payments.list, { customer })
  assert.equal([code, details.decline_code], ['card_declined', 'insufficient_funds'])
  assert.equal(details.payment, data[0])
  assert.equal([data[0]?.status, data[0]?.outcome.advice], ['failed', 'try_again_later'])
  await sandbox.advance(60 * DAY)
  assert.is((await sandbox.call(api.payments.list, { customer })).data.length, 1)
})

test('an on-session payment that requires authentication returns 402 with the authentication page', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox, 'sca_always')
  const params = { ...charge(customer), off_session: false }
  const { code, details } = await catchDomainError(sandbox.call(api.payments.create, params))
  const { id = '' } = details.payment ?? {}
  const { status, next_action, outcome } = await sandbox.call(api.payments.retrieve, { id })
  assert.equal([code, status, outcome.advice], ['authentication_required', 'requires_action', 'authenticate'])
  assert.match(next_action?.redirect_to_url.url ?? '', new RegExp(`/3ds/${id}$`))
})

test('rejects a customer without a card, a card of another customer and a detached card', async () => {
  const sandbox = createSandbox()
  const { customer, card } = await newCustomerWithCard(sandbox)
  const { id: other } = await newCustomer(sandbox)
  const missing = await catchDomainError(sandbox.call(api.payments.create, charge(other)))
  assert.equal([missing.code, missing.param], ['payment_method_missing', 'payment_method'])
  const withCard = { ...charge(other), payment_method: card }
  const foreign = await catchDomainError(sandbox.call(api.payments.create, withCard))
  assert.is(foreign.code, 'payment_method_unexpected_customer')
  await sandbox.call(api.paymentMethods.detach, { id: card })
  const own = { ...charge(customer), payment_method: card }
  const detached = await catchDomainError(sandbox.call(api.payments.create, own))
  assert.equal([detached.code, detached.param], ['payment_method_unexpected_customer', 'payment_method'])
  assert.equal((await sandbox.call(api.payments.list, {})).data, [])
})

test('rejects a deleted customer', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox)
  await sandbox.call(api.customers.delete, { id: customer })
  const { code, param } = await catchDomainError(sandbox.call(api.payments.create, charge(customer)))
  assert.equal([code, param], ['resource_missing', 'customer'])
})

test('executes simultaneous charges with the same idempotency key once, and replays a decline', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox)
  const request = { operation: api.payments.create, key: 'order 1', body: charge(customer) }
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => sendIdempotent(sandbox.runtime, request)),
  )
  assert.is(new Set(responses.map(({ body }) => body)).size, 1)
  const { id: broke } = await saveCard(sandbox, customer, 'renewal_flaky')
  const declining = { ...request, key: 'order 2', body: { ...charge(customer), payment_method: broke } }
  const [first, second] = [
    await sendIdempotent(sandbox.runtime, declining),
    await sendIdempotent(sandbox.runtime, declining),
  ]
  assert.equal([first.status, errorCodeOf(first)], [402, 'card_declined'])
  assert.is(second.body, first.body)
  assert.is((await sandbox.call(api.payments.list, { customer })).data.length, 2)
})

test('a payment uses the time of the test clock, and is rejected while the clock advances', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox, START + 7 * DAY)
  await saveCard(sandbox, customer, 'sca_always')
  const params = { ...charge(customer), off_session: false }
  await catchDomainError(sandbox.call(api.payments.create, params))
  const waiting = async () => (await sandbox.call(api.payments.list, { customer })).data[0]
  assert.equal([(await waiting())?.created, (await waiting())?.test_clock], [START + 7 * DAY, clock])
  await sandbox.advance(3 * DAY)
  assert.is((await waiting())?.status, 'requires_action')
  await advanceClockTo(sandbox, clock, START + 8 * DAY)
  const { status, canceled_at, canceled_reason } = (await waiting()) ?? {}
  assert.equal([status, canceled_at, canceled_reason], ['canceled', START + 8 * DAY, 'abandoned'])
  await interruptAdvance(sandbox, clock, START + 9 * DAY)
  const { code } = await catchDomainError(sandbox.call(api.payments.create, params))
  assert.is(code, 'test_clock_advancing')
})

test('refunds an API payment in parts', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox)
  const { id: payment } = await sandbox.call(api.payments.create, charge(customer))
  await sandbox.call(api.refunds.create, { payment, amount: 500 })
  await sandbox.call(api.refunds.create, { payment })
  const { amount_refunded, refunded } = await sandbox.call(api.payments.retrieve, { id: payment })
  assert.equal([amount_refunded, refunded], [4500, true])
})

test('deleting a test clock cancels the payments that require authentication', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  await saveCard(sandbox, customer, 'sca_always')
  await catchDomainError(sandbox.call(api.payments.create, { ...charge(customer), off_session: false }))
  await sandbox.call(api.testClocks.delete, { id: clock })
  const [payment] = (await sandbox.call(api.payments.list, { customer })).data
  assert.equal([payment?.status, payment?.canceled_reason], ['canceled', 'customer_deleted'])
  assert.equal((await sandbox.snapshot()).records.authentications, [])
})

/** Functions that start a payment that waits for authentication, and return the id of its session or invoice. */
const WAITING: Readonly<Record<string, (sandbox: Sandbox) => Promise<string>>> = {
  'payment session': async (sandbox) => {
    const { id } = await newPaymentSession(sandbox)
    await sandbox.submit(id, typed(CARDS.sca))
    return id
  },
  'checkout session': async (sandbox) => {
    const { id } = await newCheckout(sandbox)
    await sandbox.submit(id, typed(CARDS.sca))
    return id
  },
  invoice: async (sandbox) => {
    const { customer, latest_invoice } = await subscribe(sandbox, { collection_method: 'send_invoice' })
    const { id: payment_method } = await saveCard(sandbox, customer, 'sca_always')
    const id = latest_invoice ?? ''
    const pay = sandbox.call(api.invoices.pay, { id, payment_method, off_session: false })
    await catchDomainError(pay)
    return id
  },
}

for (const [owner, start] of Object.entries(WAITING)) {
  const ownerOf = async (sandbox: Sandbox, id: string) =>
    (await sandbox.send(retrieveOf(id), { id })) as { status: string }

  test(`a ${owner} stays open when its waiting payment is canceled, and another card can pay it`, async () => {
    const sandbox = createSandbox()
    const id = await start(sandbox)
    const [waiting] = (await sandbox.call(api.payments.list, { status: 'requires_action' })).data
    const canceled = await sandbox.call(api.payments.cancel, { id: waiting?.id ?? '' })
    assert.equal([canceled.status, canceled.canceled_reason], ['canceled', 'requested'])
    assert.is((await ownerOf(sandbox, id)).status, 'open')
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
    if (owner !== 'invoice') assert.is((await sandbox.submit(id, typed(CARDS.visa))).kind, 'done')
  })

  test(`a ${owner} is paid when its waiting payment is approved, and a rejection returns 402`, async () => {
    for (const three_d_secure of ['approve', 'reject'] as const) {
      const sandbox = createSandbox()
      const id = await start(sandbox)
      const [waiting] = (await sandbox.call(api.payments.list, { status: 'requires_action' })).data
      const answer = sandbox.call(api.payments.authenticate, { id: waiting?.id ?? '', three_d_secure })
      if (three_d_secure === 'approve') assert.is((await answer).status, 'succeeded')
      else assert.is((await catchDomainError(answer)).code, 'authentication_failed')
      const ended = owner === 'invoice' ? 'paid' : 'complete'
      assert.is((await ownerOf(sandbox, id)).status, three_d_secure === 'approve' ? ended : 'open')
      assert.equal(checkInvariants(await sandbox.snapshot()), [])
    }
  })
}

function retrieveOf(id: string) {
  if (id.startsWith('in_')) return api.invoices.retrieve
  return id.startsWith('cks_') ? api.checkoutSessions.retrieve : api.paymentSessions.retrieve
}

test.run()
