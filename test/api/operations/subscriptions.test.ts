import { api } from '../../../src/api/api.ts'
import { invoiceIn, invoicesOf, type Order, subscribe, toNextPeriod } from '../../support/billing.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { newCheckout } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/subscriptions')

const PLAN = { description: 'Basic plan', price_data: { amount: 1000, tax_percent: 19 } }
/** The start of April 2024, which has 30 days, in Unix seconds. */
const APRIL = Date.UTC(2024, 3, 1) / 1000

testDomainErrors(test, {
  operation: api.subscriptions.update,
  prepare: async (sandbox) => {
    const { id, items } = await subscribe(sandbox)
    return { id, body: { items: [{ id: items[0]?.id, quantity: 2 }, { price_data: { amount: 1 } }] } }
  },
  table: `
  items = []                               parameter_invalid_array
  items[0] = {"id":"si_nobody"}            resource_missing         at items[0][id]
  items[0] = {"deleted":true}              parameter_missing        at items[0][id]
  items[0] = {"quantity":2}                parameter_missing        at items[0][price_data][amount]
  items[0][deleted] = true                 parameters_exclusive
  items[0][quantity] = -1                  parameter_invalid_integer
  items[0][quantity] = 1000000             parameter_invalid_integer
  items[0][description] = ""               parameter_invalid_string
  items[0][type] = "no label"              parameter_invalid_string
  items[0][price] = 1                      parameter_unknown
  items[1][price_data][amount] = -1        amount_too_small
  items[1][price_data][tax_percent] = 101  tax_percent_invalid
  items[1][price_data][currency] = "usd"   currency_mismatch
  interval = "hour"                        parameter_invalid_enum
  interval_count = 0                       interval_count_out_of_range
  interval_count = 37                      interval_count_out_of_range
  billing_cycle_anchor = "later"           parameter_invalid_enum
  proration_behavior = "always"            parameter_invalid_enum
  proration_date = ${START - 1}            proration_date_out_of_range
  proration_date = ${START + 1}            proration_date_out_of_range
  payment_behavior = "pending"             parameter_invalid_enum
`,
})

/** Subscribes on April 1 and advances to April 16. */
async function subscribeInApril(sandbox: Sandbox, terms: object = {}) {
  await sandbox.moveTo(APRIL)
  const subscription = await subscribe(sandbox, { items: [PLAN], ...terms })
  await sandbox.advance(15 * DAY)
  return { ...subscription, item: subscription.items[0]?.id ?? '' }
}

const upgrade = (item: string, amount = 2000) => ({ items: [{ id: item, price_data: { amount } }] })

test('an upgrade from 10.00 to 20.00 EUR in the middle of April costs 5.95 EUR with 19 % tax', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeInApril(sandbox)
  await sandbox.call(api.subscriptions.update, { id, ...upgrade(item), proration_behavior: 'always_invoice' })
  const [, invoice] = await invoicesOf(sandbox, id)
  assert.equal(
    invoice?.lines.map(({ amount, tax_amount, total }) => [amount, tax_amount, total]),
    [
      [-500, -95, -595],
      [1000, 190, 1190],
    ],
  )
  assert.equal(
    [invoice?.total, invoice?.status, invoice?.billing_reason],
    [595, 'paid', 'subscription_update'],
  )
})

test('an upgrade that is reverted at the same time leaves the next invoice unchanged', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeInApril(sandbox)
  await sandbox.call(api.subscriptions.update, { id, ...upgrade(item) })
  await sandbox.call(api.subscriptions.update, { id, ...upgrade(item, 1000) })
  const { lines, total } = await sandbox.call(api.subscriptions.preview, { id })
  assert.equal(
    lines.map(({ amount }) => amount),
    [-500, 1000, -1000, 500, 1000],
  )
  assert.is(total, 1190)
})

