import { api } from '../../../src/api/api.ts'
import { CURRENCY_CODES } from '../../../src/domain/core/currencies.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { renderReceiptPdf } from '../../../src/pages/receipt/receipt-pdf.ts'
import { handlePageRequest, type PageResponse } from '../../../src/pages/routes.ts'
import { newCustomerWithCard } from '../../support/billing.ts'
import { CHECKOUT_URL, createSandbox, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, invoicePathOf, NOW, pathOf, VISA } from '../hosted-pages.ts'
import {
  completeTwentyItems,
  coverByCredit,
  payProration,
  payTwoInvoices,
  refundPayment,
} from '../receipt-scenes.ts'
import { createSentInvoice } from '../sent-invoice.ts'
import { textOfPdf } from './read-pdf.ts'

const test = suite('pages/receipt-pdf')

/** The languages that the standard fonts can show. */
const LATIN = ['en', 'de', 'fr', 'es', 'pt']

function request(hosted: HostedPages, path: string, acceptLanguage = 'en'): Promise<PageResponse> {
  const given = { method: 'GET', form: null, accept: '*/*' }
  return handlePageRequest({ ...given, path: `${path}/receipt.pdf`, acceptLanguage }, hosted.pages)
}

async function pdfAt(hosted: HostedPages, path: string, acceptLanguage = 'en'): Promise<Buffer> {
  const { status, body } = await request(hosted, path, acceptLanguage)
  assert.is(status, 200)
  return body ?? Buffer.of()
}

function countPages(pdf: Buffer): number | undefined {
  return pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length
}

