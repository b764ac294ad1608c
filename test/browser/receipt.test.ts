import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { LANGUAGES } from '../../src/pages/languages/language.ts'
import { useBrowserSession, withPage } from '../pages/browser-session.ts'
import { pathOf, VISA } from '../pages/hosted-pages.ts'
import { textOfPdf } from '../pages/receipt/read-pdf.ts'
import { completeTwentyItems } from '../pages/receipt-scenes.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/receipt', undefined, 60_000)

const browsing = useBrowserSession(test)
let origin: string
/** The receipts of two subscriptions: with one item, and with twenty items. */
let paths: readonly string[]

test.before(async () => {
  const { hosted } = browsing
  hosted.pages.isLocal = true
  hosted.pages.brand = { name: 'Northwind Rentals' }
  const session = await hosted.checkout()
  origin = new URL(session.url).origin
  await hosted.submit(pathOf(session), VISA)
  paths = [pathOf(session), await completeTwentyItems(hosted)]
})

/** Returns the number of sheets of the printed page. */
async function countPages(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
}

/** Returns the given selectors that match a visible element. */
async function visibleOf(page: Page, selectors: readonly string[]): Promise<string[]> {
  const visible: string[] = []
  for (const selector of selectors)
    if (await page.locator(selector).first().isVisible()) visible.push(selector)
  return visible
}

const SHOWN = ['h1', 'main .price', '.paid', '.details', '[role="img"]', '.lines li', '.lines .tax', '.due']
const HIDDEN = ['.foot', '.mark', '.drawer', '.button', 'button', '.panel > p:not([class])']

test('prints a receipt with 1 or 20 lines on one page', async () => {
  for (const locale of ['en', 'de', 'ar']) {
    await withPage(browsing.browser, { locale }, async (page) => {
      for (const path of paths) {
        await page.goto(origin + path)
        assert.is(await countPages(page), 1, `${path} in ${locale}`)
      }
    })
  }
})

test('prints the receipt black on white without buttons, footer and shadow, also from a dark screen', async () => {
  await withPage(browsing.browser, { colorScheme: 'dark' }, async (page) => {
    await page.goto(origin + paths[1])
    await page.emulateMedia({ media: 'print' })
    assert.equal(await visibleOf(page, SHOWN), SHOWN)
    assert.equal(await visibleOf(page, HIDDEN), [])
    for (const name of ['Northwind Rentals', 'Ada & Söhne', 'Linen service, storey 19', 'Tax 5.5%'])
      assert.ok(await page.getByText(name).first().isVisible(), name)
    const panel = `(({ color, backgroundColor, boxShadow, borderTopWidth }) =>
      [color, backgroundColor, boxShadow, borderTopWidth])(getComputedStyle(document.querySelector('.panel')))`
    assert.equal(await page.evaluate(panel), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)', 'none', '0px'])
  })
})

for (const javaScriptEnabled of [true, false]) {
  const [how, what] = javaScriptEnabled ? ['with', 'opens the print dialog'] : ['without', 'is hidden']
  test(`the print button ${what} ${how} scripts`, async () => {
    await withPage(browsing.browser, { javaScriptEnabled }, async (page) => {
      await page.addInitScript('window.print = () => { document.title = "printed" }')
      await page.goto(origin + paths[0])
      const button = page.getByRole('button', { name: 'Print' })
      assert.is(await button.isVisible(), javaScriptEnabled)
      if (!javaScriptEnabled) return
      await button.click()
      assert.is(await page.title(), 'printed')
    })
  })
}

test('the link saves the receipt as PDF in the language of the page, with and without scripts', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await withPage(browsing.browser, { javaScriptEnabled, locale: 'de' }, async (page) => {
      await page.goto(origin + paths[0])
      const started = page.waitForEvent('download')
      await page.getByRole('link', { name: 'PDF herunterladen' }).click()
      const download = await started
      assert.match(download.suggestedFilename(), /^receipt-\w+\.pdf$/)
      assert.match(textOfPdf(readFileSync(await download.path())), 'Bezahlt am 3. März 2026')
      assert.is(page.url(), origin + paths[0])
    })
  }
})

/** Returns the references and cards that span more than one line. */
const WRAPPED = `[...document.querySelectorAll('.details small, [role="img"]')].flatMap((value) =>
  value.getClientRects().length > 1 ? [value.textContent] : [])`

test('references and cards stay on one line, and long names do not exceed the page', async () => {
  for (const locale of ['en', 'de', 'ar', 'ja']) {
    await withPage(browsing.browser, { locale }, async (page) => {
      for (const path of paths) {
        await page.goto(origin + path)
        for (const width of [320, 390, 768]) {
          await page.setViewportSize({ width, height: 844 })
          assert.not.ok(await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          assert.equal(await page.evaluate(WRAPPED), [], `${path} in ${locale} at ${width}`)
        }
      }
    })
  }
})

/** Returns the details that need more than one line. */
const TALL = `[...document.querySelectorAll('.details div')].flatMap((row) =>
  row.offsetHeight > 48 ? [row.textContent] : [])`

test('shows the service period beside its name on wide screens', async () => {
  for (const locale of LANGUAGES) {
    await withPage(browsing.browser, { locale, viewport: { width: 1280, height: 900 } }, async (page) => {
      await page.goto(origin + paths[0])
      assert.equal(await page.evaluate(TALL), [], locale)
    })
  }
})

test.run()
