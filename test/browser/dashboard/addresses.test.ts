import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard addresses', undefined, 60_000)

const dashboard = useDashboardBrowser(test)

test('unsafe strings in the URL of a screen appear in no request path and no command', async () => {
  const requested: string[] = []
  const { id } = await dashboard.daemon.call(api.customers.create, { email: 'ada@example.com' })
  await dashboard.withScreen(
    '/live',
    async (page) => {
      const { api_url } = dashboard.daemon.location
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      for (const path of [
        '/live?sandbox=..%2F..%2Fv1',
        `/objects/${id}%2F..%2F..%2Fevents`,
        '/clocks/clock_1%2Fadvance',
        '/webhooks/whd_1%3Fa%3D1',
        '/requests/..%2Fevents',
        '/objects/cus_$(id)',
        '/objects/%E0%A4%A',
        '/scenes?sandbox=x;id',
      ]) {
        await page.goto(`${api_url}/dashboard${path}`)
        await page.locator('h1').first().waitFor()
        assert.not.match((await page.locator('main').textContent()) ?? '', /paycli \w+ [^\n]*(;id|\$\()/)
      }
    },
    { expectedError: /status of (400|404)/ },
  )
  const reads = requested.filter((path) => /\/(v1|scenes)(\/|$)/.test(path))
  for (const path of reads) assert.match(path, /^\/dashboard\/(default\/(v1\/[\w/]+|scenes)|scenes)$/)
})

test.run()
