import { api } from '../../../src/api/index.ts'
import type { Invoice } from '../../../src/domain/invoices.ts'
import { START } from '../../support/rule-context.ts'
import { refusal, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { type Clocked, openClocked } from '../clocked.ts'
import { card, locationOf, pathOf, tokenIn, VISA } from '../hosted.ts'

const test = suite('invoice-visits')

interface Owed extends Clocked {
  readonly invoice: Invoice
  readonly path: string
}

const ITEMS = [
  { description: 'Monthly <b>rent</b>', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
  { type: 'parking_space', price_data: { amount: 8000 } },
]

/** An invoice that was sent to its buyer, to be paid within days. */
async function owed(): Promise<Owed> {
  const clocked = await openClocked(START)
  const { sandbox, customer } = clocked
  const session = await sandbox.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer,
    description: 'Rent and parking',
    subscription_data: {
      interval: 'month',
      collection_method: 'send_invoice',
      days_until_due: 14,
      items: ITEMS,
    },
  })
  await sandbox.submit(session.id, typed('4242424242424242'))
  const { data } = await sandbox.call(api.invoices.list, { customer })
  const [invoice] = data
  if (invoice === undefined) throw new Error('no invoice was sent')
  return { ...clocked, invoice, path: pathOf({ url: invoice.hosted_invoice_url ?? '' }) }
}

function current({ sandbox, invoice }: Owed): Promise<Invoice> {
  return sandbox.call(api.invoices.retrieve, { id: invoice.id })
}

test('an open invoice says what is billed, to whom and until when', async () => {
  const { hosted, invoice, path } = await owed()
  assert.is(path, `/invoices/${invoice.id}`)
  const { status, body } = await hosted.get(path)
  assert.is(status, 200)
  for (const words of [
    'Invoice INV-000001',
    'Monthly &lt;b&gt;rent&lt;/b&gt;',
    'Parking space',
    'Tax 20%',
    '€1,280.00',
    'Due on January.29,.2024',
    'January.15,.2024 to February.15,.2024',
    'Billed to <bdi dir="auto">ada@example.com',
    'Pay €1,280.00',
  ]) {
    assert.match(body, new RegExp(words))
  }
})

test('a card pays it once, is not saved, and the page says so ever after', async () => {
  const one = await owed()
  const { hosted, sandbox, customer, path } = one
  const form_token = tokenIn((await hosted.get(path)).body)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => hosted.post(path, { ...VISA, form_token })),
  )
  for (const answer of answers) {
    assert.is(answer.status, 303)
    assert.is(locationOf(answer), path)
  }
  const paid = await current(one)
  assert.equal([paid.status, paid.amount_remaining, paid.attempt_count], ['paid', 0, 1])
  const { data: payments } = await sandbox.call(api.payments.list, { customer })
  assert.equal(
    payments.map(({ status, payment_method, invoice }) => [status, payment_method, invoice]),
    [['succeeded', null, paid.id]],
  )
  assert.is((await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })).data.length, 0)
  const { status, body } = await hosted.get(path)
  assert.is(status, 200)
  for (const words of ['Invoice paid', '€1,280.00', 'nothing is left to pay']) assert.match(body, words)
  assert.not.match(body, '<form')
  assert.is((await hosted.post(path, VISA)).status, 200)
})

test('a decline says what to do and leaves the invoice open', async () => {
  const one = await owed()
  const declined = await one.hosted.submit(one.path, card('4000000000009995'))
  assert.is(declined.status, 402)
  assert.match(
    declined.body,
    'Your card has insufficient funds. Try another card. The card ending in 9995 was not charged.',
  )
  const failed = await current(one)
  assert.equal([failed.status, failed.last_payment_error?.decline_code], ['open', 'insufficient_funds'])
  const again = await one.hosted.post(one.path, { ...VISA, form_token: tokenIn(declined.body) })
  assert.is(again.status, 303)
  assert.is((await current(one)).status, 'paid')
})

