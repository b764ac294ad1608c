import type { Page } from 'playwright-core'
import { type BrowserSession, startBrowserSession, withPage } from '../pages/browser-session.ts'
import { pathOf, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/layout', undefined, 60_000)

let browsing: BrowserSession
let origin: string
/** The paths of an open payment, an open subscription, a started subscription and an error. */
let paths: readonly string[]

test.before(async () => {
  browsing = await startBrowserSession()
  const { hosted } = browsing
  hosted.pages.isLocal = true
  const payment = await hosted.payment()
  origin = new URL(payment.url).origin
  const paid = pathOf(await hosted.checkout())
  await hosted.submit(paid, VISA)
  paths = [pathOf(payment), pathOf(await hosted.checkout()), `${paid}/done`, '/none']
})

test.after(() => browsing?.close())

async function visit(
  path: string,
  width: number,
  work: (page: Page) => Promise<void>,
  locale = 'en-US',
): Promise<void> {
  await withPage(browsing.browser, { viewport: { width, height: 844 }, locale }, async (page) => {
    await page.goto(origin + path)
    await work(page)
  })
}

/** Returns the distances of the first element of each part from both edges of the window, without the padding. */
const EDGES = `['.top', 'main', '.foot', '.tests details > div'].flatMap((selector) => {
  const part = document.querySelector(selector)
  if (part === null) return []
  const { left, right } = part.getBoundingClientRect()
  const { paddingLeft, paddingRight } = getComputedStyle(part)
  return [[Math.round(left + parseFloat(paddingLeft)), Math.round(right - parseFloat(paddingRight))].join()]
})`

test('aligns the header, the footer and the open test bar with the content at every width', async () => {
  for (const path of paths) {
    for (const width of [320, 390, 640, 768, 800, 960, 1280]) {
      await visit(`${path}?developer`, width, async (page) => {
        const edges = (await page.evaluate(EDGES)) as string[]
        assert.is(new Set(edges).size, 1, `${path} at ${width}: ${edges.join(' ')}`)
      })
    }
  }
})

/** Returns the widths of the lines of the reference. */
const LINES = `(() => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('.details dd > small'))
  return [...range.getClientRects()].map(({ width }) => width)
})()`

test('does not wrap the reference of a subscription', async () => {
  for (const locale of ['en-US', 'de', 'ar', 'ja']) {
    for (const width of [320, 390, 768]) {
      const work = async (page: Page) => {
        const lines = (await page.evaluate(LINES)) as number[]
        assert.is(lines.length, 1, `${locale} at ${width}: ${lines.join(' ')}`)
      }
      await visit(paths[2] ?? '', width, work, locale)
    }
  }
})

test('prints an open page without its empty form', async () => {
  for (const path of paths.slice(0, 2)) {
    await visit(path, 768, async (page) => {
      await page.emulateMedia({ media: 'print' })
      assert.ok(await page.isVisible('.summary'))
      for (const hidden of ['input', '.entry', '.tests', 'button']) {
        assert.is(await page.locator(hidden).locator('visible=true').count(), 0, hidden)
      }
    })
  }
})

test.run()
