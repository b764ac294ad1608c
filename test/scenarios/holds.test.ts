import { api } from '../../src/api/api.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { SLOW_CARD_SECONDS } from '../../src/domain/cards/test-cards.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { newCustomerWithCard } from '../support/billing.ts'
import { advanceClockTo, newCustomerOnClock } from '../support/clocks.ts'
import { openDaemon } from '../support/daemon.ts'
import { newCustomer } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/holds')

const HOLD = { amount: 4500, currency: 'eur', capture_method: 'manual' } as const
const HOUR = 3600

/** Reserves 45.00 EUR in a payment session, and returns the payment. */
async function reserve(sandbox: Sandbox, customer: string, test_card = 'visa') {
  const { id } = await sandbox.call(api.paymentSessions.create, { ...HOLD, customer })
  const { payment } = await sandbox.call(api.paymentSessions.complete, { id, test_card })
  return sandbox.call(api.payments.retrieve, { id: payment ?? '' })
}

const capture = (sandbox: Sandbox, id: string, amount?: number) =>
  sandbox.call(api.payments.capture, { id, ...(amount !== undefined && { amount }) })

test('one of 50 parallel captures succeeds on a real server, and the others return payment_unexpected_state', async () => {
  const { call, stop } = await openDaemon()
  try {
    const { id: customer } = await call(api.customers.create, { email: 'ada@example.com' })
    const { id: session } = await call(api.paymentSessions.create, { ...HOLD, customer })
    const { payment } = await call(api.paymentSessions.complete, { id: session, test_card: 'visa' })
    const id = payment ?? ''
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const request = call(api.payments.capture, { id, amount: 1000 + index })
        return request.then(({ amount_captured }) => amount_captured).catch((error: unknown) => error)
      }),
    )
    const [won, ...others] = outcomes.filter((outcome) => typeof outcome === 'number')
    assert.equal(others, [])
    const errors = outcomes.filter((outcome) => outcome instanceof ApiError)
    const kinds = new Set(errors.map(({ status, error }) => `${status} ${error.code}`))
    assert.equal([errors.length, ...kinds], [49, '400 payment_unexpected_state'])
    const { status, amount_captured } = await call(api.payments.retrieve, { id })
    assert.equal([status, amount_captured], ['succeeded', won])
    assert.is((await call(api.paymentSessions.retrieve, { id: session })).payment_status, 'paid')
    const types = (await call(api.events.list, { object_id: id })).data.map(({ type }) => type)
    assert.equal(types.toReversed(), ['payment.created', 'payment.authorized', 'payment.succeeded'])
  } finally {
    await stop()
  }
})

for (const steps of [1, 5]) {
  test(`a reservation expires after seven days on its clock, also when the clock advances in ${steps} steps`, async () => {
    const sandbox = createSandbox()
    const { clock, customer } = await newCustomerOnClock(sandbox)
    const { id, capture_before } = await reserve(sandbox, customer)
    assert.is(capture_before, START + 7 * DAY)
    await advanceClockTo(sandbox, clock, START + 7 * DAY - 1)
    assert.is((await sandbox.call(api.payments.retrieve, { id })).status, 'requires_capture')
    for (let step = 1; step <= steps; step += 1)
      await advanceClockTo(sandbox, clock, START + 7 * DAY - 1 + step * 40 * DAY)
    const { status, amount_capturable, canceled_at, canceled_reason } = await sandbox.call(
      api.payments.retrieve,
      { id },
    )
    assert.equal(
      [status, amount_capturable, canceled_at, canceled_reason],
      [...['canceled', 0, capture_before, 'expired']],
    )
    const last = (await sandbox.events()).find(({ type }) => type === 'payment.canceled')
    assert.equal([last?.created, last?.request], [capture_before, null])
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('at the same deadline, sessions expire before reservations in creation order, and before a renewal', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const items = [{ description: 'Plan', price_data: { amount: 1000 } }]
  const { id } = await sandbox.call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', subscription_data: { interval: 'week', items } },
  })
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  const first = await reserve(sandbox, customer)
  const session = await sandbox.call(api.paymentSessions.create, {
    ...{ ...HOLD, customer, expires_at: START + 7 * DAY },
  })
  const second = await reserve(sandbox, customer)
  const { length } = await sandbox.events()
  await advanceClockTo(sandbox, clock, START + 7 * DAY)
  const later = (await sandbox.events()).slice(length).filter(({ type }) => !type.startsWith('test_clock'))
  assert.equal(
    later.slice(0, 4).map(({ type, data }) => [type, data.object.id]),
    [
      ['payment_session.expired', session.id],
      ['payment.canceled', first.id],
      ['payment.canceled', second.id],
      ['subscription.renewed', later[3]?.data.object.id],
    ],
  )
})

