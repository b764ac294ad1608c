import type { BrowserContextOptions, Page } from 'playwright-core'
import { LANGUAGES } from '../../src/pages/languages/language.ts'
import { useBrowserSession, withPage } from '../pages/browser-session.ts'
import { createSentInvoice } from '../pages/sent-invoice.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('browser/fold', undefined, 60_000)

const PHONE = { width: 390, height: 844 }

const browsing = useBrowserSession(test)

test.before(async () => {
  browsing.hosted.pages.isLocal = true
})

const RETURN_URL = 'https://bookings.northwind-lettings.example/thanks'

const DESCRIPTION = 'Studio at Rue de la Paix 12, second floor, with a view of the square'

/** Creates a checkout session with 20 items and three tax rates. */
function longCheckout() {
  const items = Array.from({ length: 20 }, (_, index) => ({
    description: `Ferienwohnung Nummer ${index + 1}`,
    type: 'rent',
    price_data: { amount: 45_000 + index, tax_percent: [20, 10, 5.5][index % 3] ?? 0 },
  }))
  return browsing.hosted.checkout({ items }, { description: DESCRIPTION, return_url: RETURN_URL })
}

async function visit(
  url: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await withPage(browsing.browser, { viewport: PHONE, ...options }, async (page) => {
    await page.goto(url)
    await work(page)
  })
}

async function bottomOf(page: Page, selector: string): Promise<number> {
  const { y = Number.NaN, height = 0 } = (await page.locator(selector).last().boundingBox()) ?? {}
  return y + height
}

test('shows the card number and the Pay button of 20 items above the fold of a phone', async () => {
  const pages = [
    await longCheckout(),
    await browsing.hosted.payment({ description: DESCRIPTION.repeat(3), return_url: RETURN_URL }),
  ]
  for (const { id, url } of pages) {
    for (const locale of ['en-US', 'de', 'ar', 'ja']) {
      await visit(url, { locale }, async (page) => {
        for (const selector of ['#number', '.entry button']) {
          const bottom = await bottomOf(page, selector)
          assert.ok(bottom <= PHONE.height, `${selector} of ${id} in ${locale} ends at ${bottom}`)
        }
      })
    }
  }
})

for (const javaScriptEnabled of [true, false]) {
  test(`shows the items on a phone after a key press, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
    const { url } = await longCheckout()
    await visit(url, { javaScriptEnabled }, async (page) => {
      const [lines, toggle] = [page.locator('.fold .lines'), page.getByText('Show details (20 items)')]
      assert.is(await lines.isVisible(), false)
      await toggle.focus()
      await page.keyboard.press('Enter')
      assert.is(await lines.isVisible(), true)
      await page.keyboard.press('Enter')
      assert.is(await lines.isVisible(), false)
    })
  })
}

test('shows all items without a toggle on wide screens and on paper', async () => {
  const { url } = await longCheckout()
  const assertUnfolded = async (page: Page) => {
    assert.is(await page.getByText('Ferienwohnung Nummer 20').isVisible(), true)
    assert.is(await page.locator('.fold > summary').isVisible(), false)
  }
  await visit(url, { viewport: { width: 800, height: 844 } }, assertUnfolded)
  await visit(url, {}, async (page) => {
    await page.emulateMedia({ media: 'print' })
    await assertUnfolded(page)
  })
})

test('shows the amount due today and the button of a trial above the fold', async () => {
  const { url } = await browsing.hosted.checkout({ trial_days: 14 })
  for (const locale of LANGUAGES) {
    await visit(url, { locale, javaScriptEnabled: false }, async (page) => {
      assert.ok(await page.locator('.due').isVisible(), locale)
      assert.ok((await bottomOf(page, '.entry button')) <= PHONE.height, locale)
    })
  }
})

test('folds the lines of an invoice on a phone', async () => {
  const invoice = await createSentInvoice(browsing.hosted)
  await visit(invoice.hosted_invoice_url ?? '', {}, async (page) => {
    assert.is(await page.locator('.lines').isVisible(), false)
    assert.ok((await bottomOf(page, '#number')) <= PHONE.height)
  })
})

test.run()
