import type { Page } from 'playwright-core'
import { pay, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('journeys', undefined, 60_000)

const browsing = useBrowserSession(test)

const thanksUrl = () => `${browsing.shopUrl}/thanks`
const payment = () => browsing.hosted.payment({ return_url: thanksUrl() })
const checkout = () => browsing.hosted.checkout({}, { return_url: thanksUrl() })

async function heading(page: Page): Promise<string> {
  return (await page.textContent('h1')) ?? ''
}

async function alertIn(page: Page): Promise<string> {
  return (await page.textContent('[role=alert]')) ?? ''
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
  // Both kinds of sessions share the pages of their forms.
  const [kind, newSession] = javaScriptEnabled ? ['checkout', checkout] : ['payment', payment]
  const visit = (work: (page: Page) => Promise<void>) =>
    withPage(browsing.browser, { javaScriptEnabled }, work)

  test(`shows the right page on back, forward and reload for a ${kind} that was declined, then paid, ${how}`, async () => {
    const session = await newSession()
    const before = (await browsing.hosted.events()).length
    await visit(async (page) => {
      await page.goto(browsing.shopUrl)
      await page.goto(session.url)
      await pay(page, card('4000000000000002'))
      const told = async () => assert.match(await alertIn(page), 'The card ending in 0002 was not charged.')
      await told()
      assert.is(await page.inputValue('#name'), 'Ada')
      await page.reload()
      await told()
      await page.goBack()
      assert.is(await page.locator('[role=alert]').count(), 0)
      await page.goForward()
      await told()
      await pay(page, VISA)
      await page.waitForURL(/thanks/)
      for (const visited of ['Already paid', 'Already paid']) {
        await page.goBack()
        assert.is(await heading(page), visited)
        await page.reload()
        assert.is(await heading(page), visited)
      }
      await page.goBack()
      assert.is(page.url(), `${browsing.shopUrl}/`)
      await page.goForward()
      assert.is(await heading(page), 'Already paid')
    })
    const events = (await browsing.hosted.events()).slice(before)
    for (const type of ['payment.succeeded', 'payment.failed']) {
      assert.is(events.filter((one) => one === type).length, 1, type)
    }
  })

  test(`accepts payment and 3-D Secure approval with the keyboard alone, ${how}`, async () => {
    const session = await payment()
    await visit(async (page) => {
      await page.goto(session.url)
      // The first Tab key moves the focus to the test bar.
      await page.keyboard.press('Tab')
      for (const text of ['4000000000003220', '1230', '123', 'Ada']) {
        await page.keyboard.press('Tab')
        await page.keyboard.type(text)
      }
      await page.keyboard.press('Enter')
      await page.waitForSelector('button[value=approve]')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/thanks/)
    })
  })
}

test.run()
