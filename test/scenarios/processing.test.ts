import { api } from '../../src/api/api.ts'
import { SLOW_CARD_SECONDS } from '../../src/domain/cards/test-cards.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { subscribe } from '../support/billing.ts'
import { advanceClockTo, newCustomerOnClock } from '../support/clocks.ts'
import { CARDS, newCheckout, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/processing')

const HOUR = 3600
const EXPIRES_AT = START + HOUR

/** The kinds of session with their operations. */
const KINDS = {
  payment: { create: newPaymentSession, operations: api.paymentSessions },
  checkout: {
    create: (sandbox: Sandbox, fields: object) => newCheckout(sandbox, {}, fields),
    operations: api.checkoutSessions,
  },
} as const

async function statusesOf(sandbox: Sandbox, kind: keyof typeof KINDS, id: string): Promise<string> {
  const session = await sandbox.call(KINDS[kind].operations.retrieve, { id })
  const { data } = await sandbox.call(api.payments.list, {})
  return `${session.status}, ${data[0]?.status}`
}

for (const kind of ['payment', 'checkout'] as const) {
  const { create, operations } = KINDS[kind]

  test(`rejects expiring a ${kind} session while its payment is processing`, async () => {
    const sandbox = createSandbox()
    const { id } = await create(sandbox, { expires_at: EXPIRES_AT })
    await sandbox.submit(id, typed(CARDS.slow))
    const { code, message, details } = await catchDomainError(sandbox.call(operations.expire, { id }))
    assert.equal([code, details.retryAfterSeconds], ['payment_processing', SLOW_CARD_SECONDS])
    assert.match(message, `Cannot expire ${kind}_session '${id}': payment 'py_`)
    assert.is(await statusesOf(sandbox, kind, id), 'open, processing')
    await sandbox.advance(SLOW_CARD_SECONDS)
    assert.is(await statusesOf(sandbox, kind, id), 'complete, succeeded')
  })

  test(`a ${kind} session past its expiry stays open while its payment is processing`, async () => {
    const sandbox = createSandbox()
    const { id } = await create(sandbox, { expires_at: EXPIRES_AT })
    const other = await newPaymentSession(sandbox, { expires_at: EXPIRES_AT })
    const later = await newPaymentSession(sandbox, { expires_at: EXPIRES_AT + 1 })
    await sandbox.moveTo(EXPIRES_AT - 1)
    await sandbox.submit(id, typed(CARDS.slow))
    await sandbox.moveTo(EXPIRES_AT + 1)
    assert.is(await statusesOf(sandbox, kind, id), 'open, processing')
    for (const refused of [
      () => sandbox.submit(id, typed(CARDS.visa)),
      () => sandbox.call(operations.complete, { id, test_card: 'visa' }),
      () => sandbox.call(operations.expire, { id }),
    ]) {
      assert.is((await catchDomainError(refused())).code, 'payment_processing')
    }
    for (const session of [other, later]) {
      const { status } = await sandbox.call(api.paymentSessions.retrieve, { id: session.id })
      assert.is(status, 'expired', 'other jobs still run')
    }
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
    await sandbox.moveTo(EXPIRES_AT + 2)
    assert.is(await statusesOf(sandbox, kind, id), 'complete, succeeded')
    const { completed_at, expired_at } = await sandbox.call(operations.retrieve, { id })
    assert.equal([completed_at, expired_at], [EXPIRES_AT + 2, null])
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })

  test(`advancing a clock past the expiry of a ${kind} session keeps it open while its payment is processing`, async () => {
    const sandbox = createSandbox()
    const { clock, customer } = await newCustomerOnClock(sandbox)
    const { id } = await create(sandbox, { customer, expires_at: EXPIRES_AT })
    await sandbox.submit(id, typed(CARDS.slow))
    await advanceClockTo(sandbox, clock, START + DAY)
    assert.is(await statusesOf(sandbox, kind, id), 'open, processing')
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
    await sandbox.advance(SLOW_CARD_SECONDS)
    assert.is(await statusesOf(sandbox, kind, id), 'complete, succeeded')
    assert.is((await sandbox.call(operations.retrieve, { id })).completed_at, START + DAY)
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('rejects deleting a customer while a payment is processing', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newPaymentSession(sandbox)
  await sandbox.submit(id, typed(CARDS.slow))
  const { code, message } = await catchDomainError(sandbox.call(api.customers.delete, { id: customer }))
  assert.is(code, 'payment_processing')
  assert.match(message, `Cannot delete customer '${customer}'`)
  await sandbox.advance(SLOW_CARD_SECONDS)
  await sandbox.call(api.customers.delete, { id: customer })
  assert.is(await statusesOf(sandbox, 'payment', id), 'complete, succeeded')
})

for (const [credit, status, statuses] of [
  [200_000, 'no_payment_required', 'canceled'],
  [50_000, 'paid', 'succeeded, canceled'],
] as const) {
  test(`a session past its expiry completes as '${status}' with ${credit / 100} EUR of new credit`, async () => {
    const sandbox = createSandbox()
    const { clock, customer } = await newCustomerOnClock(sandbox)
    const { id: subscription } = await subscribe(sandbox, { customer })
    const { id } = await newCheckout(sandbox, {}, { customer, expires_at: EXPIRES_AT })
    await sandbox.submit(id, typed(CARDS.slow))
    await advanceClockTo(sandbox, clock, START + DAY)
    const item = { description: 'Goodwill', unit_amount: -credit }
    await sandbox.call(api.invoiceItems.create, { subscription, ...item })
    await sandbox.call(api.subscriptions.cancel, { id: subscription, invoice_now: true })
    await sandbox.advance(SLOW_CARD_SECONDS)
    const session = await sandbox.call(api.checkoutSessions.retrieve, { id })
    assert.equal([session.status, session.payment_status], ['complete', status])
    const { data } = await sandbox.call(api.payments.list, { checkout_session: id })
    assert.is(data.map((payment) => payment.status).join(', '), statuses)
    assert.is(data.at(-1)?.canceled_reason, 'amount_changed')
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('a session past its expiry expires when its coupon is deleted while its payment is processing', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const coupon = await sandbox.call(api.coupons.create, { percent_off: 10, duration: 'once' })
  const discounts = [{ coupon: coupon.id }]
  const { id } = await newCheckout(sandbox, {}, { customer, discounts, expires_at: EXPIRES_AT })
  await sandbox.submit(id, typed(CARDS.slow))
  await advanceClockTo(sandbox, clock, START + DAY)
  await sandbox.call(api.coupons.delete, { id: coupon.id })
  await sandbox.advance(SLOW_CARD_SECONDS)
  assert.is(await statusesOf(sandbox, 'checkout', id), 'expired, canceled')
  assert.is((await sandbox.call(api.checkoutSessions.retrieve, { id })).expired_at, EXPIRES_AT)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('counts the redemption of a slow payment on a test clock at the time of the decision after a downtime', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerOnClock(sandbox)
  const coupon = await sandbox.call(api.coupons.create, { percent_off: 10, duration: 'once' })
  const { id } = await newCheckout(sandbox, {}, { customer, discounts: [{ coupon: coupon.id }] })
  await sandbox.submit(id, typed(CARDS.slow))
  await sandbox.advance(DAY)
  const { data } = await sandbox.call(api.events.list, { type: 'coupon.updated' })
  assert.equal(
    data.map(({ created }) => created),
    [START + SLOW_CARD_SECONDS],
  )
})

test('deleting a test clock fails the processing payments of its customers', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  const { id } = await newPaymentSession(sandbox, { customer })
  await sandbox.submit(id, typed(CARDS.slow))
  await sandbox.call(api.testClocks.delete, { id: clock })
  assert.is(await statusesOf(sandbox, 'payment', id), 'expired, failed')
  const { data } = await sandbox.call(api.payments.list, {})
  assert.equal([data[0]?.failure_code, data[0]?.canceled_at], ['processing_error', null])
  await sandbox.advance(SLOW_CARD_SECONDS)
  assert.is(await statusesOf(sandbox, 'payment', id), 'expired, failed')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test.run()