test('a reservation can be captured in its last second, but not at its deadline', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const [captured, expired] = [await reserve(sandbox, customer), await reserve(sandbox, customer)]
  await sandbox.advance(7 * DAY - 1)
  const { succeeded_at, capture_before } = await capture(sandbox, captured.id)
  assert.is(succeeded_at, (capture_before ?? 0) - 1)
  await sandbox.advance(1)
  const error = await catchDomainError(capture(sandbox, expired.id))
  assert.is(error.code, 'payment_unexpected_state')
  assert.match(error.message, 'its status is canceled, and it must be requires_capture')
})

test('a declined capture stores nothing, and the payment can be captured again until it is released', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const payment = await reserve(sandbox, customer, 'capture_fails')
  const { length } = await sandbox.events()
  for (const amount of [undefined, 100]) {
    const { code, details } = await catchDomainError(capture(sandbox, payment.id, amount))
    assert.equal([code, details.decline_code, details.payment], ['card_declined', 'generic_decline', payment])
  }
  assert.is((await sandbox.events()).length, length)
  assert.equal(await sandbox.call(api.payments.retrieve, { id: payment.id }), payment)
  await sandbox.call(api.payments.cancel, { id: payment.id })
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('3-D Secure of an API payment precedes the reservation, whose seven days begin after it', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox, 'sca_always')
  const charge = { ...HOLD, customer, off_session: false }
  const { code, details } = await catchDomainError(sandbox.call(api.payments.create, charge))
  assert.is(code, 'authentication_required')
  const id = details.payment?.id ?? ''
  await sandbox.advance(HOUR)
  const { status, capture_before, amount_capturable } = await sandbox.call(api.payments.authenticate, { id })
  assert.equal(
    [status, capture_before, amount_capturable],
    [...['requires_capture', START + HOUR + 7 * DAY, 4500]],
  )
  const { payment_method_details } = await capture(sandbox, id, 1)
  assert.is(payment_method_details.card?.three_d_secure, 'authenticated')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('with a slow issuer, the amount is reserved when the issuer decides', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await sandbox.call(api.paymentSessions.create, { ...HOLD, customer })
  await sandbox.submit(id, typed('4000009000000060'))
  await sandbox.advance(SLOW_CARD_SECONDS)
  const session = await sandbox.call(api.paymentSessions.retrieve, { id })
  assert.equal([session.status, session.payment_status], ['complete', 'unpaid'])
  const types = (await sandbox.events()).slice(-3).map(({ type }) => type)
  assert.equal(types, ['payment.created', 'payment.authorized', 'payment_session.completed'])
})

test('refunds and statistics count the captured amount, and statistics count reserved amounts separately', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id: payment } = await reserve(sandbox, customer)
  await reserve(sandbox, customer)
  await capture(sandbox, payment, 3000)
  const statistics = await sandbox.call(api.statistics.retrieve, { interval: 'day' })
  const totals = statistics.data.at(-1)?.currencies[0]?.payments
  assert.equal(
    [totals?.succeeded, totals?.requires_capture],
    [
      { count: 1, amount: 3000 },
      { count: 1, amount: 4500 },
    ],
  )
  const { message } = await catchDomainError(sandbox.call(api.refunds.create, { payment, amount: 3001 }))
  assert.match(message, 'exceeds the remaining 30.00 EUR')
  assert.is((await sandbox.call(api.refunds.create, { payment })).amount, 3000)
  const refunded = await sandbox.call(api.payments.retrieve, { id: payment })
  assert.equal([refunded.amount, refunded.amount_refunded, refunded.refunded], [4500, 3000, true])
  assert.match((await catchDomainError(sandbox.call(api.refunds.create, { payment }))).message, '(30.00 EUR)')
})

test('an automatic payment is captured immediately, and cannot be captured or canceled', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox, 'capture_fails')
  const paid = await sandbox.call(api.payments.create, { customer, amount: 4500, currency: 'eur' })
  const { status, amount_capturable, amount_captured, capture_method, capture_before } = paid
  assert.equal(
    [status, amount_capturable, amount_captured, capture_method, capture_before],
    [...['succeeded', 0, 4500, 'automatic', null]],
  )
  for (const act of [capture(sandbox, paid.id), sandbox.call(api.payments.cancel, { id: paid.id })])
    assert.is((await catchDomainError(act)).code, 'payment_unexpected_state')
})

test('a checkout session has no capture_method', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const items = [{ description: 'Plan', price_data: { amount: 1000 } }]
  const terms = { customer, currency: 'eur', subscription_data: { interval: 'month', items } }
  const body = { ...terms, capture_method: 'manual' }
  const { code } = await catchDomainError(sandbox.send(api.checkoutSessions.create, { body }))
  assert.is(code, 'parameter_unknown')
})

test.run()