test('credits nothing for a void invoice', async () => {
  const sandbox = createSandbox({ dunning: { retry_days: [], on_exhausted: 'unpaid' } })
  const { id, item } = await subscribeInApril(sandbox, { card: 'renewal_no_funds' })
  await sandbox.advance(30 * DAY)
  const { id: failed } = await invoiceIn(sandbox, id, ['open'])
  const { lines } = await sandbox.call(api.subscriptions.preview, { id, ...upgrade(item) })
  assert.equal(lines.filter(({ proration }) => proration).length, 2, 'the open invoice counts')
  await sandbox.call(api.invoices.void, { id: failed })
  const { lines: charges } = await sandbox.call(api.subscriptions.preview, { id, ...upgrade(item) })
  assert.equal(
    charges.filter(({ proration }) => proration).map(({ unit_amount }) => unit_amount),
    [2000],
  )
})

test('a change of an unpaid subscription credits its draft invoice, which can still be collected', async () => {
  const sandbox = createSandbox({ dunning: { retry_days: [], on_exhausted: 'unpaid' } })
  const { id, item } = await subscribeInApril(sandbox, { card: 'renewal_no_funds', interval: 'week' })
  await sandbox.advance(7 * DAY)
  assert.is((await sandbox.call(api.subscriptions.retrieve, { id })).status, 'unpaid')
  await sandbox.call(api.subscriptions.update, { id, ...upgrade(item), proration_behavior: 'always_invoice' })
  const { data } = await sandbox.call(api.invoiceItems.list, { subscription: id })
  assert.equal(
    data.map(({ unit_amount, invoice }) => [unit_amount, invoice]),
    [
      [2000, null],
      [-1000, null],
    ],
  )
})

test('error_if_incomplete returns the decline and changes nothing', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeInApril(sandbox, { card: 'renewal_no_funds' })
  const before = JSON.stringify(await sandbox.snapshot())
  const strict = { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' } as const
  const error = await catchDomainError(
    sandbox.call(api.subscriptions.update, { id, ...upgrade(item), ...strict }),
  )
  assert.is(error.code, 'card_declined')
  assert.match(error.message, /The subscription was not changed\.$/)
  assert.is(JSON.stringify(await sandbox.snapshot()), before)
})

test('a preview returns invoice_upcoming_none for every subscription without a next invoice', async () => {
  const sandbox = createSandbox()
  const trial_settings = { missing_payment_method: 'pause' } as const
  const { id: session } = await newCheckout(
    sandbox,
    { trial_days: 1, trial_settings },
    { payment_method_collection: 'if_required' },
  )
  const trial = await sandbox.call(api.checkoutSessions.complete, { id: session })
  const paused = trial.object === 'checkout_session' ? (trial.subscription ?? '') : ''
  await sandbox.advance(2 * DAY)
  const { id: canceled } = await subscribe(sandbox)
  await sandbox.call(api.subscriptions.cancel, { id: canceled })
  const ids = [paused, canceled]
  const start_date = sandbox.now() + DAY
  for (const terms of [{}, { trial_days: 3 }, { start_date }]) {
    const { id } = await subscribe(sandbox, terms)
    await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
    ids.push(id)
  }
  for (const id of ids) {
    const error = await catchDomainError(sandbox.call(api.subscriptions.preview, { id }))
    assert.is(error.code, 'invoice_upcoming_none', id)
  }
  const change = { id: canceled, interval: 'year' } as const
  const { code, message } = await catchDomainError(sandbox.call(api.subscriptions.preview, change))
  assert.equal([code, message.includes('its status is canceled')], ['invoice_upcoming_none', true])
})

test('charges the card that the same update sets', async () => {
  const sandbox = createSandbox()
  const { id, item, customer } = await subscribeInApril(sandbox, { card: 'renewal_no_funds' })
  const { default_payment_method: visa } = await subscribe(sandbox, { customer, items: [PLAN] })
  const now = { proration_behavior: 'always_invoice' } as const
  await sandbox.call(api.subscriptions.update, { id, ...upgrade(item), ...now, default_payment_method: visa })
  assert.is((await invoicesOf(sandbox, id)).at(-1)?.status, 'paid')
})

