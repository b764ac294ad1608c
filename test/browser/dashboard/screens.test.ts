import { assert, suite } from '../../support/suite.ts'
import { checkScreen, type DashboardBrowser, openDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard screens', undefined, 60_000)

const SCREENS = ['', '/payments', '/customers', '/clocks', '/webhooks', '/requests', '/scenes']

let dashboard: DashboardBrowser

test.before(async () => {
  dashboard = await openDashboardBrowser()
})

test.after(() => dashboard?.close())

for (const path of SCREENS) {
  test(`shows the empty screen ${path || '/'} without layout or accessibility problems`, async () => {
    await dashboard.withScreen(path, async (page) => {
      assert.equal(await checkScreen(page), [])
    })
  })
}

test.run()
