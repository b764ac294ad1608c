import { api } from '../../../src/api/api.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { newCustomer } from '../../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, invoicePathOf, NOW, pathOf, RETURN_URL, textOf, VISA } from '../hosted-pages.ts'
import {
  completeTwentyItems,
  coverByCredit,
  payProration,
  payTwoInvoices,
  refundPayment,
} from '../receipt-scenes.ts'
import { createSentInvoice } from '../sent-invoice.ts'

const test = suite('pages/receipt')

/** Returns the text between the tags of a page, with ordinary spaces. */
async function textAt(hosted: HostedPages, path: string, acceptLanguage = 'en'): Promise<string> {
  const { body } = await hosted.serve({ path, acceptLanguage })
  return textOf(body)
}

const openIn = (sandbox: Sandbox) => new HostedPages(CHECKOUT_URL, sandbox.runtime)

function assertIncludes(text: string, words: readonly string[]): void {
  for (const word of words) assert.ok(text.includes(word), `'${word}' is not in: ${text.slice(-1800)}`)
}

test('shows amount, date, number, seller, customer, card, period and lines of a paid subscription', async () => {
  const hosted = new HostedPages()
  const items = [
    { description: 'Seat', quantity: 3, price_data: { amount: 1500, tax_percent: 20 } },
    { description: 'Book', price_data: { amount: 1000, tax_percent: 5.5 } },
  ]
  const session = await hosted.checkout({ items }, { return_url: RETURN_URL })
  await hosted.submit(pathOf(session), VISA)
  for (const path of [pathOf(session), `${pathOf(session)}/done`]) {
    assertIncludes(await textAt(hosted, path), [
      '€64.55 Paid on March 3, 2026',
      'Invoice INV-000001 Reference py_',
      'Seller shop.example Customer Ada Lovelace , ada@example.com Card Visa •••• 4242',
      'Service period March 3, 2026 to April 3, 2026 Next payment April 3, 2026',
      'Seat 3 × €15.00 Tax 20% €45.00 Book Tax 5.5% €10.00',
      'Subtotal €55.00 Tax 20% €9.00 Tax 5.5% €0.55 Total €64.55',
    ])
  }
  const { body } = await hosted.get(pathOf(session))
  assert.match(body, 'role="img" aria-label="Visa ending in 4242">Visa •••• 4242<')
  assert.match(body, '<button type="button" class="quiet" data-print hidden>Print</button>')
})

test('shows the same receipt on the page of an invoice as on the page of its session', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = { name: 'Northwind <Rentals>' }
  const invoice = await createSentInvoice(hosted)
  const path = invoicePathOf(invoice)
  await hosted.submit(path, VISA)
  assertIncludes(await textAt(hosted, path), [
    'Invoice paid €1,280.00 Paid on March 3, 2026',
    'Seller Northwind &lt;Rentals&gt; Customer Ada Lovelace',
    'Monthly rent Tax 20% €1,000.00 Parking space €80.00 Subtotal €1,080.00 Tax 20% €200.00 Total €1,280.00',
  ])
})

test('shows a payment without an invoice with its description as the only line', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment({ description: 'Workshop' }))
  await hosted.submit(path, VISA)
  const text = await textAt(hosted, path)
  assertIncludes(text, ['Already paid €45.00 Paid on', 'Card Visa •••• 4242 Workshop €45.00 Total €45.00'])
  assert.not.match(text, 'Subtotal')
})

test('shows the refunded amount, and whether the whole payment was refunded', async () => {
  for (const [amount, state] of [
    [1000, 'Partially refunded'],
    [4500, 'Refunded'],
  ] as const) {
    const sandbox = createSandbox()
    const { path } = await refundPayment(sandbox, amount)
    assertIncludes(await textAt(openIn(sandbox), path), [
      `€45.00 Paid on January 15, 2024 · ${state}`,
      `Total €45.00 Refunded -€${amount / 100}.00`,
    ])
  }
})

test('shows the credit that an invoice used', async () => {
  const sandbox = createSandbox()
  const text = await textAt(openIn(sandbox), await coverByCredit(sandbox, true))
  assertIncludes(text, ['€600.00 Paid on', 'Tax 20% €200.00 Credit applied -€600.00 Total €600.00'])
})

test('shows no payment and no card when credit covers the whole invoice', async () => {
  const sandbox = createSandbox()
  const text = await textAt(openIn(sandbox), await coverByCredit(sandbox, false))
  assertIncludes(text, ['Credit applied -€1,200.00 Total €0.00'])
  for (const absent of ['Paid on', 'Visa', 'Reference']) assert.not.match(text, absent)
})

test('shows the credit that an invoice created', async () => {
  const sandbox = createSandbox()
  await coverByCredit(sandbox, false)
  const { data } = await sandbox.call(api.invoices.list, { status: 'paid' })
  const creating = data.find(({ balance_applied }) => balance_applied < 0)
  const text = await textAt(openIn(sandbox), pathOf({ url: creating?.hosted_invoice_url ?? '' }))
  assertIncludes(text, ['Total -€6,000.00 Added to your credit €6,000.00'])
  assert.not.match(text, 'Paid on')
})