test('a cancellation with proration but without an invoice deletes the credit', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribeInApril(sandbox)
  await sandbox.call(api.subscriptions.cancel, { id, prorate: true })
  assert.equal((await sandbox.call(api.invoiceItems.list, { subscription: id })).data, [])
  const { data } = await sandbox.call(api.events.list, { type: 'invoice_item.deleted' })
  const [deleted] = data.map(({ data: { object } }) => object)
  assert.is(deleted !== undefined && 'total' in deleted && deleted.total, -595)
})

test('a declined final invoice of a canceled subscription is not retried', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribeInApril(sandbox, { card: 'renewal_no_funds' })
  await sandbox.call(api.invoiceItems.create, { subscription: id, description: 'Fee', unit_amount: 500 })
  const canceled = await sandbox.call(api.subscriptions.cancel, { id, invoice_now: true })
  const invoice = await invoiceIn(sandbox, id, ['open'])
  assert.equal([canceled.status, canceled.latest_invoice], ['canceled', invoice.id])
  assert.equal([invoice.total, invoice.attempt_count, invoice.next_payment_attempt], [500, 1, null])
})

test('a preview without a change contains the next renewal invoice and its date', async () => {
  const sandbox = createSandbox()
  const { id, current_period_end } = await subscribeInApril(sandbox)
  const preview = await sandbox.call(api.subscriptions.preview, { id })
  assert.equal(
    [preview.invoice_date, preview.proration_date, preview.billing_reason, preview.amount_due],
    [current_period_end, APRIL + 15 * DAY, 'subscription_cycle', 1190],
  )
})

test('rejects a preview with payment_behavior, because a preview charges nothing', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeInApril(sandbox)
  const body = { ...upgrade(item), payment_behavior: 'error_if_incomplete' }
  const { code, param } = await catchDomainError(sandbox.send(api.subscriptions.preview, { id, body }))
  assert.equal([code, param], ['parameter_unknown', 'payment_behavior'])
})

test('the preview line of a new item has no subscription_item', async () => {
  const sandbox = createSandbox()
  const { id, item } = await subscribeInApril(sandbox)
  const { lines } = await sandbox.call(api.subscriptions.preview, { id, items: [PLAN] })
  assert.equal(
    lines.map(({ subscription_item }) => subscription_item),
    [null, item, null],
  )
})

test('a preview of a pending subscription is its first invoice', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox, { items: [PLAN], start_date: START + DAY })
  const preview = await sandbox.call(api.subscriptions.preview, { id, interval: 'year' })
  assert.equal(
    [preview.invoice_date, preview.billing_reason, preview.period_end],
    [START + DAY, 'subscription_create', START + 367 * DAY],
  )
})

/** Columns: end of the subscription, terms of the subscription, pattern of the error of its preview. */
const ENDING: readonly (readonly [string, Order, RegExp])[] = [
  ['its period', {}, /ends with its current period/],
  ['a period that is past due', { card: 'renewal_no_funds' }, /ends with its current period/],
  ['its trial', { trial_days: 7 }, /ends with its trial/],
  ['its start date', { start_date: START + 40 * DAY }, /ends at its start date/],
]

for (const [name, order, reason] of ENDING) {
  test(`a subscription that ends with ${name} has no preview`, async () => {
    const sandbox = createSandbox()
    const { id } = await subscribe(sandbox, order)
    if (order.card) await toNextPeriod(sandbox, id)
    await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
    const error = await catchDomainError(sandbox.call(api.subscriptions.preview, { id }))
    assert.is(error.code, 'invoice_upcoming_none')
    assert.match(error.message, reason)
  })
}

test('a trial that is canceled or paused without a card has no preview', async () => {
  const sandbox = createSandbox()
  for (const missing_payment_method of ['cancel', 'pause'] as const) {
    const { id, default_payment_method } = await subscribe(sandbox, {
      trial_days: 7,
      trial_settings: { missing_payment_method },
    })
    await sandbox.call(api.paymentMethods.detach, { id: default_payment_method ?? '' })
    const error = await catchDomainError(sandbox.call(api.subscriptions.preview, { id }))
    assert.match(error.message, /no card to charge when its trial ends/)
  }
})

test.run()
