import type { BrowserContextOptions, Page } from 'playwright-core'
import { fill, pay, useBrowserSession, withPage as visitWith } from '../pages/browser-session.ts'
import { card, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('pages', undefined, 60_000)

const browsing = useBrowserSession(test)

function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  return visitWith(browsing.browser, options, work)
}

async function alertIn(page: Page): Promise<string> {
  return (await page.textContent('[role=alert]')) ?? ''
}

const returnUrl = () => `${browsing.shopUrl}/thanks?order=7&from=a%20b&next=https://x.example/?y=1;z=2`
const payment = () => browsing.hosted.payment({ return_url: returnUrl() })

test('redirects to the exact return_url after a decline and a payment, without scripts', async () => {
  const session = await payment()
  await visit({ javaScriptEnabled: false }, async (page) => {
    await page.goto(session.url)
    await pay(page, card('4000000000000002'))
    assert.match(await alertIn(page), 'The card ending in 0002 was not charged.')
    assert.is(await page.inputValue('#number'), '')
    assert.is(await page.inputValue('#name'), 'Ada')
    await pay(page, VISA)
    await page.waitForURL(/thanks/)
    assert.is(page.url(), returnUrl())
    assert.equal(browsing.shopHits, [`GET ${returnUrl().slice(browsing.shopUrl.length)}`])
    await page.goto(session.url)
    assert.is(await page.textContent('h1'), 'Already paid')
    assert.is(await page.getAttribute('main a', 'href'), returnUrl())
  })
})

test('the card form can be used with the keyboard alone, in page order', async () => {
  const session = await payment()
  await visit({}, async (page) => {
    await page.goto(session.url)
    // The first Tab key moves the focus to the test bar.
    await page.keyboard.press('Tab')
    for (const text of ['4242424242424241', '1230', '12', 'Ada']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Tab')
    assert.is(await page.textContent(':focus'), 'Pay €45.00')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#number-error:not([hidden])')
    assert.is(await page.getAttribute(':focus', 'id'), 'number')
    assert.ok(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle === 'solid'"))
    await page.keyboard.press('Control+A')
    await page.keyboard.type(VISA['number'] ?? '')
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('Tab')
    assert.is(await page.getAttribute(':focus', 'id'), 'cvc')
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await page.waitForURL(/thanks/)
  })
})

test('labels every form field and links it to its error', async () => {
  const session = await payment()
  await visit({}, async (page) => {
    await page.goto(session.url)
    for (const name of ['Card number', 'Expiry', 'Security code', 'Name on card (optional)']) {
      assert.is(await page.getByRole('textbox', { name, exact: true }).count(), 1, name)
    }
    await pay(page, { ...VISA, expiry: '13/30', cvc: '1' })
    for (const [name, message] of [
      ['Expiry', 'from 1 to 12'],
      ['Security code', '3 digits'],
    ] as const) {
      const field = page.getByRole('textbox', { name, exact: true })
      assert.is(await field.getAttribute('aria-invalid'), 'true')
      const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
      const texts = await Promise.all(ids.map((id) => page.textContent(`#${id}`)))
      assert.match(texts.join(' '), message)
    }
    assert.is(await page.getAttribute(':focus', 'id'), 'expiry')
  })
})

test('the expiry and the security code fit into their fields on small phones', async () => {
  const session = await payment()
  await visit({}, async (page) => {
    await page.goto(session.url)
    await fill(page, { expiry: '12/2040', cvc: '1234' })
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 640 })
      for (const id of ['expiry', 'cvc']) {
        const fits = await page.evaluate(
          `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.getElementById('${id}'))`,
        )
        assert.ok(fits, `${id} at ${width}`)
      }
    }
  })
})

test.run()
