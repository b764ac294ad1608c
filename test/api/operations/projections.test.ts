import { api } from '../../../src/api/api.ts'
import { saveCard, subscribe } from '../../support/billing.ts'
import {
  advanceClockTo,
  createCustomerOn,
  interruptAdvance,
  newCustomerOnClock,
} from '../../support/clocks.ts'
import { addFault } from '../../support/payment-faults.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/projections')

const YEAR = 366 * DAY

/** Subscribes a customer on a clock with a card that is declined at every renewal. */
async function subscribeOnClock(sandbox: Sandbox, terms: Parameters<typeof subscribe>[1] = {}) {
  const { clock, customer } = await newCustomerOnClock(sandbox)
  return { clock, subscription: await subscribe(sandbox, { customer, ...terms }) }
}

test('projects the renewals of a subscription with placeholder ids for new objects', async () => {
  const sandbox = createSandbox()
  const { clock, subscription } = await subscribeOnClock(sandbox)
  const { id, current_period_end } = subscription
  const projection = await sandbox.call(api.projections.retrieve, { subscription: id, limit: 5 })
  assert.equal(
    [projection.subscription, projection.test_clock, projection.from, projection.has_more],
    [id, clock, START, true],
  )
  assert.equal(
    projection.data.map(({ type, created }) => [type, created]),
    [
      'subscription.renewed',
      'invoice.created',
      'invoice.finalized',
      'payment.created',
      'payment.succeeded',
    ].map((type) => [type, current_period_end]),
  )
  assert.match(JSON.stringify(projection.data[0]?.data), /"latest_invoice":"in_projected_1"/)
  assert.is(projection.data[1]?.data.object.id, 'in_projected_1')
})

test('projects the retries of a declined card until the subscription ends', async () => {
  const sandbox = createSandbox()
  const { clock } = await subscribeOnClock(sandbox, { card: 'renewal_no_funds' })
  const { data, has_more } = await sandbox.call(api.projections.retrieve, { test_clock: clock })
  assert.is(has_more, false)
  assert.is(data.filter(({ type }) => type === 'invoice.payment_failed').length, 4)
  assert.is(data.filter(({ type }) => type === 'subscription.canceled').length, 1)
})

test('returns the first events of a test clock up to the limit, although more jobs are due', async () => {
  const sandbox = createSandbox()
  const { clock } = await subscribeOnClock(sandbox)
  for (let number = 2; number <= 5; number += 1)
    await subscribe(sandbox, { customer: await createCustomerOn(sandbox, clock) })
  const until = START + 40 * DAY
  const whole = await sandbox.call(api.projections.retrieve, { test_clock: clock, until })
  assert.equal([whole.data.length > 20, whole.has_more], [true, false])
  for (const limit of [1, 2, 5, whole.data.length - 1]) {
    const part = await sandbox.call(api.projections.retrieve, { test_clock: clock, until, limit })
    assert.equal(part, { ...whole, data: whole.data.slice(0, limit), has_more: true })
  }
  const exact = await sandbox.call(api.projections.retrieve, {
    test_clock: clock,
    until,
    limit: whole.data.length,
  })
  assert.equal(exact, whole)
})

test('skips due jobs without events, and returns has_more false after the last event', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  for (let sessions = 0; sessions < 3; sessions += 1) {
    const { id } = await newPaymentSession(sandbox, { customer, expires_at: START + DAY })
    // The job of the session waits for the issuer, which decides in real time.
    await sandbox.call(api.paymentSessions.complete, { id, test_card: 'slow' })
  }
  const { id } = await newPaymentSession(sandbox, { customer, expires_at: START + 2 * DAY })
  for (const until of [START + 2 * DAY, START + 300 * DAY]) {
    const { data, has_more } = await sandbox.call(api.projections.retrieve, {
      ...{ test_clock: clock, until, limit: 1 },
    })
    assert.equal(
      data.map(({ type, data: { object } }) => [type, object.id]),
      [['payment_session.expired', id]],
    )
    assert.is(has_more, false)
  }
  const before = { test_clock: clock, until: START + DAY, limit: 1 }
  const { data, has_more } = await sandbox.call(api.projections.retrieve, before)
  assert.equal([data, has_more], [[], false])
})

