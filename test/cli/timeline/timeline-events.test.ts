import { api } from '../../../src/api/api.ts'
import { readDeliveryResults, readTimeline } from '../../../src/cli/timeline/timeline-events.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { eventOf } from '../../tui/test-screen.ts'

const NEW_YEAR = 1704067200
const HOUR = 3600

const test = suite('cli/timeline-events')

let daemon: TestDaemon
/** Ids of the created objects, by type. */
let made: Readonly<Record<string, string>>

/** Opens a checkout session for a monthly subscription. */
function openCheckout(customer: string) {
  const items = [{ description: 'Rent', price_data: { amount: 100 } }]
  return daemon.call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', subscription_data: { interval: 'month', items } },
  })
}

test.before(async () => {
  daemon = await openDaemon()
  const { call } = daemon
  const clock = await call(api.testClocks.create, { frozen_time: NEW_YEAR })
  const customer = await call(api.customers.create, { email: 'ada@example.com', test_clock: clock.id })
  const session = await openCheckout(customer.id)
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

test('returns only the events of the object itself for a refund and for a card', async () => {
  assert.equal(await typesOf('refund'), REFUND)
  assert.equal(await typesOf('card'), ['payment_method.attached'])
})

test('includes all refunds, even failed refunds, in the timeline of a payment', async () => {
  assert.equal(await typesOf('payment'), CHARGE)
})

test('includes payments and their refunds in the timeline of an invoice', async () => {
  assert.equal(await typesOf('invoice'), [
    'invoice.created',
    'invoice.finalized',
    'payment.created',
    'payment.succeeded',
    'invoice.paid',
    ...CHARGE.slice(2),
  ])
})

test('the timelines of a subscription and of its session include all objects of the sale', async () => {
  assert.equal(await typesOf('subscription'), SALE)
  assert.equal(await typesOf('checkout'), SALE)
})

test('includes the charge attempts in the timeline of a payment session', async () => {
  const own = ['payment_session.created', 'payment.created', 'payment.succeeded', 'payment_session.completed']
  assert.equal(await typesOf('session'), own)
})

test('includes all objects of a customer in its timeline, and customers and advances in the timeline of a clock', async () => {
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

test('includes the invoice items of a subscription in the timelines of the subscription and of its customer', async () => {
  const { call, client } = daemon
  const customer = await call(api.customers.create, { email: 'items@example.com' })
  const session = await openCheckout(customer.id)
  const done = await call(api.checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  const subscription = String((done as { subscription?: unknown }).subscription)
  await call(api.invoiceItems.create, { subscription, description: 'Fee', unit_amount: 500 })
  for (const id of [subscription, customer.id]) {
    const { events } = await readTimeline(client, id)
    assert.is(events.at(-1)?.type, 'invoice_item.created')
  }
})

test('reads the events of a deleted clock, and throws for an unknown clock', async () => {
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

test('reads the timeline of the only customer with an email', async () => {
  const { client, call } = daemon
  const ofCustomer = await readTimeline(client, made['customer'] ?? '')
  assert.equal(await readTimeline(client, 'ada@example.com'), ofCustomer)
  await call(api.customers.create, { email: 'two@example.com' })
  const { id } = await call(api.customers.create, { email: 'two@example.com' })
  for (const [email, message, hint] of [
    [
      'two@example.com',
      'Several customers have',
      `newest customer: paycli timeline ${id}\nList them: paycli customers list --email two@example.com`,
    ],
    ['none@example.com', 'No customer has', /List them: paycli customers list$/],
  ] as const) {
    const error = await readTimeline(client, email).catch((thrown: unknown) => thrown)
    assert.match(String(error), `${message} the email '${email}'.`)
    assert.match(String(Reflect.get(Object(error), 'hint')), hint)
  }
})

const DELIVERIES: readonly (readonly [result: string, deliveries: readonly object[]])[] = [
  ['no delivery', []],
  ['pending', [{ status: 'pending' }]],
  ['delivered 200', [{ status: 'succeeded', http_status: 200 }]],
  ['failed 500', [{ status: 'pending' }, { status: 'failed', http_status: 500 }]],
  ['failed refused', [{ status: 'failed', http_status: null, error: 'refused' }]],
  [
    'delivered 204',
    [
      { status: 'succeeded', http_status: 204 },
      { status: 'failed', http_status: 500 },
    ],
  ],
  [
    'failed 500 and delivered 200',
    [
      { status: 'failed', http_status: 500 },
      { status: 'succeeded', http_status: 200, webhook_endpoint: 'we_2' },
    ],
  ],
  ['skipped', [{ status: 'skipped' }]],
]

for (const [result, deliveries] of DELIVERIES) {
  test(`describes the deliveries of an event as ${result}`, async () => {
    const timeline = [eventOf(1, { type: 'invoice.paid', object: { id: 'in_1', object: 'invoice' } })]
    const [{ id: event } = { id: '' }] = timeline
    const data = deliveries.map((one, at) => ({ id: `whd_${at}`, event, webhook_endpoint: 'we_1', ...one }))
    const others = [{ id: 'whd_other', event: 'evt_other', webhook_endpoint: 'we_1', status: 'pending' }]
    const send = async () => ({ data: [...data, ...others], has_more: false })
    assert.is((await readDeliveryResults({ ...daemon.client, send }, timeline))?.get(event), result)
  })
}

test('returns no delivery results if the server has no deliveries, with one request', async () => {
  const timeline = ['in_1', 'py_1'].map((id, at) =>
    eventOf(at, { type: 'invoice.paid', object: { id, object: 'invoice' } }),
  )
  let requests = 0
  const send = async () => ({ data: [], has_more: false, requests: ++requests })
  assert.is((await readDeliveryResults({ ...daemon.client, send }, timeline))?.size, 0)
  assert.is(requests, 1)
})

test('reads the deliveries of each object if the server has more than one page', async () => {
  const timeline = [eventOf(1, { type: 'invoice.paid', object: { id: 'in_1', object: 'invoice' } })]
  const event = timeline[0]?.id ?? ''
  const resultOf = async (hasMoreOfObject: boolean) => {
    const send = async (_: unknown, params: object) => {
      const isOfObject = Reflect.get(params, 'object_id') === 'in_1'
      const found = { event: isOfObject ? event : 'evt_other', status: 'succeeded', http_status: 200 }
      return { data: Array(100).fill(found), has_more: !isOfObject || hasMoreOfObject }
    }
    return readDeliveryResults({ ...daemon.client, send }, timeline)
  }
  assert.is((await resultOf(false))?.get(event), 'delivered 200')
  assert.is(await resultOf(true), null, 'too many deliveries')
})

test('throws for an unknown id, and for an object without a timeline', async () => {
  for (const id of ['cus_1', 'cks_1', 'py_sess_1', 'sub_1', 'in_1', 'py_1', 're_1', 'pm_1']) {
    assert.match(await readTimeline(daemon.client, id).then(String, String), `'${id}'`)
  }
  for (const id of ['', 'we_1', 'evt_1', 'nonsense']) {
    assert.match(
      await readTimeline(daemon.client, id).then(String, String),
      'not the id of an object that has a timeline',
    )
  }
})

test.run()
