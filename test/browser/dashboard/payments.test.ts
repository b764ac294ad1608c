import type { Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, type DashboardBrowser, openDashboardBrowser } from './dashboard-browser.ts'
import { answerReports } from './reports.ts'

const test = suite('dashboard payments', undefined, 120_000)

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '\u202Egnp.exe',
  'x'.repeat(500),
]

let dashboard: DashboardBrowser
let customer: string

test.before(async () => {
  dashboard = await openDashboardBrowser()
  customer = await createCustomer('ada@example.com')
  const paid = await pay(customer, 'visa', 'Two tickets')
  await pay(customer, 'insufficient_funds', 'Declined')
  await dashboard.daemon.call(api.refunds.create, { payment: paid, amount: 400 })
  const other = await createCustomer('hostile@example.com', HOSTILE[0])
  await pay(other, 'visa', 'Saves the card')
  for (const description of HOSTILE)
    await dashboard.daemon.call(api.payments.create, {
      ...{ customer: other, amount: 1250, currency: 'eur', description, off_session: true },
    })
})

test.after(() => dashboard?.close())

async function createCustomer(email: string, name?: string): Promise<string> {
  const fields = name === undefined ? { email } : { email, name }
  return (await dashboard.daemon.call(api.customers.create, fields)).id
}

async function pay(payer: string, card: string, description: string): Promise<string> {
  const { call } = dashboard.daemon
  const { id } = await call(api.paymentSessions.create, {
    ...{ customer: payer, amount: 1250, currency: 'eur', description },
    ...{ payment_method_types: ['card'], return_url: 'https://example.com', save_payment_method: true },
  })
  // A decline is an error response with a stored payment.
  await call(api.paymentSessions.complete, { id, test_card: card }).catch((error: Error) => {
    if (!/declined|funds/.test(error.message)) throw error
  })
  const { data } = await call(api.payments.list, { payment_session: id })
  return data[0]?.id ?? ''
}

function withPayments(query: string, work: (page: Page) => Promise<void>): Promise<void> {
  return dashboard.withScreen('', async (page) => {
    await answerReports(page)
    await page.goto(`${dashboard.daemon.location.api_url}/dashboard/payments${query}`)
    await page.locator('h1').waitFor()
    await work(page)
  })
}

test('shows what was charged, declined and refunded, and why', async () => {
  await withPayments('', async (page) => {
    const declined = page.locator('.payment-table tr', { hasText: 'Insufficient funds' })
    await declined.waitFor()
    assert.match(
      await declined.innerText(),
      /12\.50 EUR[\s\S]*failed[\s\S]*try again later[\s\S]*ada@example\.com/,
    )
    const refunded = page.locator('.payment-table tr', { hasText: '4.00 EUR refunded' })
    assert.match(await refunded.innerText(), /Visa •••• 4242/)
    // The screen has chosen real time, the time of the newest payment.
    assert.match(page.url(), /test_clock=none/)
  })
})

test('shows the key figures, the plot with its table, and the retries', async () => {
  await withPayments('', async (page) => {
    await page.locator('.figures').waitFor()
    const figures = await page.locator('.figures').innerText()
    assert.match(figures, /60\.00 EUR[\s\S]*20 %[\s\S]*30\.00 EUR[\s\S]*45\.00 EUR/)
    await page.getByText('Show the numbers as a table').click()
    assert.is(await page.locator('.plot tbody tr').count(), 2)
    assert.match(await page.locator('.funnel').innerText(), /2nd charge\s+2 invoices: 1 recovered, 1 lost/)
    await Promise.all([
      page.waitForRequest(/statistics\?interval=month/),
      page.getByRole('radio', { name: 'Month' }).check(),
    ])
    assert.match(page.url(), /interval=month/)
  })
})

test('filters by status and customer in the URL', async () => {
  await withPayments(`?status=failed&customer=${customer}`, async (page) => {
    await page.locator('.payment-table tbody tr').waitFor()
    assert.is(await page.locator('.payment-table tbody tr').count(), 1)
    await page.getByLabel('Status').selectOption('succeeded')
    await page.getByText('refunded', { exact: false }).first().waitFor()
    assert.match(page.url(), /status=succeeded/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.locator('.figures').waitFor()
  })
})

test('adds a new payment without a reload', async () => {
  await withPayments('', async (page) => {
    await page.locator('.payment-table').waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    const id = await pay(customer, 'mastercard', 'While the screen is open')
    await page.locator('.payment-table').getByText(id).waitFor()
  })
})

test('shows hostile texts as text, without layout or accessibility problems', async () => {
  await withPayments('', async (page) => {
    await page.locator('.payment-table').getByText('<img src=x onerror=alert(1)>').waitFor()
    await page.locator('.figures').waitFor()
    await page.getByText('Show the numbers as a table').click()
    assert.equal(await checkScreen(page), [])
  })
})

test.run()
