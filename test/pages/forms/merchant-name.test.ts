import { api } from '../../../src/api/index.ts'
import { chooseLanguage, LANGUAGES } from '../../../src/pages/languages/language.ts'
import { invoiceIn, subscribe, toNextPeriod } from '../../support/billing.ts'
import { START } from '../../support/rule-context.ts'
import { CHECKOUT_URL, createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { challengeInvoice, openClocked } from '../clocked.ts'
import { card, Hosted, locationOf, pathOf, VISA } from '../hosted.ts'

const test = suite('asker')

const CHALLENGED = card('4000000000003220')
const BUSINESS = 'Northwind Rentals'

/** Who asks, as often as the page says it. */
function askersIn(body: string): string[] {
  return [...body.matchAll(/Requested by <bdi dir="auto">(.*?)<\/bdi>/gs)].map(([, who = '']) => who)
}

/** Pages that name a business. */
function named(businessName: string, given?: ConstructorParameters<typeof Hosted>[1]): Hosted {
  const hosted = new Hosted(CHECKOUT_URL, given)
  hosted.pages.businessName = businessName
  return hosted
}

test('the pages of a session, its bank and its result name the business once, and no host beside it', async () => {
  const hosted = named(BUSINESS)
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const path = pathOf(session)
    const bank = locationOf(await hosted.submit(path, CHALLENGED))
    for (const page of [path, bank]) assert.equal(askersIn((await hosted.get(page)).body), [BUSINESS], page)
    const done = locationOf(await hosted.submit(path, VISA))
    for (const page of [done, path, bank]) assert.equal(askersIn((await hosted.get(page)).body), [BUSINESS])
  }
})

test('the pages of an invoice and its bank name the business', async () => {
  const clocked = await openClocked(START)
  const { invoice, path } = await challengeInvoice(clocked)
  const hosted = named(BUSINESS, clocked.sandbox.runtime)
  const page = pathOf({ url: invoice.hosted_invoice_url ?? '' })
  for (const one of [page, path]) assert.equal(askersIn((await hosted.get(one)).body), [BUSINESS])
  await hosted.submit(path, { answer: 'approve' })
  for (const one of [page, `${path}/done`]) assert.equal(askersIn((await hosted.get(one)).body), [BUSINESS])
})

test('every language says who asks in its own words', async () => {
  const hosted = named(BUSINESS)
  const path = pathOf(await hosted.payment())
  for (const acceptLanguage of LANGUAGES) {
    const [before = ''] = chooseLanguage(acceptLanguage).messages.requestedBy.split('{host}')
    const { body } = await hosted.serve({ path, acceptLanguage })
    assert.match(body, `<p class="asker">${before}<bdi dir="auto">${BUSINESS}</bdi>`)
  }
})

test('a hostile name is text, and one from right to left turns nothing around it about', async () => {
  for (const [name, shown] of [
    ['<script>window.pwned=1</script>', '&lt;script&gt;window.pwned=1&lt;/script&gt;'],
    ['"><img src=x onerror=1>', '&quot;&gt;&lt;img src=x onerror=1&gt;'],
    ['شركة الإيجار', 'شركة الإيجار'],
    ['\u202egnp.ecilop', '\u202egnp.ecilop'],
  ] as const) {
    const hosted = named(name)
    const { body } = await hosted.get(pathOf(await hosted.payment()))
    assert.equal(askersIn(body), [shown])
    assert.is(body.split(shown).length, 2, 'nowhere else')
  }
})

test('without a name the 3-D Secure page of a session names the host of its return_url', async () => {
  const hosted = new Hosted()
  const bank = async (session: { readonly url: string }) => {
    const asked = await hosted.submit(pathOf(session), CHALLENGED)
    return askersIn((await hosted.get(locationOf(asked))).body)
  }
  assert.equal(await bank(await hosted.payment()), ['shop.example'])
  assert.equal(await bank(await hosted.checkout()), [])
})

test('without a name the pages of an invoice name the host of the session that it came from', async () => {
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
    const hosted = new Hosted(CHECKOUT_URL, sandbox.runtime)
    const path = pathOf({ url: hosted_invoice_url ?? '' })
    assert.equal(askersIn((await hosted.get(path)).body), askers)
    const bank = locationOf(await hosted.submit(path, CHALLENGED))
    assert.equal(askersIn((await hosted.get(bank)).body), askers)
  }
})

test.run()
