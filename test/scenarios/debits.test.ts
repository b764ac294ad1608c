import { api } from '../../src/api/api.ts'
import { createClient } from '../../src/client/client.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, saveCard, subscribe } from '../support/billing.ts'
import { advanceClockTo, createClock, createCustomerOn, newCustomerOnClock } from '../support/clocks.ts'
import { openDaemon } from '../support/daemon.ts'
import { addFault, countsOf } from '../support/payment-faults.ts'
import { newCheckout, newCustomer, newPaymentSession, RENT } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/debits')

const TYPES = { payment_method_types: ['card', 'sepa_debit'] } as const

/** Submits a debit of 10.00 EUR in a payment session. */
async function debit(
  sandbox: Sandbox,
  test_card = 'sepa_debit',
  fields: Parameters<typeof newPaymentSession>[1] = {},
) {
  const { id } = await newPaymentSession(sandbox, { ...TYPES, ...fields })
  const session = await sandbox.call(api.paymentSessions.complete, { id, test_card })
  return { ...session, payment: session.payment ?? '' }
}

/** Returns the types of the later events, without those of the clock. */
async function typesAfter(sandbox: Sandbox, length: number): Promise<string[]> {
  const later = (await sandbox.events()).slice(length).filter(({ type }) => !type.startsWith('test_clock'))
  return later.map(({ type }) => type)
}

test('a checkout by debit is complete before it is paid, and its events are in the order of the objects', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox, {}, TYPES)
  const { length } = await sandbox.events()
  const session = await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'sepa_debit' })
  assert.equal([session.status, session.payment_status], ['complete', 'unpaid'])
  assert.equal(await typesAfter(sandbox, length), [
    ...['payment_method.attached', 'customer.updated', 'subscription.created', 'invoice.created'],
    ...['invoice.finalized', 'payment.created', 'invoice.updated', 'checkout_session.completed'],
  ])
  const [invoice] = await invoicesOf(sandbox, session.subscription ?? '')
  const { status, attempted, attempt_count, next_payment_attempt, auto_advance } = invoice ?? {}
  assert.equal(
    [status, attempted, attempt_count, next_payment_attempt, auto_advance],
    ['open', true, 1, null, true],
  )
  const method = await sandbox.call(api.paymentMethods.retrieve, { id: session.payment_method ?? '' })
  assert.equal(
    [method.type, method.card, method.sepa_debit?.country, method.sepa_debit?.last4],
    [...['sepa_debit', null, 'DE', '3000']],
  )
  const { payment_method_details } = await sandbox.call(api.payments.retrieve, { id: session.payment ?? '' })
  assert.is(payment_method_details.sepa_debit?.mandate, method.sepa_debit?.mandate)
})

