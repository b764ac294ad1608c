import type { Page } from 'playwright-core'
import type { Customer } from '../../src/domain/payments/customers.ts'
import { type BrowserSession, fill, press, startBrowserSession, withPage } from '../pages/browser-session.ts'
import { type HostedPages, NOW, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/changed-offers', undefined, 60_000)

let browsing: BrowserSession
let hosted: HostedPages

test.before(async () => {
  browsing = await startBrowserSession()
  hosted = browsing.hosted
})

test.after(() => browsing?.close())

test.before.each(() => {
  hosted.now = NOW
})

const button = (page: Page) => page.locator('main form [type=submit]').first()

async function useCredit(customer: Customer): Promise<void> {
  const put: Customer = { ...customer, balances: {} }
  await hosted.runtime.store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
}

/** Opens a session, changes its price while the page is open, pays, and pays again after the note. */
async function payTwice(
  url: string,
  { javaScriptEnabled, before }: { readonly javaScriptEnabled: boolean; readonly before: string },
  change: () => Promise<void> | void,
): Promise<void> {
  await withPage(browsing.browser, { javaScriptEnabled }, async (page) => {
    await page.goto(url)
    assert.is((await button(page).textContent())?.trim(), before)
    await change()
    await fill(page, VISA)
    await press(page, button(page))
    assert.match((await page.textContent('[role=alert]')) ?? '', 'The price or the terms have changed')
    assert.is((await button(page).textContent())?.trim(), 'Pay €1,200.00 and subscribe')
    await fill(page, VISA)
    await press(page, button(page))
    assert.match(page.url(), '/done')
  })
}

for (const javaScriptEnabled of [true, false]) {
  const script = javaScriptEnabled ? 'with' : 'without'

  test(`shows the new price before it charges when a credit was used meanwhile, ${script} scripts`, async () => {
    const customer = await hosted.customer({ balances: { eur: -40_000 } })
    const { url } = await hosted.checkout({}, {}, customer)
    const before = 'Pay €800.00 and subscribe'
    await payTwice(url, { javaScriptEnabled, before }, () => useCredit(customer))
  })

  test(`shows the price before it charges when the trial ended meanwhile, ${script} scripts`, async () => {
    const { url } = await hosted.checkout({ trial_end: NOW + 60 })
    await payTwice(url, { javaScriptEnabled, before: 'Start trial' }, () => {
      hosted.now = NOW + 60
    })
  })
}

test.run()
