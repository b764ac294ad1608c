import type { Page } from 'playwright-core'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import { createWebhookEndpoint } from '../../src/domain/events/webhook-endpoints.ts'
import type { Customer } from '../../src/domain/payments/customers.ts'
import { pay, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, invoicePathOf, pathOf, VISA } from '../pages/hosted-pages.ts'
import { HOSTILE } from '../pages/hostile.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'

const test = suite('hostile', undefined, 60_000)

const ITEMS_PER_SESSION = 20
const BATCHES = Array.from({ length: Math.ceil(HOSTILE.length / ITEMS_PER_SESSION) }, (_, n) =>
  HOSTILE.slice(n * ITEMS_PER_SESSION, (n + 1) * ITEMS_PER_SESSION),
)

const browsing = useBrowserSession(test)

test.before(async () => {
  browsing.hosted.pages.isLocal = true
  const fields = {
    url: 'http://127.0.0.1:3000/hook?"><script>window.pwned=1</script>',
    enabled_events: ['*'],
  }
  await browsing.hosted.create(
    (context) => createWebhookEndpoint(fields, { secret: 'whsec_hostile', existing: 0 }, context).endpoint,
  )
})

/** Opens a page on a narrow phone. The test fails if the content security policy blocks a request or script. */
function visitNarrow(javaScriptEnabled: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  return withPage(browsing.browser, { javaScriptEnabled, viewport: { width: 320, height: 640 } }, work)
}

async function assertHarmless(page: Page): Promise<void> {
  assert.is(await page.evaluate('window.pwned'), undefined)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'it scrolls sideways')
}

/** Creates an invoice whose items have the given names. */
async function invoiceOf(customer: Customer, texts: readonly string[]): Promise<Invoice> {
  const { hosted } = browsing
  const items = texts.map((description) => ({ description, price_data: { amount: 5000, tax_percent: 20 } }))
  const session = await hosted.checkout(
    { items, collection_method: 'send_invoice' },
    { description: texts.join('') },
    customer,
  )
  await hosted.submit(pathOf(session), {})
  const { data } = await hosted.runtime.store.list('invoices', { limit: 1, where: { customer: customer.id } })
  const [invoice] = data
  if (invoice === undefined) throw new Error('no invoice was sent')
  return invoice
}

/** Sets the response bodies of all deliveries to the strings in turn. */
async function setResponseBodies(texts: readonly string[]): Promise<void> {
  const { store } = browsing.hosted.runtime
  const { data } = await store.list('webhook_deliveries', { limit: 1000 })
  const writes = data.map((delivery, n) => ({
    put: {
      ...delivery,
      ...{ status: 'succeeded' as const, next_attempt_at: null, http_status: 200, duration_ms: 1 },
      response_body: texts[n % texts.length] ?? '',
    },
  }))
  await store.transact(async () => ({ result: null, writes, events: [] }))
}

/** Returns a string truncated as on a page. */
function truncated(text: string): string {
  const characters = [...text]
  return characters.length <= 160 ? text : `${characters.slice(0, 160).join('').trimEnd()}…`
}

/** Without scripts, browsers parse the contents of `noscript` as markup, so only texts with `noscript` are repeated. */
const VISITS = BATCHES.flatMap((texts, n) => {
  const visit = { texts, isScripted: true, how: `batch ${n + 1}, with scripts` }
  const isRepeated = isFullRun() || texts.some((text) => text.includes('noscript'))
  return isRepeated ? [visit, { texts, isScripted: false, how: `batch ${n + 1}, without scripts` }] : [visit]
})

for (const { texts, isScripted, how } of VISITS) {
  test(`escapes hostile text on the page and the result page of a checkout session: ${how}`, async () => {
    const [first = ''] = texts
    const items = texts.map((description) => ({
      description,
      price_data: { amount: 999_999_999_999, tax_percent: 0.0001 },
    }))
    const { hosted } = browsing
    const customer = await hosted.customer({ name: texts.join(''), email: first })
    const session = await hosted.checkout({ items }, { description: texts.join('') }, customer)
    await visitNarrow(isScripted, async (page) => {
      await page.goto(session.url)
      assert.equal(await page.locator('.lines bdi').allTextContents(), texts)
      await pay(page, { ...card('4000000000000002'), name: first })
      await page.waitForSelector('[role=alert]')
      assert.is(await page.inputValue('#name'), first)
      await assertHarmless(page)
      await pay(page, VISA)
      await page.waitForURL(/done/)
      await assertHarmless(page)
    })
  })

  test(`escapes hostile text on an invoice, before and after payment: ${how}`, async () => {
    const [first = ''] = texts
    const { hosted } = browsing
    const customer = await hosted.customer({ name: texts.join(''), email: first })
    const invoice = await invoiceOf(customer, texts)
    await visitNarrow(isScripted, async (page) => {
      await page.goto(hosted.runtime.checkoutUrl + invoicePathOf(invoice))
      assert.equal(await page.locator('.lines bdi').allTextContents(), texts)
      assert.is(await page.locator('.for bdi').textContent(), first)
      await assertHarmless(page)
      await pay(page, { ...card('4000000000000002'), name: first })
      await page.waitForSelector('[role=alert]')
      await assertHarmless(page)
      await pay(page, VISA)
      await page.waitForSelector('.outcome')
      await assertHarmless(page)
    })
  })

  test(`escapes hostile webhook responses in the open test bar: ${how}`, async () => {
    const { hosted } = browsing
    const description = texts.join(' ').slice(0, 500)
    const session = await hosted.checkout({}, { description })
    await hosted.submit(pathOf(session), VISA)
    await setResponseBodies(texts)
    await visitNarrow(isScripted, async (page) => {
      for (const end of ['', '/done']) {
        await page.goto(`${session.url}${end}?developer`)
        assert.ok(await page.isVisible('.tests >> text=checkout_session.completed'))
        const shown = await page.locator('.tests pre').allTextContents()
        assert.ok(shown.length >= 3, 'webhook responses are shown')
        await assertHarmless(page)
      }
      assert.is(await page.locator('.details bdi').last().textContent(), truncated(description))
    })
  })
}

test.run()
