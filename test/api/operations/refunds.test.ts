import { api } from '../../../src/api/api.ts'
import { subscribe } from '../../support/billing.ts'
import { catchDomainError, createSandbox, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/refunds')

/** The largest possible payment: 20 items of the maximum amount, each with 100 % tax. */
const LARGEST = 39_999_999_999_960

const wholeItem = { description: 'Rent', price_data: { amount: 999_999_999_999, tax_percent: 100 } }

async function paid(sandbox: Sandbox, items: readonly object[]): Promise<string> {
  await subscribe(sandbox, { items: items as never })
  const { data } = await sandbox.call(api.payments.list, { status: 'succeeded' })
  return data[0]?.id ?? ''
}

test('refunds any amount up to the total of the largest possible payment', async () => {
  const sandbox = createSandbox()
  const payment = await paid(sandbox, Array(20).fill(wholeItem))
  const { amount } = await sandbox.call(api.payments.retrieve, { id: payment })
  assert.is(amount, LARGEST)
  const part = await sandbox.call(api.refunds.create, { payment, amount: 1_000_000_000_000 })
  assert.is(part.amount, 1_000_000_000_000)
  const rest = await sandbox.call(api.refunds.create, { payment, amount: LARGEST - part.amount })
  assert.is(rest.amount, LARGEST - 1_000_000_000_000)
  assert.ok((await sandbox.call(api.payments.retrieve, { id: payment })).refunded)
})

test('the error for a refund above the remaining amount, or above any payment, contains unmasked amounts', async () => {
  const sandbox = createSandbox()
  // Both the remaining amount and the requested refund look like a Diners Club card number.
  const items = [
    ...Array(15).fill(wholeItem),
    { description: 'Rent', price_data: { amount: 569_309_025_934 } },
  ]
  const payment = await paid(sandbox, items)
  const left = 30_569_309_025_904
  assert.is((await sandbox.call(api.payments.retrieve, { id: payment })).amount, left)
  const more = await catchDomainError(
    sandbox.call(api.refunds.create, { payment, amount: 38_520_000_023_237 }),
  )
  assert.is(more.code, 'refund_amount_too_large')
  assert.is(more.param, 'amount')
  assert.is(
    more.message,
    `Refund of 385200000232.37 EUR exceeds the remaining 305693090259.04 EUR of payment '${payment}'. Use at most 30569309025904, in minor units.`,
  )
  const over = await catchDomainError(
    sandbox.call(api.refunds.create, { payment, amount: 90_000_000_000_000 }),
  )
  assert.equal([over.code, over.param], ['refund_amount_too_large', 'amount'])
  assert.is(over.message, `amount must be from 1 to ${LARGEST}, but 90000000000000 was given.`)
  assert.equal(over.errors, [{ code: over.code, param: over.param, message: over.message }])
  const none = await catchDomainError(sandbox.call(api.refunds.create, { payment, amount: 0 }))
  assert.is(none.code, 'amount_too_small')
})

test('masks a card number that was sent as a refund amount', async () => {
  const sandbox = createSandbox()
  const sent = sandbox.call(api.refunds.create, { payment: 'py_1', amount: 4_242_424_242_424_242 })
  const { message, errors } = await catchDomainError(sent)
  assert.is(message, `amount must be from 1 to ${LARGEST}, but [card number ending in 4242] was given.`)
  assert.is(errors[0]?.message, message)
})

test.run()
