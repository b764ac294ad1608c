import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import { pay, press, withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'

const DECLINED = '4000000000000002'
const VISA = '4242424242424242'
const SCA = '4000000000003220'
const VIEWPORT = { viewport: { width: 1100, height: 800 } }

const test = suite('browser/main-job', undefined, 60_000)

/** The requests to the shop. */
const hits: string[] = []
const shop = createServer((request, response) => {
  if (request.url !== '/favicon.ico') hits.push(`${request.method} ${request.url}`)
  response.setHeader('content-type', 'text/html').end('<title>Shop</title><h1>Thank you</h1>')
})

let daemon: TestDaemon
let browser: Browser
let customer: string
let returnUrl: string

test.before(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const { port } = shop.address() as AddressInfo
  returnUrl = `http://127.0.0.1:${port}/thanks?order=7&from=a%20b&next=https://x.example/?y=1;z=2`
  ;[daemon, browser] = await Promise.all([openDaemon(), launchBrowser()])
  customer = (await daemon.call(api.customers.create, { email: 'ada@example.com', name: 'Ada Lovelace' })).id
})

test.before.each(() => {
  hits.length = 0
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
  shop.close()
})

/** Saves a screenshot in the folder of the SCREENSHOTS variable, for manual review. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

function newCheckout(fields: { readonly return_url?: string }) {
  return daemon.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer,
    subscription_data: {
      interval: 'month',
      items: [
        { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
        { description: 'Parking space 12', price_data: { amount: 4500 } },
      ],
    },
    ...fields,
  })
}

function newPayment() {
  return daemon.call(api.paymentSessions.create, {
    amount: 4500,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: returnUrl,
    description: 'Workshop',
  })
}

const alertIn = async (page: Page) => (await page.textContent('[role=alert]')) ?? ''

/** Pays with a declined card, then with a valid one. */
async function declineThenPay(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url)
  await picture(page, `${name}-form`)
  await pay(page, cardFields(DECLINED))
  assert.match(await alertIn(page), 'The card ending in 0002 was not charged.')
  await picture(page, `${name}-declined`)
  await pay(page, cardFields(VISA))
  await page.waitForURL(/thanks/)
  assert.is(page.url(), returnUrl)
  assert.equal(hits, [`GET ${returnUrl.slice(new URL(returnUrl).origin.length)}`])
}

test('redirects to exactly return_url after a subscription is declined, then paid', async () => {
  const session = await newCheckout({ return_url: returnUrl })
  await withPage(browser, VIEWPORT, (page) => declineThenPay(page, session.url, 'checkout'))
  const done = await daemon.call(api.checkoutSessions.retrieve, { id: session.id })
  assert.equal([done.status, done.payment_status, done.amount_total], ['complete', 'paid', 124_500])
  const { data } = await daemon.call(api.payments.list, { checkout_session: session.id })
  assert.equal(
    data.map(({ status }) => status),
    ['succeeded', 'failed'],
  )
})

test('redirects to exactly return_url after a payment is declined, then paid', async () => {
  const session = await newPayment()
  await withPage(browser, VIEWPORT, (page) => declineThenPay(page, session.url, 'payment'))
  const done = await daemon.call(api.paymentSessions.retrieve, { id: session.id })
  assert.equal([done.status, done.payment_status], ['complete', 'paid'])
})

test('shows the result page without a return_url, also after 3-D Secure and on a later visit', async () => {
  const session = await newCheckout({})
  await withPage(browser, VIEWPORT, async (page) => {
    await page.goto(session.url)
    await pay(page, cardFields(SCA))
    await picture(page, 'checkout-3ds')
    await press(page, page.getByRole('button', { name: 'Approve' }))
    assert.is(await page.textContent('h1'), 'You are subscribed')
    await picture(page, 'checkout-done')
    await page.goto(session.url)
    assert.is(await page.textContent('h1'), 'Already paid')
  })
  assert.equal(hits, [])
})

test('shows that the link of an expired session has expired', async () => {
  const session = await newPayment()
  daemon.clock.move(session.expires_at - daemon.clock.now())
  await withPage(browser, VIEWPORT, async (page) => {
    const response = await page.goto(session.url)
    assert.is(response?.status(), 410)
    assert.is(await page.textContent('h1'), 'This link has expired')
    await picture(page, 'payment-expired')
  })
})

test.run()
