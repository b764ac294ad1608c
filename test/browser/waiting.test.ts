import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import { SLOW_CARD_SECONDS } from '../../src/domain/cards/test-cards.ts'
import { fill, pay, press, withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'

const SLOW = '4000009000000060'
const DESKTOP = { viewport: { width: 1100, height: 800 } }
const PHONE = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const
/** 3 May 2040, 12:00 UTC. */
const MAY_2040 = 2_219_659_200

const test = suite('browser/waiting', undefined, 60_000)

let daemon: TestDaemon
let browser: Browser

test.before(async () => {
  ;[daemon, browser] = await Promise.all([openDaemon(), launchBrowser()])
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

/** Saves a screenshot in the folder of the SCREENSHOTS variable, for manual review. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** Returns the heading of a static page, and fails if the page scrolls sideways. */
async function headingOf(page: Page): Promise<string> {
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  assert.not.ok(isTooWide, `${page.url()} scrolls sideways`)
  return (await page.textContent('h1')) ?? ''
}

/** Waits until the browser navigates to a page with a heading by itself. */
async function waitForHeading(page: Page, heading: string): Promise<void> {
  await page.locator('h1', { hasText: heading }).waitFor()
}

async function newCustomer(test_clock?: string): Promise<string> {
  const fields = { email: 'ada@example.com', name: 'Ada Lovelace' }
  return (await daemon.call(api.customers.create, test_clock ? { ...fields, test_clock } : fields)).id
}

async function newClock(frozen_time: number): Promise<string> {
  return (await daemon.call(api.testClocks.create, { frozen_time })).id
}

function newCheckout(customer: string) {
  return daemon.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer,
    subscription_data: {
      interval: 'month',
      items: [{ description: 'Parking space 12', price_data: { amount: 4500 } }],
    },
  })
}

const VIEWS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['desktop', { ...DESKTOP, javaScriptEnabled: false }],
  ['phone', PHONE],
]

for (const [name, options] of VIEWS) {
  test(`waits for a slow bank and then shows the result without a click, ${name}`, async () => {
    const session = await newCheckout(await newCustomer())
    await withPage(browser, options, async (page) => {
      await page.goto(session.url)
      await fill(page, cardFields(SLOW))
      await page.dblclick('.panel form button')
      await waitForHeading(page, 'Your payment is being processed')
      await picture(page, `processing-${name}`)
      // The page may refresh itself at any time, so only its final state can be checked.
      const other = await page.context().newPage()
      await other.goto(session.url)
      await waitForHeading(other, 'Your payment is being processed')
      daemon.clock.move(SLOW_CARD_SECONDS)
      for (const one of [page, other]) await waitForHeading(one, 'You are subscribed')
    })
    const { data } = await daemon.call(api.payments.list, { checkout_session: session.id })
    assert.equal(
      data.map(({ status }) => status),
      ['succeeded'],
    )
  })

  test(`shows a page in the time of the test clock, ${name}`, async () => {
    const session = await newCheckout(await newCustomer(await newClock(MAY_2040)))
    await withPage(browser, options, async (page) => {
      await page.goto(session.url)
      assert.match((await page.textContent('.schedule')) ?? '', /The next payment is on June.3,.2040/)
      await pay(page, { ...cardFields('4242424242424242'), expiry: '04/40' })
      assert.match((await page.textContent('#expiry-error')) ?? '', 'is in the past')
      await picture(page, `clock-expired-card-${name}`)
      await pay(page, { ...cardFields('4242424242424242'), expiry: '05/40' })
      assert.is(await headingOf(page), 'You are subscribed')
      assert.match((await page.textContent('main')) ?? '', /June.3,.2040/)
      await picture(page, `clock-done-${name}`)
    })
  })

  test(`pays an invoice when 3-D Secure is first rejected, then approved, ${name}`, async () => {
    const { invoice, clock } = await createOpenInvoice()
    await withPage(browser, options, async (page) => {
      await page.goto(await challenge(invoice))
      assert.is(await headingOf(page), 'Confirm your payment')
      await picture(page, `invoice-3ds-${name}`)
      await press(page, page.getByRole('button', { name: 'Reject' }))
      await waitForHeading(page, 'Payment not confirmed')
      assert.is(await headingOf(page), 'Payment not confirmed')
      await picture(page, `invoice-rejected-${name}`)
      const url = await challenge(invoice)
      await page.goto(url)
      await press(page, page.getByRole('button', { name: 'Approve' }))
      await waitForHeading(page, 'Invoice paid')
      assert.is(await headingOf(page), 'Invoice paid')
      await picture(page, `invoice-paid-${name}`)
      await page.goto(url)
      assert.is(await headingOf(page), 'Nothing left to confirm')
      await picture(page, `invoice-gone-${name}`)
      await press(page, page.getByRole('link', { name: 'See the result' }))
      await waitForHeading(page, 'Invoice paid')
    })
    const paid = await daemon.call(api.invoices.retrieve, { id: invoice })
    assert.equal([paid.status, paid.test_clock], ['paid', clock])
  })
}

/** Creates an open invoice of a customer whose card always requires 3-D Secure. */
async function createOpenInvoice(): Promise<{ readonly invoice: string; readonly clock: string }> {
  const clock = await newClock(daemon.clock.now())
  const customer = await newCustomer(clock)
  const { id } = await newCheckout(customer)
  await daemon.call(api.checkoutSessions.complete, { id, test_card: 'sca_always' })
  await daemon.call(api.testClocks.advance, { id: clock, by: { interval: 'month', count: 1 } })
  const { data } = await daemon.call(api.invoices.list, { customer, status: 'open' })
  return { invoice: data[0]?.id ?? '', clock }
}

/** Pays an invoice on-session and resolves with the 3-D Secure URL. */
async function challenge(id: string): Promise<string> {
  await daemon.call(api.invoices.pay, { id, off_session: false }).catch(() => {})
  const { data } = await daemon.call(api.payments.list, { invoice: id, status: 'requires_action' })
  return data[0]?.next_action?.redirect_to_url.url ?? ''
}

test.run()