for (const steps of [1, 60]) {
  test(`retries count from the outcomes until the subscription ends, also when the clock advances in ${steps} steps`, async () => {
    const sandbox = createSandbox()
    const { clock, customer } = await newCustomerOnClock(sandbox)
    const { id } = await subscribe(sandbox, { customer, card: 'sepa_debit_fails' })
    const { length } = await sandbox.events()
    for (let step = 1; step <= steps; step += 1)
      await advanceClockTo(sandbox, clock, START + (step * 60 * DAY) / steps)
    const later = (await sandbox.events()).slice(length).filter(({ type }) => !type.startsWith('test_clock'))
    const days = later.map(({ type, created }) => `${(created - START) / DAY} ${type}`)
    const retry = (sent: number) => [`${sent} payment.created`, `${sent} invoice.updated`]
    const failed = (day: number) => [`${day} payment.failed`, `${day} invoice.payment_failed`]
    assert.equal(days, [
      ...[...failed(3), '3 subscription.past_due', ...retry(6), ...failed(9), ...retry(14), ...failed(17)],
      ...[...retry(24), ...failed(27), '27 subscription.canceled', '27 invoice.updated'],
    ])
    const { status, cancellation_reason } = await sandbox.call(api.subscriptions.retrieve, { id })
    assert.equal([status, cancellation_reason], ['canceled', 'payment_failed'])
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('at one instant, debits end in the order of their creation, before a renewal', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox)
  await subscribe(sandbox, { customer, card: 'sepa_debit', interval: 'day', interval_count: 3 })
  const sessions = [
    await debit(sandbox, 'sepa_debit_fails', { customer }),
    await debit(sandbox, 'sepa_debit', { customer }),
  ]
  const { length } = await sandbox.events()
  await advanceClockTo(sandbox, clock, START + 3 * DAY)
  assert.equal(await typesAfter(sandbox, length), [
    ...['payment.succeeded', 'invoice.paid', 'payment.failed', 'payment_session.payment_failed'],
    ...['payment.succeeded', 'payment_session.payment_succeeded'],
    ...['subscription.renewed', 'invoice.created', 'invoice.finalized', 'payment.created', 'invoice.updated'],
  ])
  const events = (await sandbox.events()).filter(({ type }) => type.startsWith('payment_session.payment_'))
  assert.equal(
    events.map(({ data }) => [data.object.id, data.previous_attributes]),
    [
      [sessions[0]?.id, {}],
      [sessions[1]?.id, { payment_status: 'unpaid' }],
    ],
  )
})

test('a direct debit cannot be reserved, and a card session accepts no direct debit', async () => {
  const sandbox = createSandbox()
  const held = await catchDomainError(newPaymentSession(sandbox, { ...TYPES, capture_method: 'manual' }))
  assert.equal([held.code, held.details.param], ['parameters_exclusive', 'capture_method'])
  assert.match(held.message, 'a direct debit cannot be reserved')
  const { customer } = await debit(sandbox, 'sepa_debit', { save_payment_method: true })
  const charge = { customer, amount: 500, currency: 'eur', capture_method: 'manual' } as const
  const api_error = await catchDomainError(sandbox.call(api.payments.create, charge))
  assert.equal(
    [api_error.code, api_error.details.param],
    ['payment_method_type_unsupported', 'capture_method'],
  )
  const { id } = await newPaymentSession(sandbox)
  const unoffered = sandbox.call(api.paymentSessions.complete, { id, test_card: 'sepa_debit' })
  assert.match((await catchDomainError(unoffered)).message, 'payment_method_types "card" and "sepa_debit"')
})

test('a fault on payments replaces the outcome of a debit, and not its submission', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const processing = await addFault(sandbox, { type: 'processing', delay_ms: 5000, match: { customer } })
  const decline = await addFault(sandbox, {
    type: 'decline',
    decline_code: 'lost_card',
    match: { customer },
    times: 1,
  })
  const unavailable = await addFault(sandbox, { type: 'issuer_unavailable', match: { customer }, times: 1 })
  const debits = [
    await debit(sandbox, 'sepa_debit', { customer }),
    await debit(sandbox, 'sepa_debit', { customer }),
  ]
  assert.equal([await countsOf(sandbox, decline), await countsOf(sandbox, unavailable)], ['0/0', '0/0'])
  await sandbox.advance(3 * DAY)
  const failures = debits.map(
    async ({ payment: id }) => (await sandbox.call(api.payments.retrieve, { id })).failure_code,
  )
  assert.equal(await Promise.all(failures), ['lost_card', 'processing_error'])
  assert.is(await countsOf(sandbox, processing), '0/0')
})

test('a discount reduces the debit, and a trial submits the first debit at its end', async () => {
  const sandbox = createSandbox()
  const { id: coupon } = await sandbox.call(api.coupons.create, { percent_off: 25 })
  const { id } = await newCheckout(sandbox, { trial_days: 7 }, { ...TYPES, discounts: [{ coupon }] })
  const session = await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'sepa_debit' })
  assert.equal([session.payment_status, session.payment], ['no_payment_required', null])
  await sandbox.advance(7 * DAY)
  const { data } = await sandbox.call(api.payments.list, { customer: session.customer })
  assert.equal([data[0]?.status, data[0]?.amount], ['processing', RENT.price_data.amount * 0.75 * 1.2])
  await sandbox.advance(3 * DAY)
  const [invoice] = (await invoicesOf(sandbox, session.subscription ?? '')).toReversed()
  assert.is(invoice?.status, 'paid')
})

