import { api } from '../../../src/api/api.ts'
import type { Statistics } from '../../../src/domain/reports/statistics.ts'
import { deleteExpiredRecords } from '../../../src/engine/retention.ts'
import { newCustomerWithCard, saveCard, subscribe } from '../../support/billing.ts'
import { advanceClockTo, createClock, newCustomerOnClock } from '../../support/clocks.ts'
import { subscribeOnClock } from '../../support/payment-faults.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/statistics')

function today({ data }: Statistics) {
  return data.at(-1)?.currencies
}

async function charge(sandbox: Sandbox, customer: string, amount: number, currency = 'eur') {
  return sandbox.call(api.payments.create, { customer, amount, currency })
}

test('counts and adds up payments and refunds by day, currency and outcome', async () => {
  const sandbox = createSandbox()
  const { customer } = await newCustomerWithCard(sandbox)
  const { customer: declined } = await newCustomerWithCard(sandbox, 'decline_after_attach')
  await charge(sandbox, customer, 100)
  await sandbox.moveTo(START + DAY)
  const payment = await charge(sandbox, customer, 200)
  await charge(sandbox, customer, 50)
  await charge(sandbox, customer, 7, 'usd')
  await catchDomainError(charge(sandbox, declined, 900))
  await sandbox.call(api.refunds.create, { payment: payment.id, amount: 30 })
  await dispute(sandbox, payment.id, [40, 50, 60])
  const statistics = await sandbox.call(api.statistics.retrieve, {})
  const none = { count: 0, amount: 0 }
  const payments = {
    ...{ succeeded: none, failed: none, requires_action: none, requires_capture: none },
    ...{ processing: none, canceled: none },
  }
  const refunds = { succeeded: none, pending: none, failed: none }
  const disputes = { open: none, won: none, lost: none }
  assert.is(statistics.data.length, 30)
  assert.equal(today(statistics), [
    {
      currency: 'eur',
      payments: { ...payments, succeeded: { count: 2, amount: 250 }, failed: { count: 1, amount: 900 } },
      refunds: { ...refunds, succeeded: { count: 1, amount: 30 } },
      disputes: { open: { count: 1, amount: 50 }, won: none, lost: { count: 1, amount: 40 } },
    },
    { currency: 'usd', payments: { ...payments, succeeded: { count: 1, amount: 7 } }, refunds, disputes },
  ])
  assert.equal(statistics.data.at(-2)?.currencies, [
    { currency: 'eur', payments: { ...payments, succeeded: { count: 1, amount: 100 } }, refunds, disputes },
  ])
  assert.equal(statistics.data.at(-3)?.currencies, [])
  const monthly = await sandbox.call(api.statistics.retrieve, { interval: 'month' })
  assert.equal(
    [monthly.data.length, today(monthly)?.[0]?.payments.succeeded],
    [12, { count: 3, amount: 350 }],
  )
})

/** Disputes a payment with three amounts: the first dispute is lost, and the last dispute is an inquiry. */
async function dispute(sandbox: Sandbox, id: string, amounts: readonly number[]): Promise<void> {
  const opened = []
  for (const [at, amount] of amounts.entries()) {
    const params = { id, amount, reason: 'general', inquiry: at === 2 } as const
    opened.push(await sandbox.call(api.payments.dispute, params))
  }
  await sandbox.call(api.disputes.close, { id: opened[0]?.id ?? '' })
}

test('statistics contain only the objects on the requested test clock, or only objects in real time', async () => {
  const sandbox = createSandbox()
  const { clock, customer } = await newCustomerOnClock(sandbox, START - 100 * DAY)
  const items = [{ price_data: { amount: 1200, tax_percent: 20 }, description: 'Plan' }]
  await subscribe(sandbox, { customer, items, interval: 'year' })
  const real = await sandbox.call(api.statistics.retrieve, {})
  assert.equal([real.test_clock, today(real), real.recurring_revenue], [null, [], []])
  const clocked = await sandbox.call(api.statistics.retrieve, { test_clock: clock })
  assert.equal([clocked.test_clock, clocked.end], [clock, Date.UTC(2023, 9, 8) / 1000])
  assert.equal(today(clocked)?.[0]?.payments.succeeded, { count: 1, amount: 1440 })
  assert.equal(clocked.recurring_revenue, [{ currency: 'eur', amount: 100, subscriptions: 1 }])
  assert.is(clocked.subscriptions.active, 1)
})

