import type { BrowserContextOptions, Page } from 'playwright-core'
import { fill, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, pathOf } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/test-bar', undefined, 60_000)

const DECLINED = card('4000000000000002')

const WITHOUT_SCRIPTS = { javaScriptEnabled: false }

const browsing = useBrowserSession(test)

test.before.each(() => {
  browsing.hosted.pages.isLocal = true
})

const waitForEvent = (page: Page) => page.locator('.events', { hasText: 'payment.failed' }).waitFor()

/** Opens the page of a new payment session. */
async function visit(
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const { url } = await browsing.hosted.payment({ return_url: `${browsing.shopUrl}/thanks` })
  await withPage(browsing.browser, options, async (page) => {
    await page.goto(url)
    await work(page)
  })
}

/** Moves the focus from the top of the page with the Tab key. */
async function tab(page: Page, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await page.keyboard.press('Tab')
}

test('fills in a test card by keyboard', async () => {
  browsing.hosted.pages.isLocal = false
  await visit(async (page) => {
    await tab(page, 1)
    await page.keyboard.press('Enter')
    await tab(page, 2)
    await page.keyboard.press('Enter')
    assert.is(await page.inputValue('#number'), '4000 0000 0000 0002')
    await page.keyboard.press('Enter')
    await page.locator('[role=alert]', { hasText: 'Your card was declined.' }).waitFor()
  })
})

test('lists the test cards when scripts are disabled', async () => {
  browsing.hosted.pages.isLocal = false
  await visit(async (page) => {
    assert.is(await page.locator('.tests li').first().isVisible(), false)
    await page.click('.tests summary')
    assert.match(await page.locator('.tests').innerText(), '4000 0000 0000 9995')
    assert.is(await page.locator('.tests button').count(), 0)
  }, WITHOUT_SCRIPTS)
})

for (const options of [{}, WITHOUT_SCRIPTS]) {
  const how = 'javaScriptEnabled' in options ? 'without scripts' : 'with scripts'

  test(`submits an outcome of a local server by keyboard, ${how}`, async () => {
    await visit(async (page) => {
      await tab(page, 1)
      await page.keyboard.press('Enter')
      await tab(page, 1)
      assert.is(await page.textContent(':focus'), 'Succeeds')
      await page.keyboard.press('Enter')
      await page.waitForURL(/thanks/)
    }, options)
  })

  test(`submits the entered card and no outcome when Enter is pressed in a field, ${how}`, async () => {
    await visit(async (page) => {
      await page.click('.tests summary')
      await fill(page, DECLINED)
      await page.press('#name', 'Enter')
      await page.locator('[role=alert]', { hasText: 'Your card was declined.' }).waitFor()
    }, options)
  })
}

test('updates the events of an open test bar without changing the card form', async () => {
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

test('sends no requests while the test bar is closed', async () => {
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
    await page.click('.tests summary')
    await waitForEvent(page)
  })
})

test('reloads the events with their link when scripts are disabled', async () => {
  const { url } = await browsing.hosted.payment()
  await withPage(browsing.browser, WITHOUT_SCRIPTS, async (page) => {
    await page.goto(`${url}?developer`)
    await browsing.hosted.submit(pathOf({ url }), DECLINED)
    await page.click('.tests .reload')
    await waitForEvent(page)
  })
})

test.run()
