import { api } from '../../src/api/api.ts'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { invoicesOf, saveCard, subscribe } from '../support/billing.ts'
import { advanceClockTo, newCustomerOnClock } from '../support/clocks.ts'
import { createSandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/billed-amounts')

const unix = (...date: [year: number, month: number, day?: number, hour?: number]) => Date.UTC(...date) / 1000

test('bills a subscription anchored on 31 January on the last day of every month for ten years', async () => {
  const sandbox = createSandbox()
  const anchor = unix(2024, 0, 31, 10)
  const { clock, customer } = await newCustomerOnClock(sandbox, anchor)
  const { id } = await subscribe(sandbox, { customer })
  const { id: card } = await saveCard(sandbox, customer, 'visa')
  await sandbox.call(api.subscriptions.update, { id, default_payment_method: card })
  await advanceClockTo(sandbox, clock, unix(2033, 11, 31, 10))
  const { data } = await sandbox.call(api.invoices.list, { subscription: id, limit: 100 })
  const rest = await sandbox.call(api.invoices.list, {
    subscription: id,
    limit: 100,
    starting_after: data.at(-1)?.id ?? '',
  })
  const starts = [...data, ...rest.data].map(({ period_start }) => period_start).reverse()
  // Day 0 of a month is the last day of the previous month.
  assert.equal(
    starts,
    Array.from({ length: 120 }, (_, month) => unix(2024, month + 1, 0, 10)),
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

/** Columns: currency, items as `amount@tax`, at most twenty, subtotal + tax = total, taxes by rate. */
const INVOICES = `
  eur  999@20 1@50                 1000 + 201 = 1201          20:200 50:1
  jpy  1250@10                     1250 + 125 = 1375          10:125
  jpy  1@33.3333 1@50 1@49.9999    3 + 1 = 4                  33.3333:0 50:1 49.9999:0
  kwd  1250@5 333@5.5              1583 + 81 = 1664           5:63 5.5:18
  kwd  999999999999@100            999999999999 + 999999999999 = 1999999999998  100:999999999999
  eur  9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50 9@50  180 + 100 = 280  50:100
  eur  0@20 100@0                  100 + 0 = 100              20:0 0:0
`

function formatAmounts(invoice: Pick<Invoice, 'subtotal' | 'tax' | 'total' | 'taxes'>): string {
  const { subtotal, tax, total, taxes } = invoice
  const rates = taxes.map((rate) => `${rate.tax_percent}:${rate.amount}`)
  return [`${subtotal} + ${tax} = ${total}`, ...rates].join(' ')
}

async function billItems(currency: string, prices: readonly (readonly [amount: number, tax: number])[]) {
  const sandbox = createSandbox()
  const items = prices.map(([amount, tax_percent], at) => ({
    description: `Item ${at + 1}`,
    price_data: { amount, tax_percent },
  }))
  const { id } = await subscribe(sandbox, { currency, items })
  const [invoice] = await invoicesOf(sandbox, id)
  if (invoice === undefined) throw new Error('nothing was billed')
  const { data } = await sandbox.call(api.payments.list, { invoice: invoice.id })
  assert.equal(
    data.map(({ amount, status }) => [amount, status]),
    [[invoice.total, 'succeeded']],
  )
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
  return invoice
}

for (const line of INVOICES.trim().split('\n')) {
  const [currency = '', items = '', sum = '', rates = ''] = line.trim().split(/ {2,}/)
  test(`bills the items ${items} (amount@tax) in ${currency} as subtotal, tax and total ${sum}`, async () => {
    const prices = items.split(' ').map((item): [number, number] => {
      const [amount, tax] = item.split('@')
      return [Number(amount), Number(tax)]
    })
    assert.is(formatAmounts(await billItems(currency, prices)), `${sum} ${rates}`)
  })
}

test('bills quantities: each line has its quantity, its unit price and the rounded tax of its amount', async () => {
  const sandbox = createSandbox()
  const items = [
    { description: 'Seat', quantity: 3, price_data: { amount: 1501, tax_percent: 5.5 } },
    { description: 'Unused', quantity: 0, price_data: { amount: 900, tax_percent: 20 } },
    { description: 'Base', price_data: { amount: 1000 } },
  ]
  const { id } = await subscribe(sandbox, { items })
  const subscription = await sandbox.call(api.subscriptions.retrieve, { id })
  assert.equal(
    subscription.items.map(({ quantity }) => quantity),
    [3, 0, 1],
  )
  const [invoice] = await invoicesOf(sandbox, id)
  assert.equal(
    invoice?.lines.map((line) => [line.quantity, line.unit_amount, line.amount, line.tax_amount, line.total]),
    [
      [3, 1501, 4503, 248, 4751],
      [0, 900, 0, 0, 0],
      [1, 1000, 1000, 0, 1000],
    ],
  )
  const session = await sandbox.call(api.checkoutSessions.retrieve, { id: subscription.checkout_session })
  assert.equal([invoice?.total, session.amount_total], [5751, 5751])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test.run()