/** Returns the texts of a page with a receipt, without its paragraphs, links and buttons. */
function textsOfPage(body: string): string[] {
  const [, panel = ''] = /<section class="panel outcome"[^>]*>(.*?)<\/section>/s.exec(body) ?? []
  return panel
    .replace(/<svg.*?<\/svg>|<p>.*?<\/p>|<a .*?<\/a>|<button.*?<\/button>/gs, '')
    .replace(/<bdi[^>]*>|<\/bdi>/g, '')
    .split(/<[^>]+>|·/)
    .map((text) => text.replace(/&amp;/g, '&').replace(/&#39;/g, "'").replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
}

async function paidSession(customer = 'Ada Lovelace', description = 'Workshop', currency = 'eur') {
  const hosted = new HostedPages()
  const payer = await hosted.customer({ name: customer })
  const path = pathOf(await hosted.payment({ description, currency }, payer))
  await hosted.submit(path, VISA)
  return { hosted, path }
}

const openIn = (act: (sandbox: Sandbox) => Promise<string>) => async () => {
  const sandbox = createSandbox()
  const path = await act(sandbox)
  return { hosted: new HostedPages(CHECKOUT_URL, sandbox.runtime), path }
}

const RECEIPTS: readonly (() => Promise<{ readonly hosted: HostedPages; readonly path: string }>)[] = [
  async () => {
    const hosted = new HostedPages()
    return { hosted, path: await completeTwentyItems(hosted) }
  },
  async () => {
    const hosted = new HostedPages()
    const path = pathOf(await hosted.checkout({ trial_days: 7 }))
    await hosted.submit(path, VISA)
    return { hosted, path }
  },
  openIn(async (sandbox) => (await refundPayment(sandbox, 1000)).path),
  openIn((sandbox) => coverByCredit(sandbox, true)),
  openIn((sandbox) => coverByCredit(sandbox, false)),
  openIn(payProration),
  openIn(payTwoInvoices),
  openIn(async (sandbox) => {
    const { customer } = await newCustomerWithCard(sandbox)
    const params = { customer, amount: 4500, currency: 'eur', description: 'API calls' }
    return `/3ds/${(await sandbox.call(api.payments.create, params)).id}`
  }),
]

test('contains the full text of the receipt page in each language of the standard fonts', async () => {
  for (const create of RECEIPTS) {
    const { hosted, path } = await create()
    // After the payment of a session, its page has a different title from later visits of the URL.
    const page = path.startsWith('/invoices/') ? path : `${path}/done`
    for (const language of LATIN) {
      const { body } = await hosted.serve({ path: page, acceptLanguage: language, accept: 'text/html' })
      const text = textOfPdf(await pdfAt(hosted, path, language))
      const expected = textsOfPage(body)
      assert.ok(expected.length > 10, body)
      for (const one of expected) assert.ok(text.includes(one), `${language}: '${one}' is not in: ${text}`)
    }
  }
})

test('shows the business name and a notice of the test mode', async () => {
  const { hosted, path } = await paidSession()
  hosted.pages.brand = { name: 'Northwind Rentals' }
  const text = textOfPdf(await pdfAt(hosted, path))
  assert.match(text, /^Northwind Rentals Payment received €45\.00 Paid on/)
  assert.match(text, /Powered by paycli\. Test mode — no money moves$/)
})

test('returns the file as a download with the security headers of pages', async () => {
  const { hosted, path } = await paidSession()
  const { headers } = await request(hosted, path, 'de')
  const { headers: pageHeaders } = await hosted.get(path)
  for (const name of ['Cache-Control', 'X-Content-Type-Options', 'Cross-Origin-Resource-Policy', 'Vary'])
    assert.is(headers[name], pageHeaders[name], name)
  assert.is(headers['Content-Type'], 'application/pdf')
  assert.is(headers['Content-Language'], 'de')
  assert.is(headers['Content-Security-Policy'], "default-src 'none'; sandbox")
  assert.match(headers['Content-Disposition'] ?? '', /^attachment; filename="receipt-py_sess_\w+\.pdf"$/)
})

test('creates byte-identical PDF files for equal receipts', async () => {
  const { hosted, path } = await paidSession()
  assert.equal(await pdfAt(hosted, path), await pdfAt(hosted, path))
})

test('pages link to the receipt in the chosen language', async () => {
  const { hosted, path } = await paidSession()
  for (const tag of LANGUAGES) {
    const { t } = negotiateLanguage(tag)
    for (const page of [path, `${path}/done`, `${path}/attempts/x`]) {
      const { body } = await hosted.serve({ path: page, query: `lang=${tag}`, accept: 'text/html' })
      assert.match(
        body,
        `<a class="button quiet" href="${path}/receipt.pdf?lang=${tag}">${t('downloadPdf')}</a>`,
      )
    }
  }
})

test('the URL of a receipt is below the path of the checkout URL', async () => {
  const hosted = new HostedPages('https://pay.example/base')
  const path = pathOf(await hosted.payment({ description: '山' }))
  await hosted.submit(path, VISA)
  const { body } = await hosted.get(path)
  const [, link = ''] = /href="([^"]*receipt\.pdf)"/.exec(body) ?? []
  assert.match(link, /^\/base\/sessions\/\w+\/receipt\.pdf$/)
  const text = textOfPdf(await pdfAt(hosted, link.replace('/receipt.pdf', '')))
  assert.match(text, `https://pay.example${link.replace('/receipt.pdf', '')}`)
})

test('returns 404 for the PDF of a page without a receipt', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  const invoice = await createSentInvoice(hosted)
  for (const path of [pathOf(session), invoicePathOf(invoice)]) {
    const { status, headers, body } = await request(hosted, path)
    assert.equal([status, headers['Location'], body], [303, path, null])
  }
  await hosted.cancel(session)
  assert.is((await request(hosted, pathOf(session))).status, 410)
  for (const path of ['/sessions/none', '/checkout/none', '/invoices/none', '/3ds/none'])
    assert.is((await request(hosted, path)).status, 404, path)
  const posted = await hosted.serve({ method: 'POST', path: `${pathOf(session)}/receipt.pdf`, form: {} })
  assert.equal([posted.status, posted.headers['Allow']], [405, 'GET, HEAD'])
})

test('returns the receipt instead of a redirect to the merchant', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment({ return_url: 'https://shop.example/' }))
  await hosted.submit(path, VISA)
  assert.is((await hosted.serve({ path: `${path}/done`, accept: '*/*' })).status, 303)
  assert.is((await request(hosted, path)).status, 200)
})

