import { simulate } from '../../cli/simulate/simulated.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard clock months', undefined, 120_000)

const dashboard = useDashboardBrowser(test)

test('shows the totals of each month and the remaining subscriptions of a simulation', async () => {
  const { clock, readTotals } = await simulate(dashboard.daemon.client, { customers: 20, months: 12 })
  const { rows } = await readTotals()
  const figureOf = (name: string, month: string) =>
    rows.find(({ figure, month: one }) => figure === name && one === month)?.value ?? 0
  await dashboard.withScreen(`/clocks/${clock}`, async (page) => {
    await page.getByRole('button', { name: 'Show months' }).click()
    assert.match(page.url(), /months=shown/)
    const totals = page.getByRole('table', { name: 'Totals by month' })
    await totals.waitFor()
    const first = totals.locator('tbody tr').first().locator('td')
    assert.is(await first.nth(0).textContent(), '2026-01')
    assert.is(await first.nth(4).textContent(), String(figureOf('new_subscriptions', '2026-01')))
    const cohorts = page.getByRole('region', { name: 'Remaining subscriptions' })
    const created = figureOf('new_subscriptions', '2026-01')
    const share = Math.round((100 * figureOf('remaining_12', '2026-01')) / created)
    const last = cohorts.locator('tbody tr').first().locator('td').last()
    assert.is(await last.textContent(), String(share))
    // Nobody signs up in some of the months.
    const shares = await cohorts.locator('tbody td').allTextContents()
    assert.equal(
      shares.filter((text) => !/^\d*$/.test(text)),
      [],
    )
    assert.equal(await checkScreen(page), [])
    await page.getByRole('button', { name: 'Hide months' }).click()
    await totals.waitFor({ state: 'detached' })
  })
})

test.run()
