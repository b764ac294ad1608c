import type { Browser, BrowserContextOptions } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import { SLOW_CARD_SECONDS } from '../../src/domain/cards/test-cards.ts'
import { fill, pay, withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'

const SLOW = '4000009000000060'
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

/** Creates a checkout session whose customer may be on a test clock. */
async function newCheckout(test_clock?: string) {
  const fields = { email: 'ada@example.com', name: 'Ada Lovelace' }
  const { id } = await daemon.call(api.customers.create, test_clock ? { ...fields, test_clock } : fields)
  return daemon.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer: id,
    subscription_data: {
      interval: 'month',
      items: [{ description: 'Parking space 12', price_data: { amount: 4500 } }],
    },
  })
}

const VIEWS: readonly (readonly [how: string, options: BrowserContextOptions])[] = [
  ['without scripts', { javaScriptEnabled: false }],
  ['with scripts', {}],
]

for (const [how, options] of VIEWS) {
  test(`waits for a slow bank and then shows the result without a click, ${how}`, async () => {
    const session = await newCheckout()
    await withPage(browser, options, async (page) => {
      await page.goto(session.url)
      await fill(page, cardFields(SLOW))
      await page.dblclick('.panel form button')
      await page.locator('h1', { hasText: 'Your payment is being processed' }).waitFor()
      // The page may refresh automatically at any time, so only its final state can be checked.
      const other = await page.context().newPage()
      await other.goto(session.url)
      await other.locator('h1', { hasText: 'Your payment is being processed' }).waitFor()
      daemon.clock.move(SLOW_CARD_SECONDS)
      for (const one of [page, other]) await one.locator('h1', { hasText: 'You are subscribed' }).waitFor()
    })
    const { data } = await daemon.call(api.payments.list, { checkout_session: session.id })
    assert.equal(
      data.map(({ status }) => status),
      ['succeeded'],
    )
  })
}

test('the page checks the card expiry at the time of the test clock before it sends the form', async () => {
  const { id } = await daemon.call(api.testClocks.create, { frozen_time: MAY_2040 })
  const session = await newCheckout(id)
  await withPage(browser, {}, async (page) => {
    await page.goto(session.url)
    await pay(page, { ...cardFields('4242424242424242'), expiry: '04/40' })
    assert.match((await page.textContent('#expiry-error')) ?? '', 'is in the past')
    assert.is(page.url(), session.url)
    await pay(page, { ...cardFields('4242424242424242'), expiry: '05/40' })
    assert.is(await page.textContent('h1'), 'You are subscribed')
  })
})

test.run()
