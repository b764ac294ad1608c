import type { BrowserContext, Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { createClient } from '../../../src/client/client.ts'
import { createLogin } from '../../support/dashboard.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard sessions', undefined, 120_000)

const dashboard = useDashboardBrowser(test)
let sandbox: { readonly id: string; readonly api_key: string }

test.before(async () => {
  const { daemon } = dashboard
  sandbox = await daemon.call(api.sandboxes.create, { name: 'checkout-tests' })
  await daemon.call(api.sandboxes.create, { name: 'another' })
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const client = createClient({ apiBase: daemon.location.api_url, apiKey: sandbox.api_key })
  await client.call(api.customers.create, { email: 'bob@example.com' })
})

const PHONE = { viewport: { width: 390, height: 844 } }

/** Signs a fresh profile in with the key of the sandbox. */
async function withSandboxScreen(
  work: (page: Page, context: BrowserContext) => Promise<void>,
  options = {},
): Promise<void> {
  const context = await dashboard.browser.newContext(options)
  try {
    const page = await context.newPage()
    await page.goto(await createLogin(dashboard.daemon, sandbox.api_key))
    await page.waitForURL(`**/dashboard?sandbox=${sandbox.id}`)
    await page.locator('h1').first().waitFor()
    await work(page, context)
  } finally {
    await context.close()
  }
}

for (const [width, options] of [
  [1280, {}],
  [390, PHONE],
] as const) {
  test(`a key of a sandbox opens only that sandbox, at ${width} px`, () =>
    withSandboxScreen(async (page) => {
      const { api_url } = dashboard.daemon.location
      const choice = page.getByLabel('Sandbox')
      await choice.getByText('checkout-tests').first().waitFor({ state: 'attached' })
      assert.equal(await choice.locator('option').allTextContents(), ['checkout-tests'])
      await page.getByText('Live', { exact: true }).last().waitFor()
      await page.goto(`${api_url}/dashboard`)
      await page.waitForURL(`**/dashboard?sandbox=${sandbox.id}`)
      // The customer is in the default sandbox.
      await page.goto(`${api_url}/dashboard/customers`)
      await page.waitForURL(`**/dashboard/customers?sandbox=${sandbox.id}`)
      await page.getByRole('link', { name: 'bob@example.com' }).waitFor()
      assert.is(await page.getByText('ada@example.com').count(), 0)
      assert.equal(await checkScreen(page), [])
      await page.goto(`${api_url}/dashboard/objects?sandbox=${sandbox.id}`)
      await page.getByText('No subscriptions yet').waitFor()
      assert.is(await page.getByRole('option', { name: 'Sandboxes' }).count(), 0)
    }, options))
}

test('a sign-in with the API key of the server opens every sandbox', () =>
  dashboard.withScreen('', async (page) => {
    const choice = page.getByLabel('Sandbox')
    await choice.locator('option').nth(2).waitFor({ state: 'attached' })
    assert.equal((await choice.locator('option').allTextContents()).sort(), [
      'another',
      'checkout-tests',
      'default',
    ])
    await choice.selectOption('checkout-tests')
    await page.waitForURL(`**/dashboard?sandbox=${sandbox.id}`)
    await choice.selectOption('default')
    await page.waitForURL(/\/dashboard$/)
  }))

test('lists the signed-in browsers, and ends the session of another browser', () =>
  withSandboxScreen((first) =>
    withSandboxScreen(async (page) => {
      await page.getByRole('link', { name: 'Sessions' }).click()
      await page.getByRole('button', { name: 'End session' }).first().waitFor()
      assert.equal(await checkScreen(page), [])
      const others = page.getByRole('button', { name: 'End session' })
      const count = await others.count()
      await others.first().click()
      await others.nth(count - 1).waitFor({ state: 'detached' })
      await first.getByText('This browser is no longer signed in.').waitFor()
      assert.is(await first.reload().then((response) => response?.status()), 401)
      assert.is(await page.reload().then((response) => response?.status()), 200)
    }, PHONE),
  ))

for (const [width, options] of [
  [1280, {}],
  [390, PHONE],
] as const) {
  test(`signs out with the button of the header, at ${width} px`, () =>
    withSandboxScreen(async (page, context) => {
      const old = await context.cookies()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in to the dashboard' }).waitFor()
      assert.equal(await context.cookies(), [])
      await context.addCookies(old)
      assert.is(await page.reload().then((response) => response?.status()), 401)
    }, options))
}

test('a page that the browser prefetched signs in with its link', async () => {
  const context = await dashboard.browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const url = await createLogin(dashboard.daemon)
    await page.setExtraHTTPHeaders({ 'X-Moz': 'prefetch' })
    await page.goto(url)
    const link = page.getByRole('link', { name: 'Open the dashboard' })
    await link.waitFor()
    assert.equal(await context.cookies(), [])
    await page.setExtraHTTPHeaders({})
    await link.click()
    await page.waitForURL(/\/dashboard$/)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  } finally {
    await context.close()
  }
})

test.run()
