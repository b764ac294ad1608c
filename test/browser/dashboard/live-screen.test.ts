import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard live screen', undefined, 120_000)

const dashboard = useDashboardBrowser(test)

async function createCustomers(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await dashboard.daemon.call(api.customers.create, { email: `n${n}@example.com` })
}

test('shows the newest requests, and older ones on demand', async () => {
  await createCustomers(80)
  await dashboard.withScreen('/live', async (page) => {
    const groups = page.locator('.feed > li')
    await groups.first().waitFor()
    assert.is(await groups.count(), 40)
    await page.getByRole('button', { name: 'Show more of 80' }).click()
    await groups.nth(79).waitFor()
  })
})

test('keeps the visible requests in place while new ones arrive, and shows them at the top', async () => {
  await dashboard.withScreen('/live', async (page) => {
    const groups = page.locator('.feed > li')
    await groups.nth(39).waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    // Not every browser keeps visible content in place.
    await page.locator('html').evaluate((root) => root.style.setProperty('overflow-anchor', 'none'))
    const middle = await groups.nth(30).elementHandle()
    await middle?.scrollIntoViewIfNeeded()
    const topOf = () => middle?.evaluate((group) => group.getBoundingClientRect().top)
    const top = await topOf()
    await createCustomers(20)
    // The feed shows new entries after at most a second.
    await page.waitForTimeout(2000)
    assert.is(await topOf(), top)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('n19@example.com').first().waitFor()
    assert.is(await groups.count(), 40)
  })
})

test.run()
