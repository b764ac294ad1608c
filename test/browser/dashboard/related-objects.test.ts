import type { Locator, Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard related objects', undefined, 120_000)

const dashboard = useDashboardBrowser(test)

function historyOf(page: Page): Locator {
  return page.getByRole('region', { name: 'History' })
}

test('shows payments, refunds, states and idempotency keys on the screen of a customer', async () => {
  const { call, location } = dashboard.daemon
  const { id } = await call(api.customers.create, { email: 'grace@example.com' })
  const { id: saved } = await call(api.cardSessions.create, { customer: id, return_url: 'https://x.example' })
  await call(api.cardSessions.complete, { id: saved, test_card: 'visa' })
  const send = (path: string, body: object, key?: string) =>
    fetch(`${location.api_url}/v1/${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${location.api_key}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body),
    })
  const charge = { customer: id, amount: 6000, currency: 'eur', description: 'Order 5533' }
  const payments = await Promise.all([send('payments', charge), send('payments', charge)])
  const { id: payment } = await payments[0].json()
  await send('refunds', { payment, amount: 1000 }, 'refund-1')
  await send('refunds', { payment, amount: 1000 }, 'refund-2')
  await dashboard.withScreen(`/objects/${id}`, async (page) => {
    const related = page.getByRole('region', { name: 'Related objects' })
    const paid = related.getByRole('region', { name: 'Payments' })
    const refunds = related.getByRole('region', { name: 'Refunds' })
    await refunds.waitFor()
    assert.match(await refunds.innerText(), /^Refunds 2\s+10\.00 EUR\s+\w+\s+10\.00 EUR/)
    assert.is((await paid.innerText()).match(/60\.00 EUR · Visa •••• 4242 · Order 5533/g)?.length, 2)
    assert.match(await paid.innerText(), 'Charged, then refunded in part.')
    const requests = page.getByRole('region', { name: 'Requests', exact: true })
    for (const [path, keys] of [
      ['/v1/refunds', ['refund-2', 'refund-1']],
      ['/v1/payments', ['none', 'none']],
    ] as const) {
      const cells = requests.getByRole('row').filter({ hasText: path }).getByRole('cell')
      assert.equal(
        (await cells.allInnerTexts()).filter((_, at) => at % 5 === 4),
        keys,
      )
    }
    assert.is(await historyOf(page).getByText('refund.created').count(), 2)
    assert.match(await historyOf(page).innerText(), /No enabled endpoint receives payment\.\*, refund\.\*/)
    assert.equal(await checkScreen(page), [])
  })
})

test('shows a failed refund on the screen of a customer, and reads the changed events of an endpoint', async () => {
  const { call } = dashboard.daemon
  const clock = await call(api.testClocks.create, { frozen_time: 1_767_225_600 })
  const { id } = await call(api.customers.create, { email: 'kay@example.com', test_clock: clock.id })
  const session = await call(api.cardSessions.create, { customer: id, return_url: 'https://x.example' })
  await call(api.cardSessions.complete, { id: session.id, test_card: 'refund_fails' })
  const payment = await call(api.payments.create, { customer: id, amount: 900, currency: 'eur' })
  await call(api.refunds.create, { payment: payment.id })
  await call(api.testClocks.advance, { id: clock.id, by: { interval: 'day', count: 1 } })
  await dashboard.withScreen(`/objects/${id}`, async (page) => {
    const refunds = page.getByRole('region', { name: 'Refunds' })
    await refunds.getByText('failed').waitFor()
    await historyOf(page).getByText('No enabled endpoint receives').waitFor()
    const endpoint = await call(api.webhookEndpoints.create, {
      ...{ url: 'http://127.0.0.1:9', enabled_events: ['refund.created'] },
    })
    const missing = page.getByRole('region', { name: 'Failed deliveries' })
    await missing.getByText('refund.failed').waitFor()
    assert.is(await missing.getByText('refund.created').count(), 0)
    await call(api.webhookEndpoints.update, { id: endpoint.id, status: 'disabled' })
    await missing.waitFor({ state: 'detached' })
    await call(api.webhookEndpoints.delete, { id: endpoint.id })
  })
})

test('shows no missing delivery while the endpoints cannot be read', async () => {
  const { id } = await dashboard.daemon.call(api.customers.create, { email: 'lin@example.com' })
  await dashboard.withScreen(
    '/objects',
    async (page) => {
      await page.route(/webhook_endpoints/, (route) => route.abort())
      await page.goto(page.url().replace(/objects.*/, `objects/${id}`))
      await page.getByRole('alert').getByText('The server does not respond').waitFor()
      await historyOf(page).getByText('No delivery to any endpoint').waitFor()
      assert.is(await page.getByText('No enabled endpoint receives').count(), 0)
    },
    { expectedError: /net::ERR_FAILED/ },
  )
})

test.run()