test('recurring revenue includes past due subscriptions, but not trials and canceled subscriptions', async () => {
  const sandbox = createSandbox()
  const items = [{ price_data: { amount: 1000 }, description: 'Plan' }]
  await subscribe(sandbox, { items, card: 'renewal_no_funds', interval: 'month' })
  await subscribe(sandbox, { items, trial_days: 90 })
  const { id } = await subscribe(sandbox, { items })
  await sandbox.call(api.subscriptions.cancel, { id })
  await sandbox.moveTo(START + 31 * DAY)
  const { subscriptions, recurring_revenue } = await sandbox.call(api.statistics.retrieve, {})
  const counts = { pending: 0, trialing: 1, active: 0, past_due: 1, unpaid: 0, paused: 0, canceled: 1 }
  assert.equal(subscriptions, counts)
  assert.equal(recurring_revenue, [{ currency: 'eur', amount: 1000, subscriptions: 1 }])
})

test('the history of recurring revenue includes subscriptions whose events are deleted', async () => {
  const sandbox = createSandbox()
  await subscribe(sandbox)
  const changed = await subscribe(sandbox)
  await sandbox.moveTo(START + 2 * DAY)
  await deleteExpiredRecords(sandbox.runtime, { maxAgeSeconds: 1e9, maxEvents: 0 })
  await sandbox.call(api.subscriptions.cancel, { id: changed.id })
  const { recurring_revenue, history } = await sandbox.call(api.statistics.retrieve, { history: true })
  const counts = history?.slice(-4).map((one) => one.recurring_revenue[0]?.subscriptions)
  assert.equal(counts, [undefined, 2, 2, 1])
  assert.equal(history?.at(-1)?.recurring_revenue, recurring_revenue)
})

test('the dunning funnel counts invoices by their number of charge attempts', async () => {
  const sandbox = createSandbox()
  const { clock, customer, renewal } = await subscribeOnClock(sandbox, 'renewal_no_funds')
  const dunning = async () => (await sandbox.call(api.statistics.retrieve, { test_clock: clock })).dunning
  assert.equal(await dunning(), [])
  await advanceClockTo(sandbox, clock, renewal)
  assert.equal(await dunning(), [{ attempt: 1, reached: 1, recovered: 0, open: 1, lost: 0 }])
  await advanceClockTo(sandbox, clock, renewal + 3 * DAY)
  const [invoice] = (await sandbox.call(api.invoices.list, { customer, status: 'open' })).data
  const visa = await saveCard(sandbox, customer, 'visa')
  await sandbox.call(api.invoices.pay, { id: invoice?.id ?? '', payment_method: visa.id })
  assert.equal(await dunning(), [
    { attempt: 1, reached: 1, recovered: 0, open: 0, lost: 0 },
    { attempt: 2, reached: 1, recovered: 1, open: 0, lost: 0 },
  ])
})

test('counts an invoice as lost after its last retry failed', async () => {
  const sandbox = createSandbox()
  const { clock, renewal } = await subscribeOnClock(sandbox, 'renewal_no_funds')
  await advanceClockTo(sandbox, clock, renewal + 15 * DAY)
  const { dunning } = await sandbox.call(api.statistics.retrieve, { test_clock: clock })
  assert.equal(
    dunning.map(({ reached, lost }) => [reached, lost]),
    [
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ],
  )
})

test('rejects unknown and deleted clocks, unknown intervals and time ranges that are too long', async () => {
  const sandbox = createSandbox()
  const { id } = await createClock(sandbox)
  await sandbox.call(api.testClocks.delete, { id })
  const errorOf = async (params: object) => {
    const error = await catchDomainError(sandbox.call(api.statistics.retrieve, params))
    return [error.code, error.param]
  }
  assert.equal(await errorOf({ test_clock: id }), ['resource_missing', 'test_clock'])
  assert.equal(await errorOf({ test_clock: 'clock_nobody' }), ['resource_missing', 'test_clock'])
  assert.equal(await errorOf({ interval: 'hour' }), ['parameter_invalid_enum', 'interval'])
  assert.equal(await errorOf({ start: START - 401 * DAY }), ['timestamp_invalid', 'start'])
  assert.equal(await errorOf({ end: START * 1000 }), ['timestamp_invalid', 'end'])
})

test('rejects a sum that is not a safe integer', async () => {
  const sandbox = createSandbox()
  const price_data = { amount: 999_999_999_999 }
  const items = Array.from({ length: 20 }, () => ({ price_data, description: 'Plan' }))
  for (let number = 1; number <= 16; number += 1) await subscribe(sandbox, { items, interval: 'day' })
  const error = await catchDomainError(sandbox.call(api.statistics.retrieve, {}))
  assert.equal([error.code, error.param], ['amount_too_large', null])
})

test.run()
