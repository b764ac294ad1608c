import type { Browser, Page } from 'playwright-core'
import { customers } from '../../src/api/operations/customers.ts'
import { ERROR_DEFINITIONS } from '../../src/api/schema/errors.ts'
import { withPage } from '../pages/browser-session.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { findViolations } from './axe.ts'

const test = suite('browser/reference', undefined, 120_000)

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

let browser: Browser
let daemon: TestDaemon

test.before(async () => {
  ;[browser, daemon] = await Promise.all([launchBrowser(), openDaemon()])
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

/** Returns the number of elements that occupy more than one line. */
const COUNT_BROKEN = (elements: readonly { getClientRects(): ArrayLike<unknown> }[]) =>
  elements.filter((one) => one.getClientRects().length > 1).length

/** Opens a page of the reference, and checks that it loads nothing from another origin and reports no error. */
async function open(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  const origin = daemon.location.api_url
  const requests: string[] = []
  const errors: string[] = []
  await withPage(browser, { viewport: DESKTOP }, async (page) => {
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${origin}${path}`)
    await work(page)
  })
  assert.equal(
    requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
    [],
  )
  assert.equal(errors, [])
}

test('the reference links each operation to its page without scripts', async () => {
  await withPage(browser, { javaScriptEnabled: false, viewport: PHONE }, async (page) => {
    await page.goto(`${daemon.location.api_url}/docs`)
    await page.getByRole('link', { name: 'Creates a customer POST /v1/customers' }).click()
    await page.waitForURL('**/docs/api/customers#customers.create')
    assert.match((await page.locator(':target').textContent()) ?? '', 'email')
    assert.is(await page.locator('.try:visible').count(), 0)
    await page.getByRole('searchbox').fill('3ds')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/search?q=3ds')
    await page.getByRole('link', { name: '3-D Secure', exact: true }).first().click()
    assert.match((await page.locator(':target').textContent()) ?? '', '3-D Secure')
  })
})

for (const [query, result] of [
  ['declined card', 'card_declined'],
  ['retry failed payment', 'invoice.payment_failed'],
] as const) {
  test(`the search finds "${query}"`, async () => {
    await open('/docs', async (page) => {
      await page.getByRole('searchbox').fill(query)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: result, exact: true }).waitFor()
    })
  })
}

test('"Try it" sends a request with the entered key, which the tab stores and no URL contains', async () => {
  await open('/docs/api/customers#customers.create', async (page) => {
    const create = page.locator('[id="customers.create"]')
    await create.getByText('Try it').click()
    await create.getByLabel('API key').fill(daemon.location.api_key)
    await create.getByLabel('Body').fill('{"email":"ada@example.com"}')
    await create.getByRole('button').click()
    await create.getByRole('status').getByText('cus_').waitFor()
    assert.equal(await findViolations(page, null), [])
    const [id = ''] = /cus_\w+/.exec((await create.getByRole('status').textContent()) ?? '') ?? []
    const remove = page.locator('[id="customers.delete"]')
    await remove.getByText('Try it').click()
    await remove.getByLabel('id', { exact: true }).fill(id)
    await remove.getByRole('button', { name: 'Send DELETE' }).click()
    await remove.getByRole('status').getByText('"deleted": true').waitFor()
    await page.goto(`${daemon.location.api_url}/docs/api/payments`)
    const list = page.locator('[id="payments.list"]')
    await list.getByText('Try it').click()
    await list.getByLabel('Query').fill('limit=1')
    await list.getByRole('button').click()
    await list.getByRole('status').getByText('"has_more": false').waitFor()
    assert.not.match(page.url(), daemon.location.api_key)
  })
  assert.is((await daemon.call(customers.list, {})).data.length, 0)
})

test('a wide table of a guide scrolls by keyboard, and breaks no words', async () => {
  await withPage(browser, { viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(`${daemon.location.api_url}/docs/guides/test-cards`)
    const [table] = await page.getByRole('group', { name: 'Table' }).all()
    assert.ok(table)
    assert.is(await table.locator('code').evaluateAll(COUNT_BROKEN), 0)
    const scrolled = table.evaluate(
      (element) => new Promise<boolean>((resolve) => element.addEventListener('scroll', () => resolve(true))),
    )
    await table.focus()
    await page.keyboard.press('ArrowRight')
    assert.ok(await scrolled)
  })
})

test('the doc_url of an error opens its entry on the error page, without scripts', async () => {
  await withPage(browser, { javaScriptEnabled: false, viewport: PHONE }, async (page) => {
    for (const code of Object.keys(ERROR_DEFINITIONS).slice(0, 3)) {
      await page.goto(`${daemon.location.api_url}/docs/errors#${code}`)
      assert.is(await page.locator(':target').textContent(), code)
    }
    assert.not.ok(await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
  })
})

test.run()
