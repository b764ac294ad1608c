import type { Browser, Page } from 'playwright-core'
import { customers } from '../../src/api/operations/customers.ts'
import { ERRORS } from '../../src/api/schema/errors.ts'
import { EVENT_DESCRIPTIONS } from '../../src/domain/core/event-types.ts'
import { withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { findViolations } from './axe.ts'

const test = suite('browser/reference', undefined, 120_000)

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const REFUND = '#tag/refunds/POST/v1/refunds'
/** Violations in Scalar itself: copy buttons without a name, and two labels that differ from their text. */
const KNOWN_VIOLATIONS = / (?:button-name|label-content-name-mismatch): /

let browser: Browser
let daemon: TestDaemon

test.before(async () => {
  ;[browser, daemon] = await Promise.all([launchBrowser(), openDaemon()])
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

/** Opens the reference, and checks that it loads nothing from elsewhere and reports no error. */
async function open(hash: string, work: (page: Page) => Promise<void>): Promise<void> {
  const origin = daemon.location.api_url
  const requests: string[] = []
  const errors: string[] = []
  await withPage(browser, { viewport: DESKTOP }, async (page) => {
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${origin}/docs${hash}`)
    await page.getByRole('heading', { name: 'paycli', exact: true }).waitFor()
    await work(page)
  })
  assert.ok(requests.length >= 3, requests.join(' '))
  assert.equal(
    requests.filter((url) => !url.startsWith(`${origin}/`)),
    [],
  )
  assert.equal(errors, [])
}

/** Fails when the page scrolls sideways on a phone. */
async function assertFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize(PHONE)
  assert.not.ok(await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
  await page.setViewportSize(DESKTOP)
}

test('a link to an operation opens it on any device, with examples, without accessibility violations', async () => {
  await open(REFUND, async (page) => {
    await page.getByRole('heading', { name: 'Refunds a succeeded payment, in part or in full.' }).waitFor()
    await assertFitsPhone(page)
    const samples: Readonly<Record<string, string>> = {
      Curl: 'curl ',
      Fetch: 'fetch(',
      Requests: 'requests.post(',
      paycli: 'paycli post /v1/refunds --from-file -',
    }
    for (const [name, start] of Object.entries(samples)) {
      await page.getByTestId('client-picker').first().click()
      await page.getByRole('option').filter({ hasText: name }).click()
      await page.locator('pre').filter({ hasText: start }).first().waitFor()
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`body.${colorScheme}-mode`).waitFor()
      const violations = await findViolations(page, null)
      assert.equal(
        violations.filter((one) => !KNOWN_VIOLATIONS.test(one)),
        [],
        colorScheme,
      )
    }
  })
})

test('a link to an event type shows it; the search finds operations, and "Test request" sends one', async () => {
  await open('#tag/deliveries/webhook/POST/invoice.paid', async (page) => {
    await page.getByRole('heading', { name: 'invoice.paid' }).waitFor()
    await page.getByText(EVENT_DESCRIPTIONS['invoice.paid'][0]).first().waitFor()
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click()
    await page.keyboard.type('refund')
    const refund = page.getByRole('option', { name: /Refunds a succeeded payment/ })
    await refund.waitFor()
    assert.match((await page.getByRole('option').allTextContents()).join('\n'), 'refund.created')
    await refund.click()
    await page.waitForURL(`**/docs${REFUND}`)
    await page.goto(`${daemon.location.api_url}/docs#tag/customers/POST/v1/customers`)
    await page
      .getByRole('button', { name: /test request \(post \/v1\/customers\)/i })
      .first()
      .click()
    const client = page.getByRole('dialog')
    await client.getByRole('textbox', { name: /token/i }).fill(daemon.location.api_key)
    await client.getByRole('button', { name: /^send/i }).first().click()
    await client.getByText('cus_').first().waitFor()
  })
  assert.is((await daemon.call(customers.list, {})).data.length, 1)
})

test('the doc_url of an error opens its entry on the error page, without scripts', async () => {
  await withPage(browser, { javaScriptEnabled: false, viewport: PHONE }, async (page) => {
    for (const code of Object.keys(ERRORS).slice(0, 3)) {
      await page.goto(`${daemon.location.api_url}/docs/errors#${code}`)
      assert.is(await page.locator(':target').textContent(), code)
    }
    assert.not.ok(await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
  })
})

test.run()
