import type { Page } from 'playwright-core'
import { type BrowserSession, startBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, pathOf } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/drawer', undefined, 60_000)

const DECLINED = card('4000000000000002')

let browsing: BrowserSession

test.before(async () => {
  browsing = await startBrowserSession()
  browsing.hosted.pages.isLocal = true
})

test.after(() => browsing?.close())

const waitForEvent = (page: Page) => page.locator('.events', { hasText: 'payment.failed' }).waitFor()

test('updates an open drawer without changing the card form', async () => {
  const { url } = await browsing.hosted.payment()
  await withPage(browsing.browser, {}, async (page) => {
    await page.goto(`${url}?developer`)
    await page.fill('#number', '4242')
    await page.evaluate('document.body.dataset.mark = "here"')
    await browsing.hosted.submit(pathOf({ url }), DECLINED)
    await waitForEvent(page)
    assert.is(await page.inputValue('#number'), '4242')
    assert.is(await page.evaluate('document.activeElement.id'), 'number')
    assert.is(await page.evaluate('document.body.dataset.mark'), 'here')
  })
})

test('sends no requests while the drawer is closed', async () => {
  const { url } = await browsing.hosted.payment()
  await withPage(browsing.browser, {}, async (page) => {
    await page.clock.install()
    await page.goto(url)
    let asked = 0
    page.on('request', () => {
      asked += 1
    })
    await browsing.hosted.submit(pathOf({ url }), DECLINED)
    await page.clock.runFor(10_000)
    assert.is(asked, 0)
    await page.click('.drawer summary')
    await waitForEvent(page)
  })
})

test('reloads the drawer with its link when scripts are disabled', async () => {
  const { url } = await browsing.hosted.payment()
  await withPage(browsing.browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${url}?developer`)
    await browsing.hosted.submit(pathOf({ url }), DECLINED)
    await page.click('.drawer .reload')
    await waitForEvent(page)
  })
})

test.run()
