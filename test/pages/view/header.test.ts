import { LANGUAGES } from '../../../src/pages/languages/language.ts'
import { newCardSession } from '../../support/samples.ts'
import { CHECKOUT_URL, createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { HostedPages, invoicePathOf, pathOf } from '../hosted-pages.ts'
import { createSentInvoice } from '../sent-invoice.ts'

const test = suite('header')

/** Returns the contents of the header's brand. */
function brandIn(body: string): string {
  return /<header class="top"><span class="brand">(.*?)<\/span><\/header>/s.exec(body)?.[1] ?? ''
}

/** Renders an error page of a server with a business name, and returns the contents of the header's brand. */
async function brandOf(name: string | null): Promise<string> {
  const hosted = new HostedPages()
  hosted.pages.brand = { name }
  return brandIn((await hosted.get('/none')).body)
}

const monogram = (letter: string) => `<span class="logo" aria-hidden="true">${letter}</span>`

test('shows the monogram and the name of the business in every language', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = { name: 'northwind Rentals' }
  const path = pathOf(await hosted.payment())
  for (const acceptLanguage of LANGUAGES) {
    const { body } = await hosted.serve({ path, acceptLanguage })
    assert.is(brandIn(body), `${monogram('N')}<bdi dir="auto">northwind Rentals</bdi>`)
  }
})

test('the monogram is the first letter or digit with its accents, and absent for a name of symbols', async () => {
  for (const [name, letter] of [
    ['«Élan»', 'É'],
    ['E\u0301lan', 'E\u0301'],
    ['7-Eleven', '7'],
    ['شركة', 'ش'],
    ['株式会社', '株'],
    ['ßtraße', 'ß'],
    ['𝔸lpha', '𝔸'],
    ['\u202egnp.ecilop', 'G'],
  ] as const) {
    assert.ok((await brandOf(name)).startsWith(monogram(letter)), name)
  }
  assert.match(await brandOf('★ ★'), /^<svg .*<\/svg><bdi dir="auto">★ ★<\/bdi>$/)
})

test('shows a lock and the word checkout when no merchant is known', async () => {
  assert.match(await brandOf(null), /^<svg .*<\/svg>Checkout$/)
})

test('shows the type of the page when the merchant is unknown', async () => {
  const sandbox = createSandbox()
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const session = await newCardSession(sandbox, { return_url: 'http://127.0.0.1:3000/' })
  assert.match(brandIn((await hosted.get(pathOf(session))).body), /<\/svg>Card$/)
  const invoice = await createSentInvoice(hosted)
  assert.match(brandIn((await hosted.get(invoicePathOf(invoice))).body), /<\/svg>Invoice$/)
})

test('escapes the business name, isolates its direction and shows it once', async () => {
  for (const [name, shown] of [
    ['<script>window.pwned=1</script>', '&lt;script&gt;window.pwned=1&lt;/script&gt;'],
    ['"><img src=x onerror=1>', '&quot;&gt;&lt;img src=x onerror=1&gt;'],
    ['شركة الإيجار', 'شركة الإيجار'],
    ['\u202egnp.ecilop', '\u202egnp.ecilop'],
  ] as const) {
    const hosted = new HostedPages()
    hosted.pages.brand = { name }
    const { body } = await hosted.get(pathOf(await hosted.payment()))
    assert.match(brandIn(body), `<bdi dir="auto">${shown}</bdi>`)
    assert.is(body.split(shown).length, 2, 'nowhere else')
  }
})

test.run()
