import { api } from '../../../src/api/api.ts'
import { LANGUAGES, negotiateLanguage } from '../../../src/pages/languages/language.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../../support/billing.ts'
import { START } from '../../support/rule-context.ts'
import { CHECKOUT_URL, createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { challengeInvoice, createClockSandbox } from '../clock-sandbox.ts'
import { card, HostedPages, locationOf, pathOf, VISA } from '../hosted-pages.ts'

const test = suite('merchant-name')

const CHALLENGED = card('4000000000003220')
const BUSINESS = 'Northwind Rentals'

/** Returns every merchant name on a page. */
function merchantsIn(body: string): string[] {
  return [...body.matchAll(/Requested by <bdi dir="auto">(.*?)<\/bdi>/gs)].map(([, who = '']) => who)
}

/** Creates pages with a business name. */
function createWithBusiness(
  businessName: string,
  given?: ConstructorParameters<typeof HostedPages>[1],
): HostedPages {
  const hosted = new HostedPages(CHECKOUT_URL, given)
  hosted.pages.brand = { name: businessName }
  return hosted
}

test('shows the business name once on the session, 3-D Secure and result pages, without a host', async () => {
  const hosted = createWithBusiness(BUSINESS)
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const path = pathOf(session)
    const bank = locationOf(await hosted.submit(path, CHALLENGED))
    for (const page of [path, bank])
      assert.equal(merchantsIn((await hosted.get(page)).body), [BUSINESS], page)
    const done = locationOf(await hosted.submit(path, VISA))
    for (const page of [done, path, bank])
      assert.equal(merchantsIn((await hosted.get(page)).body), [BUSINESS])
  }
})

test('shows the business name on the invoice and its 3-D Secure page', async () => {
  const clocked = await createClockSandbox(START)
  const { invoice, path } = await challengeInvoice(clocked)
  const hosted = createWithBusiness(BUSINESS, clocked.sandbox.runtime)
  const page = pathOf({ url: invoice.hosted_invoice_url ?? '' })
  for (const one of [page, path]) assert.equal(merchantsIn((await hosted.get(one)).body), [BUSINESS])
  await hosted.submit(path, { answer: 'approve' })
  for (const one of [page, `${path}/done`])
    assert.equal(merchantsIn((await hosted.get(one)).body), [BUSINESS])
})

test('translates the line with the business name', async () => {
  const hosted = createWithBusiness(BUSINESS)
  const path = pathOf(await hosted.payment())
  for (const acceptLanguage of LANGUAGES) {
    const [before = ''] = negotiateLanguage(acceptLanguage).messages.requestedBy.split('{host}')
    const { body } = await hosted.serve({ path, acceptLanguage })
    assert.match(body, `<p class="merchant">${before}<bdi dir="auto">${BUSINESS}</bdi>`)
  }
})

test('escapes the business name and isolates its direction', async () => {
  for (const [name, shown] of [
    ['<script>window.pwned=1</script>', '&lt;script&gt;window.pwned=1&lt;/script&gt;'],
    ['"><img src=x onerror=1>', '&quot;&gt;&lt;img src=x onerror=1&gt;'],
    ['شركة الإيجار', 'شركة الإيجار'],
    ['\u202egnp.ecilop', '\u202egnp.ecilop'],
  ] as const) {
    const hosted = createWithBusiness(name)
    const { body } = await hosted.get(pathOf(await hosted.payment()))
    assert.equal(merchantsIn(body), [shown])
    assert.is(body.split(shown).length, 2, 'nowhere else')
  }
})

test('shows the return_url host on the 3-D Secure page of a session without a business name', async () => {
  const hosted = new HostedPages()
  const bank = async (session: { readonly url: string }) => {
    const asked = await hosted.submit(pathOf(session), CHALLENGED)
    return merchantsIn((await hosted.get(locationOf(asked))).body)
  }
  assert.equal(await bank(await hosted.payment()), ['shop.example'])
  assert.equal(await bank(await hosted.checkout()), [])
})

test('shows the return_url host of the original session on an invoice without a business name', async () => {
  for (const [return_url, askers] of [
    ['https://shop.example/thanks', ['shop.example']],
    [null, []],
  ] as const) {
    const sandbox = createSandbox()
    const { id, checkout_session } = await subscribe(sandbox, { card: 'sca_required' })
    const session = await sandbox.call(api.checkoutSessions.retrieve, { id: checkout_session })
    const put = { ...session, return_url }
    await sandbox.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
    await toNextPeriod(sandbox, id)
    const { hosted_invoice_url } = await invoiceIn(sandbox, id, ['open'])
    const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
    const path = pathOf({ url: hosted_invoice_url ?? '' })
    assert.equal(merchantsIn((await hosted.get(path)).body), askers)
    const bank = locationOf(await hosted.submit(path, CHALLENGED))
    assert.equal(merchantsIn((await hosted.get(bank)).body), askers)
  }
})

test.run()
