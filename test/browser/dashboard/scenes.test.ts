import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard scenes screen', undefined, 120_000)

const dashboard = useDashboardBrowser(test)

test('a button runs a scene, and the screen shows the created objects and events', async () => {
  await dashboard.withScreen('/scenes', async (page) => {
    await page.getByRole('searchbox', { name: 'Filter scenes' }).fill('subscription past_due')
    await page.getByText('1 of 70 scenes', { exact: true }).waitFor()
    assert.match(page.url(), /q=subscription\+past_due/)
    const row = page.locator('.scene-row')
    await row.getByRole('button', { name: 'Run subscription.past_due' }).click()
    const result = row.locator('.note')
    await result.waitFor()
    const { data } = await dashboard.daemon.call(api.subscriptions.list, { status: 'past_due' })
    const [subscription] = data
    assert.ok(
      await result
        .getByRole('link', { name: subscription?.id ?? 'none' })
        .first()
        .isVisible(),
    )
    assert.is(await result.locator('ol strong').textContent(), 'subscription.past_due')
    const types = await result.locator('ol a:first-child').allTextContents()
    assert.ok(types.indexOf('invoice.created') < types.indexOf('invoice.payment_failed'), types.join())
    assert.equal(await checkScreen(page), [])
  })
})

test('shows the error of a failed scene and its fix', async () => {
  await dashboard.withScreen('/scenes?q=subscription.unpaid', async (page) => {
    await page.getByRole('button', { name: 'Run subscription.unpaid' }).press('Enter')
    await page.getByText('Expected subscription.unpaid').waitFor()
    await page.getByText('Delete the new customer').filter({ hasText: '--on-exhausted unpaid' }).waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('shows the equivalent command of a scene, and a message when no scene matches', async () => {
  await dashboard.withScreen('/scenes?q=refund.failed', async (page) => {
    const copy = page.getByRole('button', { name: 'Copy command: paycli trigger refund.failed' })
    await copy.waitFor()
    await page.getByRole('searchbox', { name: 'Filter scenes' }).fill('<img src=x onerror=alert(1)>')
    await page.getByText('No scene contains these words').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('70 of 70 scenes').waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test('runs a fixture file, and lists its steps as plain text', async () => {
  const hostile = '"><img src=x onerror=alert(1)>\u202e'.padEnd(500, 'x')
  const fixtures = [
    { name: 'ada', path: '/v1/customers', params: { email: 'ada@example.com' } },
    { name: hostile, method: 'GET', path: `/v1/customers/\${ada.id}` },
    { name: 'key', path: '/v1/api_keys', params: { name: 'x' } },
  ]
  await dashboard.withScreen('/scenes?q=refund.failed', async (page) => {
    const choose = async (text: string) => {
      const file = { name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(text) }
      await page.getByLabel('Fixture file').last().setInputFiles(file)
      await page.getByRole('button', { name: 'Run file' }).click()
    }
    await choose(JSON.stringify({ fixtures }))
    await page.getByText('2 steps done, then one failed').waitFor()
    await page.getByText('The dashboard does not send requests to /v1/api_keys.').waitFor()
    const { data } = await dashboard.daemon.call(api.customers.list, { email: 'ada@example.com' })
    assert.is(await page.getByRole('link', { name: data[0]?.id ?? 'none' }).count(), 2)
    assert.equal(await checkScreen(page), [])
    await choose('{"fixtures":')
    await page.getByText('The file is not valid JSON').waitFor()
  })
})

test.run()
