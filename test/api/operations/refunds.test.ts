import { api } from '../../../src/api/index.ts'
import { subscribe } from '../../support/billing.ts'
import { createSandbox, refusal, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/refunds')

/** The largest payment there is: 20 items of the largest amount, each with 100 % tax. */
const LARGEST = 39_999_999_999_960

const wholeItem = { description: 'Rent', price_data: { amount: 999_999_999_999, tax_percent: 100 } }

async function paid(sandbox: Sandbox, items: readonly object[]): Promise<string> {
  await subscribe(sandbox, { items: items as never })
  const { data } = await sandbox.call(api.payments.list, { status: 'succeeded' })
  return data[0]?.id ?? ''
}

test('refunds any amount up to that of the largest payment', async () => {
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

test('says that an amount is larger than what is left, or than any payment, with amounts as numbers', async () => {
  const sandbox = createSandbox()
  // As digits, both the rest and what is asked for could be a Diners Club card number.
  const items = [
    ...Array(15).fill(wholeItem),
    { description: 'Rent', price_data: { amount: 569_309_025_934 } },
  ]
  const payment = await paid(sandbox, items)
  const left = 30_569_309_025_904
  assert.is((await sandbox.call(api.payments.retrieve, { id: payment })).amount, left)
  const more = await refusal(sandbox.call(api.refunds.create, { payment, amount: 38_520_000_023_237 }))
  assert.is(more.code, 'refund_amount_too_large')
  assert.is(more.param, 'amount')
  assert.is(
    more.message,
    `A refund of 385200000232.37 EUR is more than the 305693090259.04 EUR left of payment '${payment}'. Give 30569309025904 or less: an amount is in minor units.`,
  )
  const over = await refusal(sandbox.call(api.refunds.create, { payment, amount: 90_000_000_000_000 }))
  assert.equal([over.code, over.param], ['refund_amount_too_large', 'amount'])
  assert.is(over.message, `amount must be from 1 to ${LARGEST}, but 90000000000000 was given.`)
  assert.equal(over.errors, [{ code: over.code, param: over.param, message: over.message }])
  const none = await refusal(sandbox.call(api.refunds.create, { payment, amount: 0 }))
  assert.is(none.code, 'amount_too_small')
})

test('never repeats a card number that was sent as an amount', async () => {
  const sandbox = createSandbox()
  const sent = sandbox.call(api.refunds.create, { payment: 'py_1', amount: 4_242_424_242_424_242 })
  const { message, errors } = await refusal(sent)
  assert.is(message, `amount must be from 1 to ${LARGEST}, but [card number ending in 4242] was given.`)
  assert.is(errors[0]?.message, message)
})

test.run()
