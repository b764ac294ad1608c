import type { Page } from 'playwright-core'
import { useBrowserSession, withPage } from '../pages/browser-session.ts'
import { WALLET_TYPES } from '../pages/wallet-scenes.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('wallet', undefined, 60_000)

const browsing = useBrowserSession(test)

/** Moves the focus with the Tab key to a button, and presses Enter. */
async function pressByKeyboard(page: Page, name: string): Promise<void> {
  const button = page.getByRole(name === 'Pay with wallet' ? 'link' : 'button', { name, exact: true })
  await button.waitFor()
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.locator(':focus').textContent()
    if (focused === name) break
  }
  await page.keyboard.press('Enter')
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
  test(`cancels, declines and approves with the keyboard, ${how}`, async () => {
    const { hosted, browser } = browsing
    const session = await hosted.payment({ ...WALLET_TYPES, return_url: `${browsing.shopUrl}/thanks` })
    await withPage(browser, { javaScriptEnabled }, async (page) => {
      await page.goto(session.url)
      await pressByKeyboard(page, 'Pay with wallet')
      await pressByKeyboard(page, 'Cancel')
      await page.waitForURL(session.url)
      await pressByKeyboard(page, 'Pay with wallet')
      await pressByKeyboard(page, 'Decline')
      const alert = page.getByRole('alert')
      await alert.waitFor()
      assert.match((await alert.textContent()) ?? '', 'The card ending in 4242 was not charged.')
      await page.goto(session.url)
      await pressByKeyboard(page, 'Pay with wallet')
      await pressByKeyboard(page, 'Approve')
      await page.waitForURL(/thanks/)
    })
    assert.is((await hosted.runtime.store.get('payment_sessions', session.id))?.status, 'complete')
  })
}

test.run()
