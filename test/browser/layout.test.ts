import type { Page } from 'playwright-core'
import { useBrowserSession, withPage } from '../pages/browser-session.ts'
import { pathOf, VISA } from '../pages/hosted-pages.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/layout', undefined, 60_000)

const browsing = useBrowserSession(test)
let origin: string
/** The paths of an open payment, an open subscription, a started subscription and an error. */
let paths: readonly string[]

test.before(async () => {
  const { hosted } = browsing
  hosted.pages.isLocal = true
  const payment = await hosted.payment()
  origin = new URL(payment.url).origin
  const paid = pathOf(await hosted.checkout())
  await hosted.submit(paid, VISA)
  paths = [pathOf(payment), pathOf(await hosted.checkout()), `${paid}/done`, '/none']
})

/** Opens a page and shows it at each width. */
async function visit(
  path: string,
  widths: readonly number[],
  work: (page: Page, width: number) => Promise<void>,
): Promise<void> {
  await withPage(browsing.browser, {}, async (page) => {
    await page.goto(origin + path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      await work(page, width)
    }
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
    await visit(`${path}?developer`, [320, 390, 640, 768, 800, 960, 1280], async (page, width) => {
      const edges = (await page.evaluate(EDGES)) as string[]
      assert.is(new Set(edges).size, 1, `${path} at ${width}: ${edges.join(' ')}`)
    })
  }
})

test('prints the page of an open session without its empty form', async () => {
  for (const path of paths.slice(0, 2)) {
    await visit(path, [768], async (page) => {
      await page.emulateMedia({ media: 'print' })
      assert.ok(await page.isVisible('.summary'))
      for (const hidden of ['input', '.entry', '.tests', 'button']) {
        assert.is(await page.locator(hidden).locator('visible=true').count(), 0, hidden)
      }
    })
  }
})

test.run()