test('shows the periods of prorated lines', async () => {
  const sandbox = createSandbox()
  assertIncludes(await textAt(openIn(sandbox), await payProration(sandbox)), [
    'Seat Unused time, January 25, 2024 to February 15, 2024 -€6.77',
    'Seat Remaining time, January 25, 2024 to February 15, 2024 €27.10 Total €20.33',
  ])
})

test('shows the ordered items of a trial or of a subscription with a later start, without a payment', async () => {
  const hosted = new HostedPages()
  for (const [terms, date] of [
    [{ trial_days: 7 }, 'Trial ends March 10, 2026'],
    [{ start_date: NOW + DAY }, 'First payment March 4, 2026'],
  ] as const) {
    const path = pathOf(await hosted.checkout(terms))
    await hosted.submit(path, VISA)
    const text = await textAt(hosted, path)
    assertIncludes(text, [date, 'Subtotal €1,000.00 Tax 20% €200.00 Total every month €1,200.00'])
    for (const absent of ['Paid on', 'Card Visa', 'Invoice INV']) assert.not.match(text, absent)
  }
})

test('shows the lines of a void invoice, without a payment', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const hosted = openIn(sandbox)
  const payer = await hosted.runtime.store.get('customers', customer)
  if (payer === null || 'deleted' in payer) throw new Error('no customer')
  const session = await hosted.checkout({ collection_method: 'send_invoice' }, {}, payer)
  await hosted.submit(pathOf(session), {})
  const { data } = await sandbox.call(api.invoices.list, { customer })
  const invoice = await sandbox.call(api.invoices.void, { id: data[0]?.id ?? '' })
  const text = await textAt(hosted, invoicePathOf(invoice))
  assertIncludes(text, ['This invoice was canceled', 'Monthly rent Tax 20% €1,000.00', 'Total €1,200.00'])
  assert.not.match(text, 'Paid on')
})

test('shows no applied credit on a void invoice, because voiding returns the credit', async () => {
  const sandbox = createSandbox()
  const path = await coverByCredit(sandbox, true, { collection_method: 'send_invoice' })
  const id = path.split('/').at(-1) ?? ''
  assert.ok((await sandbox.call(api.invoices.void, { id })).balance_applied > 0)
  const text = await textAt(openIn(sandbox), path)
  assertIncludes(text, ['This invoice was canceled', 'Total €1,200.00'])
  assert.not.match(text, 'Credit applied')
})

test('shows no card for an invoice that was paid out of band', async () => {
  const hosted = new HostedPages()
  const invoice = await createSentInvoice(hosted)
  const { amount_due } = invoice
  const paid: Invoice = {
    ...invoice,
    ...{ status: 'paid', paid_out_of_band: true, paid_at: NOW + DAY },
    ...{ amount_paid: amount_due, amount_remaining: 0 },
  }
  await hosted.runtime.store.transact(async () => ({ result: null, writes: [{ put: paid }], events: [] }))
  const text = await textAt(hosted, invoicePathOf(invoice))
  assertIncludes(text, ['€1,280.00 Paid on March 4, 2026'])
  for (const absent of ['Visa', 'Reference']) assert.not.match(text, absent)
})

test('shows a receipt for each invoice that a card update paid', async () => {
  const sandbox = createSandbox()
  const path = await payTwoInvoices(sandbox)
  for (const at of [path, `${path}/done`]) {
    const text = await textAt(openIn(sandbox), at)
    for (const number of ['INV-000003', 'INV-000004']) {
      assertIncludes(text, [
        `Invoice ${number} €1,200.00 Paid on February 15, 2024 Invoice ${number} Reference py_`,
      ])
    }
    assert.is(text.match(/Seller example\.com/g)?.length, 2)
    assert.is(text.match(/Total €1,200\.00/g)?.length, 2)
  }
})

test('shows the email address of the invoice as its customer after the customer was deleted', async () => {
  const hosted = new HostedPages()
  const invoice = await createSentInvoice(hosted)
  const path = invoicePathOf(invoice)
  await hosted.submit(path, VISA)
  const deleted = { id: invoice.customer, object: 'customer', deleted: true, created: NOW } as const
  await hosted.runtime.store.transact(async () => ({
    ...{ result: null, events: [] },
    writes: [{ put: deleted as never }],
  }))
  assertIncludes(await textAt(hosted, path), ['Customer ada@example.com'])
})

test('formats currencies with zero and three decimals', async () => {
  for (const [currency, total] of [
    ['jpy', '¥460,270'],
    ['kwd', 'KWD 460.270'],
  ] as const) {
    const hosted = new HostedPages()
    const text = await textAt(hosted, await completeTwentyItems(hosted, currency))
    assertIncludes(text, [`${total} Paid on`, `Total ${total}`])
  }
})

test('translates the receipt', async () => {
  const hosted = new HostedPages()
  const path = await completeTwentyItems(hosted)
  for (const tag of LANGUAGES) {
    const { t, formatDate, formatMoney } = negotiateLanguage(tag)
    const text = await textAt(hosted, path, tag)
    const words = [t('paidOn', { date: formatDate(NOW) }), formatMoney(460_270, 'eur'), t('print')]
    const labels = [t('seller'), t('customer'), t('servicePeriod'), t('subtotal'), t('total')]
    assertIncludes(
      text,
      [...words, ...labels].map((word) => word.replace(/\s+/g, ' ')),
    )
  }
})

test.run()
