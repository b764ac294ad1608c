import { htmlResponse } from '../../src/pages/forms/page-response.ts'
import { negotiateLanguage } from '../../src/pages/languages/language.ts'
import { html } from '../../src/pages/markup/html.ts'
import { layout } from '../../src/pages/view/layout.ts'
import { createLinks } from '../../src/pages/view/links.ts'
import { withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('print-button', undefined, 60_000)

const view = {
  links: createLinks('http://localhost'),
  language: negotiateLanguage('en'),
  brand: { name: null, color: null, logo: null },
  acceptLanguage: undefined,
  keptParams: [],
}
const main = html`<button type="button" data-print hidden>Print</button>`
const { body, headers } = htmlResponse(
  view,
  200,
  layout({ title: 'Receipt', main, shape: 'narrow', hasPrintButton: true }, view),
)

test('shows a print button that opens the print dialog, and hides it without scripts', async () => {
  const browser = await launchBrowser()
  for (const javaScriptEnabled of [true, false]) {
    await withPage(browser, { javaScriptEnabled }, async (page) => {
      await page.addInitScript('window.print = () => { document.title = "printed" }')
      await page.route('**/*', (route) => route.fulfill({ body: body ?? '', headers }))
      await page.goto('http://localhost/')
      assert.is(await page.isVisible('button'), javaScriptEnabled)
      if (javaScriptEnabled) {
        await page.click('button')
        assert.is(await page.title(), 'printed')
      }
    })
  }
  await browser.close()
})

test.run()
