import { api } from '../../../src/api/index.ts'
import { readTimeline } from '../../../src/cli/timeline/timeline-events.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'

const NEW_YEAR = 1704067200
const HOUR = 3600

const test = suite('cli/timeline-events')

let daemon: TestDaemon
/** Ids of what was made, by what it is. */
let made: Readonly<Record<string, string>>

test.before(async () => {
  daemon = await openDaemon()
  const { call } = daemon
  const clock = await call(api.testClocks.create, { frozen_time: NEW_YEAR })
  const customer = await call(api.customers.create, { email: 'ada@example.com', test_clock: clock.id })
  const session = await call(api.checkoutSessions.create, {
    customer: customer.id,
    currency: 'eur',
    subscription_data: { interval: 'month', items: [{ description: 'Rent', price_data: { amount: 100 } }] },
  })
  await call(api.checkoutSessions.complete, { id: session.id, test_card: 'declined' }).catch(() => null)
  const done = await call(api.checkoutSessions.complete, { id: session.id, test_card: 'refund_fails' })
  const { subscription, invoice, payment, payment_method } = done as Extract<
    typeof done,
    { subscription: unknown }
  >
  const refund = await call(api.refunds.create, { payment: String(payment) })
  await call(api.testClocks.advance, { id: clock.id, by: { interval: 'hour', count: 2 } })
  const paid = await call(api.paymentSessions.create, {
    customer: customer.id,
    amount: 100,
    currency: 'eur',
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  await call(api.paymentSessions.complete, { id: paid.id, test_card: 'visa' })
  await call(api.customers.create, { email: 'somebody@example.com', test_clock: clock.id })
  made = {
    clock: clock.id,
    customer: customer.id,
    checkout: session.id,
    subscription: String(subscription),
    invoice: String(invoice),
    payment: String(payment),
    card: String(payment_method),
    refund: refund.id,
    session: paid.id,
  }
})

test.after(() => daemon?.stop())

async function typesOf(what: string): Promise<string[]> {
  const { events, isWhole } = await readTimeline(daemon.client, made[what] ?? '')
  assert.ok(isWhole)
  const sequence = events.map((event) => event.sequence)
  assert.equal(
    sequence,
    [...new Set(sequence)].sort((a, b) => a - b),
    'in order, and each once',
  )
  return events.map(({ type }) => type)
}

const REFUND = ['refund.created', 'refund.failed']
const CHARGE = [
  'payment.created',
  'payment.succeeded',
  'refund.created',
  'payment.refunded',
  'refund.failed',
  'payment.updated',
]
const SALE = [
  'checkout_session.created',
  'payment.created',
  'payment.failed',
  'payment_method.attached',
  'subscription.created',
  'invoice.created',
  'invoice.finalized',
  'payment.created',
  'payment.succeeded',
  'invoice.paid',
  'checkout_session.completed',
  'refund.created',
  'payment.refunded',
  'refund.failed',
  'payment.updated',
]

test('a refund and a card stand alone', async () => {
  assert.equal(await typesOf('refund'), REFUND)
  assert.equal(await typesOf('card'), ['payment_method.attached'])
})

test('a payment has its refunds, also one that failed', async () => {
  assert.equal(await typesOf('payment'), CHARGE)
})

test('an invoice has its payments and their refunds', async () => {
  assert.equal(await typesOf('invoice'), [
    'invoice.created',
    'invoice.finalized',
    'payment.created',
    'payment.succeeded',
    'invoice.paid',
    ...CHARGE.slice(2),
  ])
})

test('a subscription and its session have the whole sale', async () => {
  assert.equal(await typesOf('subscription'), SALE)
  assert.equal(await typesOf('checkout'), SALE)
})

test('a payment session has its attempts', async () => {
  const own = ['payment_session.created', 'payment.created', 'payment.succeeded', 'payment_session.completed']
  assert.equal(await typesOf('session'), own)
})

test('a customer has all of it, and a clock all customers and its own moves', async () => {
  const customer = await typesOf('customer')
  assert.is(customer[0], 'customer.created')
  assert.is(customer.at(-1), 'payment_session.completed')
  assert.is(customer.filter((type) => !SALE.includes(type)).length, 4)
  const clock = await typesOf('clock')
  assert.equal([clock[0], clock.at(-1)], ['test_clock.created', 'customer.created'])
  const moves = clock.filter((type) => type.startsWith('test_clock.'))
  assert.equal(moves, ['test_clock.created', 'test_clock.advancing', 'test_clock.ready'])
  assert.is(clock.length, customer.length + moves.length + 1)
})

test('of a deleted clock all can still be told, and of none nothing', async () => {
  const { client, call } = daemon
  const { id } = await call(api.testClocks.create, { frozen_time: NEW_YEAR + HOUR })
  await call(api.testClocks.delete, { id })
  const { events } = await readTimeline(client, id)
  assert.equal(
    events.map(({ type }) => type),
    ['test_clock.created', 'test_clock.deleting', 'test_clock.deleted'],
  )
  const none = await readTimeline(client, 'clock_none').catch(String)
  assert.match(String(none), 'clock_none')
})

test('what is not there is refused by the service, and what has no history at once', async () => {
  for (const id of ['cus_1', 'cks_1', 'py_sess_1', 'sub_1', 'in_1', 'py_1', 're_1', 'pm_1']) {
    assert.match(await readTimeline(daemon.client, id).then(String, String), `'${id}'`)
  }
  for (const id of ['', 'we_1', 'evt_1', 'nonsense']) {
    assert.match(
      await readTimeline(daemon.client, id).then(String, String),
      'the id of nothing that has a timeline',
    )
  }
})

test.run()
