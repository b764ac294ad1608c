import type { Page } from 'playwright-core'
import { type Browsing, startBrowsing, visit } from '../pages/browsing.ts'
import { card, pathOf } from '../pages/hosted.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/drawer', undefined, 60_000)

const DECLINED = card('4000000000000002')

let browsing: Browsing

test.before(async () => {
  browsing = await startBrowsing()
  browsing.hosted.pages.isLocal = true
})

test.after(() => browsing?.close())

const happened = (page: Page) => page.locator('.happenings', { hasText: 'payment.failed' }).waitFor()

test('an open drawer shows what happens meanwhile, beside a form that somebody is typing in', async () => {
  const { url } = await browsing.hosted.payment()
  await visit(browsing.browser, {}, async (page) => {
    await page.goto(`${url}?developer`)
    await page.fill('#number', '4242')
    await page.evaluate('document.body.dataset.mark = "here"')
    await browsing.hosted.submit(pathOf({ url }), DECLINED)
    await happened(page)
    assert.is(await page.inputValue('#number'), '4242')
    assert.is(await page.evaluate('document.activeElement.id'), 'number')
    assert.is(await page.evaluate('document.body.dataset.mark'), 'here')
  })
})

test('a closed drawer asks for nothing', async () => {
  const { url } = await browsing.hosted.payment()
  await visit(browsing.browser, {}, async (page) => {
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
    await happened(page)
  })
})

test('without scripts the drawer is read again by its link', async () => {
  const { url } = await browsing.hosted.payment()
  await visit(browsing.browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${url}?developer`)
    await browsing.hosted.submit(pathOf({ url }), DECLINED)
    await page.click('.drawer .reload')
    await happened(page)
  })
})

test.run()
