import { api } from '../../../src/api/api.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../../support/billing.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, invoicePathOf, pathOf, textOf } from '../hosted-pages.ts'

const test = suite('invoice-page')

/** The page of an invoice whose renewal failed. */
interface FailedRenewal {
  readonly sandbox: Sandbox
  readonly invoice: Invoice
  readonly hosted: HostedPages
  readonly path: string
}

async function createFailedRenewal(
  alias: string,
  before: (sandbox: Sandbox, card: string) => Promise<unknown> = async () => {},
): Promise<FailedRenewal> {
  const sandbox = createSandbox()
  const { id, default_payment_method } = await subscribe(sandbox, { card: alias })
  await before(sandbox, default_payment_method ?? '')
  await toNextPeriod(sandbox, id)
  const invoice = await invoiceIn(sandbox, id, ['open'])
  const path = invoicePathOf(invoice)
  return { sandbox, invoice, hosted: new HostedPages(CHECKOUT_URL, sandbox.runtime), path }
}

const NOTICE = /<div class="notice"><strong>(.*?)<\/strong> (.*?)<\/div>/

function noticeIn(body: string): string[] {
  return NOTICE.exec(body)?.slice(1) ?? []
}

async function loadNotice({ hosted, path }: FailedRenewal): Promise<string[]> {
  return noticeIn((await hosted.get(path)).body.replaceAll('\u00a0', ' '))
}

for (const [what, alias, notice] of [
  [
    'the decline of a renewal and the date of the next attempt',
    'renewal_no_funds',
    [
      'Card declined',
      'Your card has insufficient funds. Try another card. Your saved card will be tried again on February 18, 2024. You can pay here now.',
    ],
  ],
  [
    'no next attempt after a hard decline',
    'renewal_lost',
    ['Card declined', 'Your card was declined. Use another card. You can pay here now.'],
  ],
  [
    'that the customer must confirm the payment when the bank requires authentication',
    'renewal_sca',
    [
      'Payment not confirmed',
      'Your bank asks you to confirm this payment. Pay again and confirm it when asked. You can pay here now.',
    ],
  ],
] as const) {
  test(`shows ${what}`, async () => {
    const one = await createFailedRenewal(alias)
    assert.is.not(one.invoice.next_payment_attempt, null)
    assert.equal(await loadNotice(one), notice)
  })
}

test('shows a credit line, the credit that the invoice used and the remaining amount', async () => {
  const sandbox = createSandbox()
  const { id } = await subscribe(sandbox, { collection_method: 'send_invoice' })
  const item = { subscription: id, tax_percent: 20 }
  await sandbox.call(api.invoiceItems.create, { ...item, description: 'Goodwill', unit_amount: -102_000 })
  await toNextPeriod(sandbox, id)
  await sandbox.call(api.invoiceItems.create, { ...item, description: 'Key', quantity: 2, unit_amount: -500 })
  await toNextPeriod(sandbox, id)
  const [newest] = (await sandbox.call(api.invoices.list, { status: 'open' })).data
  assert.equal([newest?.balance_applied, newest?.amount_due], [2400, 116_400])
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const { body } = await hosted.get(pathOf({ url: newest?.hosted_invoice_url ?? '' }))
  const text = textOf(body)
  for (const words of [
    'Key 2 × -€5.00 Tax 20% -€10.00',
    'Subtotal €990.00 Tax 20% €198.00 Credit applied -€24.00 Still to pay €1,164.00',
  ]) {
    assert.ok(text.includes(words), `'${words}' is not in: ${text.slice(-2500)}`)
  }
})

test('shows no next attempt after the last attempt', async () => {
  const one = await createFailedRenewal('renewal_no_funds')
  await one.sandbox.advance(15 * DAY)
  assert.equal(await loadNotice(one), [
    'Card declined',
    'Your card has insufficient funds. Try another card. You can pay here now.',
  ])
})

test('shows that the customer has no saved card', async () => {
  const one = await createFailedRenewal('visa', (sandbox, id) =>
    sandbox.call(api.paymentMethods.detach, { id }),
  )
  assert.is.not(one.invoice.next_payment_attempt, null)
  assert.equal(await loadNotice(one), [
    'Payment failed',
    'There is no saved card to charge for this invoice. You can pay here now.',
  ])
})

test('shows no failure before the first attempt', async () => {
  const { sandbox, hosted, invoice, path } = await createFailedRenewal('renewal_no_funds')
  const untried: Invoice = {
    ...invoice,
    attempted: false,
    attempt_count: 0,
    next_payment_attempt: null,
    last_payment_error: null,
    auto_advance: false,
  }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: untried }], events: [] }))
  const { body } = await hosted.get(path)
  assert.not.match(body, 'class="notice"')
  assert.not.match(body, 'tried again')
})

test('shows only the decline of the entered card, with the next attempt of the saved card', async () => {
  const { hosted, path } = await createFailedRenewal('renewal_no_funds')
  const { body } = await hosted.submit(path, card('4000000000000069'))
  assert.is(body.match(/class="notice"/g)?.length, 1)
  assert.match(body, 'Your card has expired. Use another card. The card ending in 0069 was not charged.')
  assert.match(body, /<p class="schedule">Your saved card will be tried again on February.18,.2024\./)
})

test('shows no failed charge for an invoice with collection_method send_invoice', async () => {
  const { sandbox, hosted, invoice, path } = await createFailedRenewal('renewal_no_funds')
  const sent: Invoice = { ...invoice, collection_method: 'send_invoice', next_payment_attempt: null }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: sent }], events: [] }))
  assert.not.match((await hosted.get(path)).body, 'class="notice"')
})

test('translates the notice about a failed charge', async () => {
  const { hosted, invoice, path } = await createFailedRenewal('renewal_no_funds')
  for (const tag of LANGUAGES) {
    const { messages, t, formatDate } = negotiateLanguage(tag)
    const { body } = await hosted.serve({ path, acceptLanguage: tag })
    const date = formatDate(invoice.next_payment_attempt ?? 0)
    assert.equal(noticeIn(body), [
      messages.cardDeclined,
      [messages.errors.noFunds, t('chargedAgain', { date }), messages.payHereNow].join(' '),
    ])
  }
})

test.run()
