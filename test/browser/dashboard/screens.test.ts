import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard screens', undefined, 60_000)

const SCREENS = [
  '',
  '/payments',
  '/customers',
  '/clocks',
  '/webhooks',
  '/requests',
  '/scenes',
  '/grade',
  '/objects',
]

const dashboard = useDashboardBrowser(test)

for (const path of SCREENS) {
  test(`shows the empty screen ${path || '/'} without layout or accessibility problems`, async () => {
    await dashboard.withScreen(path, async (page) => {
      assert.equal(await checkScreen(page), [])
    })
  })
}

test.run()
