import { api } from '../../src/api/api.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, saveCard, subscribe, toNextPeriod } from '../support/billing.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/trials')

const END = START + 14 * DAY

function retrieve(sandbox: Sandbox, id: string): Promise<Subscription> {
  return sandbox.call(api.subscriptions.retrieve, { id })
}

test('the first invoice of a trial has its items with amounts of 0, and the session keeps the price', async () => {
  const sandbox = createSandbox()
  const subscription = await subscribe(sandbox, { trial_days: 14 })
  const [invoice] = await invoicesOf(sandbox, subscription.id)
  assert.equal([invoice?.status, invoice?.total, invoice?.tax, invoice?.amount_paid], ['paid', 0, 0, 0])
  assert.equal([invoice?.billing_reason, invoice?.number], ['subscription_create', 'INV-000001'])
  assert.equal([invoice?.period_start, invoice?.period_end], [START, END])
  assert.equal(
    invoice?.lines.map(({ description, amount, tax_amount, period }) => ({
      description,
      amount,
      tax_amount,
      period,
    })),
    [{ description: 'Monthly rent', amount: 0, tax_amount: 0, period: { start: START, end: END } }],
  )
  const id = subscription.checkout_session
  const session = await sandbox.call(api.checkoutSessions.retrieve, { id })
  assert.equal([session.payment_status, session.amount_total], ['no_payment_required', 120_000])
  assert.equal([session.invoice, session.payment], [invoice?.id, null])
})

test('a trial that ends with a declined charge recovers with another card and then renews', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox, { trial_days: 14, card: 'renewal_no_funds' })
  await sandbox.moveTo(END)
  assert.is((await retrieve(sandbox, id)).status, 'past_due')
  const card = await saveCard(sandbox, customer, 'visa')
  await sandbox.call(api.subscriptions.update, { id, default_payment_method: card.id })
  await sandbox.advance(3 * DAY)
  assert.is((await retrieve(sandbox, id)).status, 'active')
  await toNextPeriod(sandbox, id)
  const invoices = await invoicesOf(sandbox, id)
  assert.equal(
    invoices.map(({ status, total, billing_reason }) => `${status} ${total} ${billing_reason}`),
    ['paid 0 subscription_create', 'paid 120000 subscription_cycle', 'paid 120000 subscription_cycle'],
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

for (const [name, isPaused] of [
  ['a trial', false],
  ['a subscription that is paused after its trial', true],
] as const) {
  test(`the cancellation of ${name} can invoice its pending items`, async () => {
    const sandbox = createSandbox()
    const trial_settings = { missing_payment_method: 'pause' } as const
    const { id, default_payment_method } = await subscribe(sandbox, { trial_days: 14, trial_settings })
    await sandbox.call(api.invoiceItems.create, { subscription: id, description: 'Setup', unit_amount: 300 })
    if (isPaused) {
      await sandbox.call(api.paymentMethods.detach, { id: default_payment_method ?? '' })
      await sandbox.moveTo(END)
    }
    await sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now: true })
    const invoices = await invoicesOf(sandbox, id)
    assert.equal(
      invoices.map(({ status, total }) => `${status} ${total}`),
      ['paid 0', isPaused ? 'open 300' : 'paid 300'],
    )
    assert.equal(checkInvariants(await sandbox.snapshot()), [])
  })
}

test('an update that ends the trial charges the card of the same update', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await subscribe(sandbox, { trial_days: 14, card: 'renewal_no_funds' })
  const card = await saveCard(sandbox, customer, 'visa')
  const ended = await sandbox.call(api.subscriptions.update, {
    id,
    trial_end: 'now',
    default_payment_method: card.id,
  })
  assert.equal([ended.status, ended.default_payment_method], ['active', card.id])
  const types = (await sandbox.events()).slice(-7).map(({ type }) => type)
  assert.equal(types.slice(0, 2), ['subscription.updated', 'subscription.started'])
  assert.is(types.at(-1), 'invoice.paid')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('an advance over a whole trial causes its events at their scheduled times', async () => {
  const sandbox = createSandbox()
  const { id: clock } = await sandbox.call(api.testClocks.create, { frozen_time: START })
  const customer = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock: clock })
  const { id } = await subscribe(sandbox, { customer: customer.id, trial_days: 14 })
  await sandbox.call(api.testClocks.advance, { id: clock, by: { interval: 'month', count: 2 } })
  const events = (await sandbox.events()).filter(({ data }) => data.object.id === id)
  assert.equal(
    events.map(({ type, created }) => `${type} ${(created - START) / DAY}`),
    [
      'subscription.created 0',
      'subscription.trial_will_end 11',
      'subscription.started 14',
      'subscription.renewed 45',
    ],
  )
})

test('a session that is completed after the end of its trial creates no trial', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await sandbox.call(api.customers.create, { email: 'ada@example.com' })
  const { id } = await sandbox.call(api.checkoutSessions.create, {
    customer,
    currency: 'eur',
    payment_method_collection: 'if_required',
    subscription_data: {
      interval: 'month',
      trial_end: START + 3600,
      trial_settings: { missing_payment_method: 'pause' },
      items: [{ description: 'Rent', price_data: { amount: 1000 } }],
    },
  })
  await sandbox.moveTo(START + 3600)
  const { code } = await catchDomainError(sandbox.call(api.checkoutSessions.complete, { id }))
  assert.is(code, 'card_number_missing')
  const done = await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  assert.is(done.payment_status, 'paid')
  const { subscription } = await sandbox.call(api.checkoutSessions.retrieve, { id })
  const { status, trial_start, trial_end, trial_settings } = await retrieve(sandbox, subscription ?? '')
  assert.equal([status, trial_start, trial_end, trial_settings], ['active', null, null, null])
})

test('pausing collection applies to the first invoice after a trial', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox, { trial_days: 14 })
  await sandbox.call(api.subscriptions.update, { id, pause_collection: { behavior: 'keep_as_draft' } })
  await sandbox.moveTo(END)
  const invoices = await invoicesOf(sandbox, id)
  assert.equal(
    invoices.map(({ status, total }) => `${status} ${total}`),
    ['paid 0', 'draft 120000'],
  )
  assert.is((await retrieve(sandbox, id)).status, 'active')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test.run()