test('another payment recovers the subscription while a retry by debit has no outcome', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox, {
    card: 'sepa_debit_fails',
    interval: 'day',
    interval_count: 4,
  })
  await sandbox.advance(3 * DAY)
  await sandbox.advance(DAY)
  await sandbox.advance(2 * DAY)
  await sandbox.advance(DAY)
  const statuses = (await invoicesOf(sandbox, id)).map(
    ({ status, last_payment_error: error }) => `${status} ${error?.code}`,
  )
  assert.equal(statuses.toSorted(), ['open insufficient_funds', 'open undefined'])
  const [failed] = (await sandbox.call(api.invoices.list, { subscription: id })).data.filter(
    (one) => one.last_payment_error,
  )
  const { id: payment_method } = await saveCard(sandbox, customer, 'visa')
  await sandbox.call(api.invoices.pay, { id: failed?.id ?? '', payment_method })
  assert.is((await sandbox.call(api.subscriptions.retrieve, { id })).status, 'active')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('statistics count a debit as processing until its outcome, and only a failed debit as dunning', async () => {
  const sandbox = createSandbox()
  await subscribe(sandbox, { card: 'sepa_debit' })
  await subscribe(sandbox, { card: 'sepa_debit_fails' })
  const read = async () => {
    const { data, dunning } = await sandbox.call(api.statistics.retrieve, {})
    const counts = data.flatMap(({ currencies }) => currencies.map(({ payments }) => payments))
    const of = (status: 'processing' | 'succeeded' | 'failed') =>
      counts.reduce((sum, payments) => sum + payments[status].count, 0)
    return [of('processing'), of('succeeded'), of('failed'), dunning]
  }
  assert.equal(await read(), [2, 0, 0, []])
  await sandbox.advance(3 * DAY)
  assert.equal(await read(), [0, 1, 1, [{ attempt: 1, reached: 1, recovered: 0, open: 1, lost: 0 }]])
})

test('statistics count an invoice whose charge failed without a card as open while its debit is processing', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox, { card: 'sepa_debit' })
  await sandbox.advance(3 * DAY)
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  const account = data[0]?.id ?? ''
  await sandbox.call(api.subscriptions.update, { id, default_payment_method: null })
  await sandbox.call(api.customers.update, { id: customer, default_payment_method: null })
  await sandbox.advance(31 * DAY)
  const invoices = await sandbox.call(api.invoices.list, { subscription: id, status: 'open' })
  await sandbox.call(api.invoices.pay, { id: invoices.data[0]?.id ?? '', payment_method: account })
  const { dunning } = await sandbox.call(api.statistics.retrieve, {})
  assert.equal(dunning.map(({ reached, open }) => [reached, open]).at(-1), [1, 1])
})

test('the deletion of a test clock leaves its debits without an outcome', async () => {
  const sandbox = createSandbox()
  const clock = await createClock(sandbox)
  const { payment: id } = await debit(sandbox, 'sepa_debit', {
    customer: await createCustomerOn(sandbox, clock.id),
  })
  await sandbox.call(api.testClocks.delete, { id: clock.id })
  await sandbox.advance(4 * DAY)
  assert.is((await sandbox.call(api.payments.retrieve, { id })).status, 'processing')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a repeated request with the same key returns the same debit', async () => {
  const { call, location, stop } = await openDaemon()
  try {
    const { id: customer } = await call(api.customers.create, { email: 'ada@example.com' })
    const terms = { amount: 900, currency: 'eur', save_payment_method: true, ...TYPES }
    const { id } = await call(api.paymentSessions.create, { customer, ...terms })
    await call(api.paymentSessions.complete, { id, test_card: 'sepa_debit' })
    const client = createClient({
      apiBase: location.api_url,
      apiKey: location.api_key,
      idempotencyKey: 'debit-1',
    })
    const charge = () => client.call(api.payments.create, { customer, amount: 700, currency: 'eur' })
    const [first, again] = [await charge(), await charge()]
    assert.equal([first.status, again], ['processing', first])
    assert.is((await call(api.payments.list, { customer })).data.length, 2)
  } finally {
    await stop()
  }
})

test.run()