test('prints the codes of characters that the fonts lack, and the URL of the page with the complete receipt', async () => {
  const { hosted, path } = await paidSession('山田 Łukasz', 'Cafe\u0301 ☕ → مرحبا')
  const text = textOfPdf(await pdfAt(hosted, path))
  assert.match(text, '[U+5C71 7530] [U+0141]ukasz, ada@example.com')
  assert.match(text, 'Café [U+2615] [U+2192] [U+0645 0631 062D 0628 0627]')
  assert.match(
    text,
    `This PDF cannot show everything. See the complete receipt at http://127.0.0.1:4243${path}`,
  )
  const complete = await paidSession('Zoë Brûlée-Šimůnek'.replace('ů', 'u'), '€ – “quoted” … ™')
  assert.not.match(textOfPdf(await pdfAt(complete.hosted, complete.path)), 'This PDF')
})

test('a receipt is in English when its language is Japanese or Arabic', async () => {
  const { hosted, path } = await paidSession()
  const english = textOfPdf(await pdfAt(hosted, path, 'en'))
  for (const tag of ['ja', 'ar']) assert.is(textOfPdf(await pdfAt(hosted, path, tag)), english, tag)
  assert.is((await request(hosted, path, 'ja')).headers['Content-Language'], 'en')
})

test('prints the code of a currency whose symbol the fonts lack', async () => {
  for (const tag of LATIN) {
    const { formatMoney } = negotiateLanguage(tag)
    for (const currency of CURRENCY_CODES) {
      const page = { title: `Total ${formatMoney(4500, currency)}`, receipts: [] }
      const pdf = await renderReceiptPdf(page, negotiateLanguage(tag), {
        brandName: null,
        url: '',
        yieldToEventLoop: async () => undefined,
      })
      assert.not.match(textOfPdf(pdf), 'U+')
    }
  }
  const { hosted, path } = await paidSession('Ada', 'Workshop', 'inr')
  assert.match(textOfPdf(await pdfAt(hosted, path)), 'Total INR 45.00')
  assert.match(textOfPdf(await pdfAt(hosted, path, 'de')), 'Gesamtbetrag 45,00 INR')
})

test('a long receipt continues on further pages', async () => {
  const hosted = new HostedPages()
  const invoice = await createSentInvoice(hosted)
  const lines = Array.from({ length: 100 }, (_, index) => ({
    ...invoice.lines[0],
    description: `Item ${index + 1}.`,
  }))
  const put = {
    ...invoice,
    lines,
    status: 'paid' as const,
    amount_paid: 128_000,
    paid_at: NOW,
  } as typeof invoice
  await hosted.runtime.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
  const pdf = await pdfAt(hosted, invoicePathOf(invoice))
  for (const { description } of lines) assert.match(textOfPdf(pdf), description)
  assert.is(countPages(pdf), 5)
})

test('continues a description that does not fit on one page, without empty pages', async () => {
  const description = 'word '.repeat(1000).trim()
  const { hosted, path } = await paidSession('Ada', description)
  const pdf = await pdfAt(hosted, path)
  assert.match(textOfPdf(pdf), `€45.00 ${description} Total €45.00 Powered by`)
  assert.is(countPages(pdf), 3)
})

test('truncates long strings of character codes, and prints the URL of the page with the full text', async () => {
  const { hosted, path } = await paidSession('Ada', '山x'.repeat(2500))
  const text = textOfPdf(await pdfAt(hosted, path)).replaceAll(' ', '')
  assert.ok(text.includes('[U+5C71]x'.repeat(555)), text)
  assert.ok(!text.includes('[U+5C71]x'.repeat(556)), text)
  assert.match(text, 'ThisPDFcannotshoweverything.')
})

test('redirects the receipt of a session payment to the receipt of the session', async () => {
  const { hosted, path } = await paidSession()
  const [, payment = ''] = /(py_\w+)<\/small>/.exec((await hosted.get(path)).body) ?? []
  const { status, headers } = await request(hosted, `/3ds/${payment}`)
  assert.equal([status, headers['Location']], [303, `${path}/receipt.pdf`])
})

test.run()