test('3-D Secure pays it, or leads back to it', async () => {
  for (const answer of ['approve', 'reject'] as const) {
    const one = await owed()
    const asked = await one.hosted.submit(one.path, card('4000000000003220'))
    assert.is(asked.status, 303)
    const path = locationOf(asked)
    assert.match(path, /^\/3ds\/py_/)
    assert.match((await one.hosted.get(path)).body, `href="${one.path}">Use another card`)
    const answered = await one.hosted.submit(path, { answer })
    const { body } = await one.hosted.get(locationOf(answered))
    assert.match(body, answer === 'approve' ? 'Invoice paid' : `href="${one.path}">To the invoice`)
    assert.is((await current(one)).status, answer === 'approve' ? 'paid' : 'open')
  }
})

test('faulty fields are told beside them, and unknown cards leave no trace', async () => {
  const one = await owed()
  const events = (await one.sandbox.events()).length
  for (const [fields, status, words] of [
    [{ ...VISA, cvc: '1' }, 422, 'Enter the security code of the card: 3 digits.'],
    [{ ...VISA, name: '4242424242424242' }, 422, 'This looks like a card number.'],
    [card('4111111111111111'), 402, 'is not a test card'],
  ] as const) {
    const answer = await one.hosted.submit(one.path, fields)
    assert.is(answer.status, status)
    assert.match(answer.body, words)
  }
  assert.is((await one.hosted.post(one.path, VISA)).status, 422)
  assert.is((await one.sandbox.events()).length, events)
})

test('after ten declined cards, or cards of strangers, no more are tried for an hour', async () => {
  const one = await owed()
  for (let pair = 0; pair < 5; pair += 1) {
    for (const number of ['4000000000000002', '4111111111111111']) {
      assert.is((await one.hosted.submit(one.path, card(number))).status, 402)
    }
  }
  const refused = await one.hosted.submit(one.path, VISA)
  assert.is(refused.status, 429)
  assert.match(refused.body, `Advance its test clock by 60 minutes`)
  assert.match(refused.body, `href="${one.path}">Back to the form`)
})

test('an overdue invoice says since when, one that was taken back that nothing is owed', async () => {
  const one = await owed()
  await one.sandbox.call(api.testClocks.advance, { id: one.clock.id, by: { interval: 'week', count: 3 } })
  assert.match((await one.hosted.get(one.path)).body, /was due on January.29,.2024/)
  await one.sandbox.call(api.invoices.void, { id: one.invoice.id })
  const { status, body } = await one.hosted.get(one.path)
  assert.is(status, 200)
  assert.match(body, 'This invoice was canceled')
  assert.not.match(body, '<form')
})

test('an invoice of a deleted customer cannot be paid, neither on its page nor by the API', async () => {
  for (const settle of ['open', 'uncollectible'] as const) {
    const one = await owed()
    const { hosted, sandbox, invoice, path } = one
    const { id } = invoice
    if (settle === 'uncollectible') await sandbox.call(api.invoices.markUncollectible, { id })
    const form_token = tokenIn((await hosted.get(path)).body)
    await sandbox.call(api.customers.delete, { id: one.customer })
    for (const answer of [await hosted.get(path), await hosted.post(path, { ...VISA, form_token })]) {
      assert.is(answer.status, 410)
      assert.match(answer.body, 'This invoice can no longer be paid here')
      assert.not.match(answer.body, '<form')
    }
    const refused = await refusal(sandbox.call(api.invoices.pay, { id }))
    assert.is(refused.code, 'customer_deleted')
    assert.match(refused.message, 'Settle it with paid_out_of_band, void it, or mark it uncollectible')
    assert.equal((await sandbox.call(api.payments.list, { invoice: id })).data, [])
    assert.is((await current(one)).status, settle)
    await sandbox.call(api.invoices.pay, { id, paid_out_of_band: true })
    assert.is((await hosted.get(path)).status, 200)
  }
})

test('what is no invoice, or none yet, is not found', async () => {
  const one = await owed()
  for (const id of ['none', one.customer, 'constructor']) {
    assert.is((await one.hosted.get(`/invoices/${id}`)).status, 404, id)
    assert.is((await one.hosted.post(`/invoices/${id}`, VISA)).status, 404, id)
  }
})

test.run()