test('returns has_more false after the end of a subscription when the customer has other subscriptions', async () => {
  const sandbox = createSandbox()
  const { customer, id } = await subscribe(sandbox)
  for (let others = 0; others < 4; others += 1) await subscribe(sandbox, { customer, interval: 'day' })
  await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
  const { data, has_more } = await sandbox.call(api.projections.retrieve, {
    ...{ subscription: id, until: START + 9 * YEAR, limit: 1 },
  })
  assert.equal([data.map(({ type }) => type), has_more], [['subscription.canceled'], false])
})

test('projects expired sessions and settled refunds of a test clock', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  await saveCard(sandbox, customer, 'refund_async')
  const payment = await sandbox.call(api.payments.create, { customer, amount: 500, currency: 'eur' })
  await sandbox.call(api.refunds.create, { payment: payment.id })
  const return_url = 'https://example.com/return'
  await sandbox.call(api.cardSessions.create, { customer, return_url })
  const { data } = await sandbox.call(api.projections.retrieve, { test_clock: clock })
  assert.equal(
    data.map(({ type }) => type),
    ['refund.updated', 'card_session.expired'],
  )
})

test('projects a subscription without a test clock in real time', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox, { interval: 'year' })
  const { from, until, test_clock, data } = await sandbox.call(api.projections.retrieve, { subscription: id })
  assert.equal([from, until, test_clock], [START, Date.UTC(2027, 0, 15, 10, 30) / 1000, null])
  assert.is(data.filter(({ type }) => type === 'subscription.renewed').length, 3)
})

test('neither applies nor counts a fault on payments', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox)
  await addFault(sandbox, { type: 'decline', times: 1 })
  const before = await sandbox.store.capture()
  const { data } = await sandbox.call(api.projections.retrieve, { subscription: id, until: START + 40 * DAY })
  assert.ok(data.some(({ type }) => type === 'invoice.paid'))
  assert.equal(await sandbox.store.capture(), before)
})

const INVALID: readonly (readonly [what: string, params: object, code: string, param: string])[] = [
  ['neither a subscription nor a clock', {}, 'parameter_missing', 'subscription'],
  [
    'both a subscription and a clock',
    { subscription: 'sub_1', test_clock: 'clock_1' },
    'parameters_exclusive',
    'test_clock',
  ],
  ['an unknown subscription', { subscription: 'sub_nobody' }, 'resource_missing', 'subscription'],
  ['an unknown clock', { test_clock: 'clock_nobody' }, 'resource_missing', 'test_clock'],
  ['a limit above 1000', { subscription: 'sub_1', limit: 1001 }, 'parameter_invalid_integer', 'limit'],
  ['milliseconds', { subscription: 'sub_1', until: START * 1000 }, 'timestamp_invalid', 'until'],
]

for (const [what, params, code, param] of INVALID) {
  test(`rejects ${what} with ${code}`, async () => {
    const error = await catchDomainError(createSandbox().call(api.projections.retrieve, params))
    assert.equal([error.code, error.details.param], [code, param])
  })
}

test('rejects an until that is not in the future or is more than ten years ahead', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox)
  for (const until of [START, START + 10 * YEAR]) {
    const error = await catchDomainError(sandbox.call(api.projections.retrieve, { subscription: id, until }))
    assert.equal([error.code, error.details.param], ['timestamp_invalid', 'until'])
  }
})

test('returns 409 while the clock is advancing, and rejects a deleted clock', async () => {
  const sandbox = createSandbox()
  const { clock, subscription } = await subscribeOnClock(sandbox)
  await advanceClockTo(sandbox, clock, START + DAY)
  await interruptAdvance(sandbox, clock, START + 2 * DAY)
  const advancing = await catchDomainError(sandbox.call(api.projections.retrieve, { test_clock: clock }))
  assert.is(advancing.code, 'test_clock_advancing')
  const other = await subscribeOnClock(sandbox)
  await sandbox.call(api.testClocks.delete, { id: other.clock })
  const of = { subscription: other.subscription.id }
  const deleted = await catchDomainError(sandbox.call(api.projections.retrieve, of))
  assert.is(deleted.code, 'test_clock_deleted')
  assert.is(subscription.test_clock, clock)
})

test.run()
