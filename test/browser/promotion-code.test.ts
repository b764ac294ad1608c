import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import { pay, press, withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { cardFields } from '../support/page-forms.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/promotion-code', undefined, 60_000)

const VISA = '4242424242424242'
/** 31 January 2026. */
const JANUARY = 1_769_817_600

let daemon: TestDaemon
let browser: Browser

test.before(async () => {
  ;[daemon, browser] = await Promise.all([openDaemon(), launchBrowser()])
  const terms = { id: 'SPRING', percent_off: 25, duration: 'repeating', duration_in_months: 3 } as const
  const { id: coupon } = await daemon.call(api.coupons.create, { name: 'Spring offer', ...terms })
  await daemon.call(api.promotionCodes.create, { coupon, code: 'SPRING-25' })
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

async function openCheckout() {
  const clock = (await daemon.call(api.testClocks.create, { frozen_time: JANUARY })).id
  const fields = { email: 'ada@example.com', name: 'Ada', test_clock: clock }
  const customer = (await daemon.call(api.customers.create, fields)).id
  const items = [
    { description: 'Pro plan', price_data: { amount: 2900, tax_percent: 19 } },
    { description: 'Seat', quantity: 3, price_data: { amount: 500, tax_percent: 19 } },
  ]
  const session = await daemon.call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', allow_promotion_codes: true },
    subscription_data: { interval: 'month', items },
  })
  return { clock, session }
}

async function textOf(page: Page): Promise<string> {
  return (await page.innerText('main')).replace(/\s+/g, ' ')
}

async function enter(page: Page, code: string): Promise<void> {
  await page.fill('#code', code)
  await press(page, '.code button')
}

/** Subscribes with a promotion code after a wrong code, and returns the subscription. */
async function subscribe(options: BrowserContextOptions) {
  const { clock, session } = await openCheckout()
  await withPage(browser, options, async (page) => {
    await page.goto(session.url)
    await enter(page, 'AUTUMN')
    assert.match(await textOf(page), 'This promotion code is not valid.')
    assert.is(await page.inputValue('#code'), 'AUTUMN')
    await enter(page, 'spring-25')
    assert.match(await textOf(page), '€39.27')
    await press(page, page.getByRole('button', { name: 'Remove' }))
    assert.match(await textOf(page), 'Pay €52.36 and subscribe')
    await enter(page, 'SPRING-25')
    await pay(page, cardFields(VISA))
    assert.match(await textOf(page), 'Spring offer 25% -€11.00')
  })
  const { subscription } = await daemon.call(api.checkoutSessions.retrieve, { id: session.id })
  return { clock, subscription: subscription ?? '' }
}

test('a promotion code discounts the first three monthly invoices, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { clock, subscription } = await subscribe({ javaScriptEnabled })
    await daemon.call(api.testClocks.advance, { id: clock, by: { interval: 'month', count: 3 } })
    const { data } = await daemon.call(api.invoices.list, { subscription })
    assert.equal(
      data.map(({ status, total }) => `${status} ${total}`),
      ['paid 5236', 'paid 3927', 'paid 3927', 'paid 3927'],
    )
  }
  const coupon = await daemon.call(api.coupons.retrieve, { id: 'SPRING' })
  assert.is('deleted' in coupon ? null : coupon.times_redeemed, 2)
})

test.run()
