import type { Page } from 'playwright-core'
import { type Browsing, pay, startBrowsing, visit } from '../pages/browsing.ts'
import { card, VISA } from '../pages/hosted.ts'
import { HOSTILE } from '../pages/hostile.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('hostile', undefined, 60_000)

const ITEMS_PER_SESSION = 20
const BATCHES = Array.from({ length: Math.ceil(HOSTILE.length / ITEMS_PER_SESSION) }, (_, n) =>
  HOSTILE.slice(n * ITEMS_PER_SESSION, (n + 1) * ITEMS_PER_SESSION),
)

let browsing: Browsing

test.before(async () => {
  browsing = await startBrowsing()
  browsing.hosted.pages.isLocal = true
})

test.after(() => browsing?.close())

/** On a narrow phone; whatever the policy would have to block fails. */
function visitNarrow(javaScriptEnabled: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  return visit(browsing.browser, { javaScriptEnabled, viewport: { width: 320, height: 640 } }, work)
}

async function isHarmless(page: Page): Promise<void> {
  assert.is(await page.evaluate('window.pwned'), undefined)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'it scrolls sideways')
}

test('the corpus has sixty strings or more', () => assert.ok(HOSTILE.length >= 60))

for (const [n, texts] of BATCHES.entries()) {
  for (const isScripted of [true, false]) {
    const how = `batch ${n + 1}, ${isScripted ? 'with' : 'without'} scripts`

    test(`text of a merchant or a buyer is only text on a subscription and its result: ${how}`, async () => {
      const [first = ''] = texts
      const items = texts.map((description) => ({
        description,
        price_data: { amount: 999_999_999_999, tax_percent: 0.0001 },
      }))
      const { hosted } = browsing
      const customer = await hosted.customer({ name: texts.join(''), email: first })
      const session = await hosted.checkout({ items }, { description: texts.join('') }, customer)
      await visitNarrow(isScripted, async (page) => {
        await page.goto(session.url)
        assert.equal(await page.locator('.lines bdi').allTextContents(), texts)
        await pay(page, { ...card('4000000000000002'), name: first })
        await page.waitForSelector('[role=alert]')
        assert.is(await page.inputValue('#name'), first)
        await isHarmless(page)
        await pay(page, VISA)
        await page.waitForURL(/done/)
        await isHarmless(page)
      })
    })

    test(`and on a payment, in 3-D Secure and on what is done: ${how}`, async () => {
      const session = await browsing.hosted.payment({ description: texts.join(' ').slice(0, 500) })
      await visitNarrow(isScripted, async (page) => {
        await page.goto(session.url)
        await isHarmless(page)
        await pay(page, { ...card('4000000000003220'), name: texts[1] ?? '' })
        await page.waitForSelector('button[value=approve]')
        await isHarmless(page)
        await page.goto(session.url)
        await isHarmless(page)
      })
    })
  }
}

test.run()
