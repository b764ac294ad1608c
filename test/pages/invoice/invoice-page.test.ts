import { api } from '../../../src/api/index.ts'
import type { Invoice } from '../../../src/domain/invoices.ts'
import { chooseLanguage, LANGUAGES } from '../../../src/pages/languages/language.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../../support/billing.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, Hosted, pathOf } from '../hosted.ts'

const test = suite('invoice-page')

/** An invoice that a renewal could not charge, and its page. */
interface Renewed {
  readonly sandbox: Sandbox
  readonly invoice: Invoice
  readonly hosted: Hosted
  readonly path: string
}

async function renewed(
  alias: string,
  before: (sandbox: Sandbox, card: string) => Promise<unknown> = async () => {},
): Promise<Renewed> {
  const sandbox = createSandbox()
  const { id, default_payment_method } = await subscribe(sandbox, { card: alias })
  await before(sandbox, default_payment_method ?? '')
  await toNextPeriod(sandbox, id)
  const invoice = await invoiceIn(sandbox, id, ['open'])
  const path = pathOf({ url: invoice.hosted_invoice_url ?? '' })
  return { sandbox, invoice, hosted: new Hosted(CHECKOUT_URL, sandbox.runtime), path }
}

const NOTICE = /<div class="notice"><strong>(.*?)<\/strong> (.*?)<\/div>/

function noticeIn(body: string): string[] {
  return NOTICE.exec(body)?.slice(1) ?? []
}

async function noticeOf({ hosted, path }: Renewed): Promise<string[]> {
  return noticeIn((await hosted.get(path)).body.replaceAll('\u00a0', ' '))
}

test('a renewal that was declined says so, what to do and when it is tried next', async () => {
  assert.equal(await noticeOf(await renewed('renewal_no_funds')), [
    'Card declined',
    'Your card has insufficient funds. Try another card. Your saved card is tried again on February 18, 2024. You can pay here now.',
  ])
})

test('after the last attempt no other is announced', async () => {
  const one = await renewed('renewal_no_funds')
  await one.sandbox.advance(15 * DAY)
  assert.equal(await noticeOf(one), [
    'Card declined',
    'Your card has insufficient funds. Try another card. You can pay here now.',
  ])
})

test('a card that is declined for good is not announced again, though its turn comes', async () => {
  const one = await renewed('renewal_lost')
  assert.is.not(one.invoice.next_payment_attempt, null)
  assert.equal(await noticeOf(one), [
    'Card declined',
    'Your card was declined. Use another card. You can pay here now.',
  ])
})

test('a bank that wants its buyer there asks to confirm', async () => {
  assert.equal(await noticeOf(await renewed('renewal_sca')), [
    'Payment not confirmed',
    'Your bank asks you to confirm this payment. Pay again and confirm it when asked. You can pay here now.',
  ])
})

test('where no card is saved any more, the page says that', async () => {
  const one = await renewed('visa', (sandbox, id) => sandbox.call(api.paymentMethods.detach, { id }))
  assert.is.not(one.invoice.next_payment_attempt, null)
  assert.equal(await noticeOf(one), [
    'Payment failed',
    'There is no saved card that could be charged for this invoice. You can pay here now.',
  ])
})

test('an invoice that was not tried yet says nothing of failing', async () => {
  const { sandbox, hosted, invoice, path } = await renewed('renewal_no_funds')
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

test('a card that was just entered and declined is told of alone, with when the saved one is tried', async () => {
  const { hosted, path } = await renewed('renewal_no_funds')
  const { body } = await hosted.submit(path, card('4000000000000069'))
  assert.is(body.match(/class="notice"/g)?.length, 1)
  assert.match(body, 'Your card has expired. Use another card. The card ending in 0069 was not charged.')
  assert.match(body, /<p class="schedule">Your saved card is tried again on February.18,.2024\./)
})

test('an invoice that is sent tells each card only in the form that tried it', async () => {
  const { sandbox, hosted, invoice, path } = await renewed('renewal_no_funds')
  const sent: Invoice = { ...invoice, collection_method: 'send_invoice', next_payment_attempt: null }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: sent }], events: [] }))
  assert.not.match((await hosted.get(path)).body, 'class="notice"')
})

test('every language says it in its own words', async () => {
  const { hosted, invoice, path } = await renewed('renewal_no_funds')
  for (const tag of LANGUAGES) {
    const { messages, say, day } = chooseLanguage(tag)
    const { body } = await hosted.serve({ path, acceptLanguage: tag })
    const date = day(invoice.next_payment_attempt ?? 0)
    assert.equal(noticeIn(body), [
      messages.cardDeclined,
      [messages.said.noFunds, say('chargedAgain', { date }), messages.payHereNow].join(' '),
    ])
  }
})

test.run()
