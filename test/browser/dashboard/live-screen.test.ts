import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { becomesTrue, useDashboardBrowser } from './dashboard-browser.ts'

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

test('keeps the visible requests in place while new ones arrive', async () => {
  await dashboard.withScreen('/live', async (page) => {
    const last = page.locator('.feed > li').nth(39)
    await last.waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    await last.evaluate((group) => {
      group.id = 'last'
      group.scrollIntoView({ block: 'end' })
    })
    const top = await page.locator('#last').evaluate((group) => group.getBoundingClientRect().top)
    await createCustomers(20)
    assert.ok(await becomesTrue(page, "document.querySelectorAll('.feed > li').length === 60"))
    const moved = (await page.locator('#last').evaluate((group) => group.getBoundingClientRect().top)) - top
    assert.ok(Math.abs(moved) < 5, `moved by ${moved} px`)
  })
})

test.run()
