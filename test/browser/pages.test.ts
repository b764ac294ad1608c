import type { BrowserContextOptions, Page } from 'playwright-core'
import { createTestClock, type TestClock } from '../../src/domain/time/test-clocks.ts'
import {
  type BrowserSession,
  fill,
  pay,
  press,
  startBrowserSession,
  withPage as visitWith,
} from '../pages/browser-session.ts'
import { card, type HostedPages, NOW, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('pages', undefined, 60_000)

let browsing: BrowserSession
let hosted: HostedPages

test.before(async () => {
  browsing = await startBrowserSession()
  hosted = browsing.hosted
})

test.after(() => browsing?.close())

test.before.each(() => {
  hosted.pages.isLocal = false
  browsing.shopHits.length = 0
  browsing.acceptOverride = undefined
})

function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  return visitWith(browsing.browser, options, work)
}

async function alertIn(page: Page): Promise<string> {
  return (await page.textContent('[role=alert]')) ?? ''
}

const returnUrl = () => `${browsing.shopUrl}/thanks?order=7&from=a%20b&next=https://x.example/?y=1;z=2`
const makers = {
  payment: () => hosted.payment({ return_url: returnUrl(), description: 'Workshop' }),
  checkout: () => hosted.checkout({}, { return_url: returnUrl() }),
}

for (const kind of ['payment', 'checkout'] as const) {
  test(`redirects to exactly return_url after a ${kind} session is declined, then paid, without scripts`, async () => {
    const session = await makers[kind]()
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

  const javaScriptEnabled = kind === 'checkout'
  const how = javaScriptEnabled ? 'with scripts allowed' : 'without scripts'
  test(`completes a ${kind} session when 3-D Secure is first rejected, then approved, ${how}`, async () => {
    const session = await makers[kind]()
    await visit({ javaScriptEnabled }, async (page) => {
      await page.goto(session.url)
      await pay(page, card('4000000000003220'))
      assert.is(await page.textContent('h1'), 'Confirm your payment')
      await press(page, page.getByRole('button', { name: 'Reject' }))
      assert.match(await alertIn(page), 'The card ending in 3220 was not charged.')
      await pay(page, card('4000000000003220'))
      await press(page, page.getByRole('button', { name: 'Approve' }))
      await page.waitForURL(/thanks/)
      assert.is(page.url(), returnUrl())
    })
  })
}

test('saves a card after 3-D Secure approval', async () => {
  const session = await hosted.checkout({ start_date: NOW + 86_400 })
  await visit({ javaScriptEnabled: false }, async (page) => {
    await page.goto(session.url)
    await pay(page, card('4000000000003220'))
    assert.is(await page.textContent('h1'), 'Confirm your card')
    await press(page, page.getByRole('button', { name: 'Approve' }))
    assert.is(await page.textContent('h1'), 'You are subscribed')
    assert.match((await page.textContent('main')) ?? '', 'nothing was charged today')
  })
})

test('the card form can be used with the keyboard alone, in page order', async () => {
  const session = await makers.payment()
  await visit({}, async (page) => {
    await page.goto(session.url)
    // The first stop is the test bar.
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
  const session = await makers.checkout()
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

test('leaves the page by a refresh after completion, because the browser would block a redirect', async () => {
  const session = await makers.payment()
  const context = await browsing.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(session.url)
  browsing.acceptOverride = '*/*'
  const blocked = page.waitForEvent('console', (message) => /form-action 'self'/.test(message.text()))
  await pay(page, VISA)
  await blocked
  await context.close()
  assert.equal(browsing.shopHits, [])
})

test('serves the pages under another host name of this machine', async () => {
  const session = await makers.payment()
  await visit({}, async (page) => {
    await page.goto(session.url.replace('127.0.0.1', 'localhost'))
    await pay(page, VISA)
    await page.waitForURL(/thanks/)
    assert.is(page.url(), returnUrl())
  })
})

test('the page refreshes itself while the clock is advancing', async () => {
  const clock = await hosted.create((ruleContext) => createTestClock({ frozen_time: NOW }, ruleContext))
  const session = await hosted.payment(
    { return_url: returnUrl() },
    await hosted.customer({ test_clock: clock.id }),
  )
  const put = (status: TestClock['status']) =>
    hosted.runtime.store.transact(async () => ({
      result: null,
      writes: [{ put: { ...clock, status } }],
      events: [],
    }))
  await visit({ javaScriptEnabled: false }, async (page) => {
    await page.goto(session.url)
    await put('advancing')
    await pay(page, VISA)
    assert.match((await page.textContent('main')) ?? '', 'The form you just sent was not used')
    await press(page, page.getByRole('link', { name: 'Try again' }))
    assert.is(await page.textContent('h1'), 'One moment, please')
    await put('ready')
    await page.waitForSelector('#number')
    await pay(page, VISA)
    await page.waitForURL(/thanks/)
  })
})

test('fits the card expiry into its fields on small phones', async () => {
  const session = await makers.payment()
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

/** Returns whether every visible `3-D Secure` runs from left to right. */
const NAMES_RUN_RIGHT = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    const at = texts.currentNode.data.indexOf('3-D Secure')
    if (at < 0) continue
    const [first, last] = [at, at + 9].map((offset) => {
      const one = document.createRange()
      one.setStart(texts.currentNode, offset)
      one.setEnd(texts.currentNode, offset + 1)
      return one.getBoundingClientRect()
    })
    if (last.width > 0) found.push(first.left < last.left)
  }
  return found
})()`

test('keeps the direction of Latin text that starts with a digit in Arabic', async () => {
  hosted.pages.isLocal = true
  const session = await hosted.payment()
  await visit({ locale: 'ar-EG' }, async (page) => {
    await page.goto(session.url)
    await page.click('.tests summary')
    const named = (await page.evaluate(NAMES_RUN_RIGHT)) as boolean[]
    assert.ok(named.length >= 2)
    assert.not.ok(named.includes(false))
    await pay(page, card('4000000000003220'))
    await page.waitForSelector('button[value=approve]')
    assert.equal(await page.evaluate(NAMES_RUN_RIGHT), [true])
  })
})

test.run()
