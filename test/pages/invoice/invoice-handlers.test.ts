import { api } from '../../../src/api/api.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import { START } from '../../support/rule-context.ts'
import { catchDomainError, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ClockSandbox, createClockSandbox } from '../clock-sandbox.ts'
import { card, invoicePathOf, locationOf, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('invoice-handlers')

interface SentInvoice extends ClockSandbox {
  readonly invoice: Invoice
  readonly path: string
}

const ITEMS = [
  { description: 'Monthly <b>rent</b>', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
  { type: 'parking_space', price_data: { amount: 8000 } },
]

/** Creates an invoice that was sent to the customer. */
async function createInvoice(): Promise<SentInvoice> {
  const clocked = await createClockSandbox(START)
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
  return { ...clocked, invoice, path: invoicePathOf(invoice) }
}

function current({ sandbox, invoice }: SentInvoice): Promise<Invoice> {
  return sandbox.call(api.invoices.retrieve, { id: invoice.id })
}

test('shows the lines, customer and due date of an open invoice', async () => {
  const { hosted, invoice, path } = await createInvoice()
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

test('charges an entered card once without saving the card, and then shows the paid invoice', async () => {
  const one = await createInvoice()
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
  assert.not.match(body, 'method="post"')
  assert.is((await hosted.post(path, VISA)).status, 200)
})

test('shows a decline and leaves the invoice open', async () => {
  const one = await createInvoice()
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

test('pays the invoice after 3-D Secure approval, and links back to the invoice after rejection', async () => {
  for (const answer of ['approve', 'reject'] as const) {
    const one = await createInvoice()
    const asked = await one.hosted.submit(one.path, card('4000000000003220'))
    assert.is(asked.status, 303)
    const path = locationOf(asked)
    assert.match(path, /^\/3ds\/py_/)
    assert.match((await one.hosted.get(path)).body, `href="${one.path}">Use another card`)
    const answered = await one.hosted.submit(path, { answer })
    const { body } = await one.hosted.get(locationOf(answered))
    assert.match(body, answer === 'approve' ? 'Invoice paid' : `href="${one.path}">Go to the invoice`)
    assert.is((await current(one)).status, answer === 'approve' ? 'paid' : 'open')
  }
})

test('shows errors below invalid fields and stores nothing about unknown cards', async () => {
  const one = await createInvoice()
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

test('accepts no cards for an invoice for an hour after ten declines', async () => {
  const one = await createInvoice()
  for (let pair = 0; pair < 5; pair += 1) {
    for (const number of ['4000000000000002', '4111111111111111']) {
      assert.is((await one.hosted.submit(one.path, card(number))).status, 402)
    }
  }
  const refused = await one.hosted.submit(one.path, VISA)
  assert.is(refused.status, 429)
  assert.match(refused.body, `Advance the test clock by 60 minutes`)
  assert.match(refused.body, `href="${one.path}">Back to the form`)
})

test('shows the due date of an overdue invoice, and the cancellation of a void invoice', async () => {
  const one = await createInvoice()
  await one.sandbox.call(api.testClocks.advance, { id: one.clock.id, by: { interval: 'week', count: 3 } })
  assert.match((await one.hosted.get(one.path)).body, /was due on January.29,.2024/)
  await one.sandbox.call(api.invoices.void, { id: one.invoice.id })
  const { status, body } = await one.hosted.get(one.path)
  assert.is(status, 200)
  assert.match(body, 'This invoice was canceled')
  assert.not.match(body, 'method="post"')
})

test('rejects paying the invoice of a deleted customer, on the page and in the API', async () => {
  for (const settle of ['open', 'uncollectible'] as const) {
    const one = await createInvoice()
    const { hosted, sandbox, invoice, path } = one
    const { id } = invoice
    if (settle === 'uncollectible') await sandbox.call(api.invoices.markUncollectible, { id })
    const form_token = tokenIn((await hosted.get(path)).body)
    await sandbox.call(api.customers.delete, { id: one.customer })
    for (const answer of [await hosted.get(path), await hosted.post(path, { ...VISA, form_token })]) {
      assert.is(answer.status, 410)
      assert.match(answer.body, 'This invoice can no longer be paid here')
      assert.not.match(answer.body, 'method="post"')
    }
    const refused = await catchDomainError(sandbox.call(api.invoices.pay, { id }))
    assert.is(refused.code, 'customer_deleted')
    assert.match(refused.message, 'Pay the invoice with paid_out_of_band, void it, or mark it uncollectible')
    assert.equal((await sandbox.call(api.payments.list, { invoice: id })).data, [])
    assert.is((await current(one)).status, settle)
    await sandbox.call(api.invoices.pay, { id, paid_out_of_band: true })
    assert.is((await hosted.get(path)).status, 200)
  }
})

test('returns 404 for the page of an unknown invoice', async () => {
  const one = await createInvoice()
  for (const id of ['none', one.customer, 'constructor']) {
    assert.is((await one.hosted.get(`/invoices/${id}`)).status, 404, id)
    assert.is((await one.hosted.post(`/invoices/${id}`, VISA)).status, 404, id)
  }
})

test.run()
