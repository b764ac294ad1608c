import type { BrowserContextOptions, Page } from 'playwright-core'
import { pay, press, useBrowserSession, withPage } from '../pages/browser-session.ts'
import { card, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/language', undefined, 60_000)

const browsing = useBrowserSession(test)

async function open(work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const session = await browsing.hosted.payment({ return_url: `${browsing.shopUrl}/thanks` })
  await withPage(browsing.browser, { locale: 'en-US', ...options }, async (page) => {
    await page.goto(session.url)
    await work(page)
  })
}

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang')
const button = (page: Page) => page.locator('.foot button')

test('shows the page in the chosen language immediately, without a button', async () => {
  await open(async (page) => {
    assert.is(await button(page).count(), 0)
    await Promise.all([page.waitForURL(/\?lang=ar$/), page.getByLabel('Language').selectOption('ar')])
    assert.equal([await languageOf(page), await page.inputValue('.foot select')], ['ar', 'ar'])
    assert.is(await page.evaluate('document.documentElement.dir'), 'rtl')
    await pay(page, VISA)
    await page.waitForURL(`${browsing.shopUrl}/thanks`)
  })
})

test('shows the previous language again when the browser goes back', async () => {
  await open(async (page) => {
    await Promise.all([page.waitForURL(/\?lang=de$/), page.selectOption('.foot select', 'de')])
    await page.goBack()
    assert.equal([await languageOf(page), await page.inputValue('.foot select')], ['en-US', 'en'])
  })
})

test('keeps the notice of a declined card when the language changes', async () => {
  await open(async (page) => {
    await pay(page, card('4000000000000002'))
    await Promise.all([page.waitForURL(/[?&]lang=de$/), page.selectOption('.foot select', 'de')])
    assert.match((await page.textContent('#notice')) ?? '', 'Karte abgelehnt')
    assert.is(await page.inputValue('#name'), VISA['name'])
  })
})

test('changes a language selected by keyboard only after the button is pressed', async () => {
  await open(async (page) => {
    await page.focus('.foot select')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    assert.equal([await page.inputValue('.foot select'), await languageOf(page)], ['fr', 'en-US'])
    await page.keyboard.press('Tab')
    assert.is(await page.evaluate('document.activeElement.localName'), 'button')
    await Promise.all([page.waitForURL(/\?lang=fr$/), page.keyboard.press('Enter')])
    assert.is(await languageOf(page), 'fr')
  })
})

test('hides the language button while the Tab key only moves the focus past the select', async () => {
  await open(async (page) => {
    await page.focus('.foot select')
    await page.keyboard.press('Shift+Tab')
    assert.is(await button(page).count(), 0)
  })
})

test('without JavaScript, changes the language with the button and keeps the language until the payment', async () => {
  const choose = async (page: Page) => {
    await page.selectOption('.foot select', 'de')
    await press(page, button(page))
    assert.equal([await languageOf(page), new URL(page.url()).search.startsWith('?lang=de')], ['de', true])
    await pay(page, { ...VISA, number: '4000000000000002' })
    assert.match((await page.textContent('#notice')) ?? '', 'Karte abgelehnt')
    await page.selectOption('.foot select', 'ja')
    await press(page, button(page))
    assert.is(await languageOf(page), 'ja')
    assert.ok(await page.isVisible('#notice'))
    await pay(page, VISA)
    await page.waitForURL(`${browsing.shopUrl}/thanks`)
  }
  await open(choose, { javaScriptEnabled: false })
})

test.run()
