import type { Page } from 'playwright-core'
import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard payments', undefined, 120_000)

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '\u202Egnp.exe',
  'x'.repeat(500),
]

const dashboard = useDashboardBrowser(test)
let customer: string
let clock: string

test.before(async () => {
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
  clock = await createRecovery()
})

/** Creates a clock on which the second charge of a subscription recovers the first one. */
async function createRecovery(): Promise<string> {
  const { call } = dashboard.daemon
  const { id } = await call(api.testClocks.create, { frozen_time: 1_767_225_600 })
  const payer = (await call(api.customers.create, { email: 'joan@example.com', test_clock: id })).id
  const price_data = { amount: 1500, currency: 'eur', tax_percent: 0 }
  const session = await call(api.checkoutSessions.create, {
    ...{ customer: payer, currency: 'eur', description: 'Rent' },
    subscription_data: { interval: 'month', items: [{ description: 'Rent', type: 'rent', price_data }] },
  })
  await call(api.checkoutSessions.complete, { id: session.id, test_card: 'renewal_no_funds' })
  await call(api.testClocks.advance, { id, frozen_time: 1_767_225_600 + 32 * 86_400 })
  const { data } = await call(api.invoices.list, { customer: payer, status: 'open' })
  await call(api.invoices.payAsCustomer, { id: data[0]?.id ?? '', test_card: 'visa' })
  return id
}

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
  return dashboard.withScreen(`/payments${query}`, work)
}

test('shows charged, declined and refunded payments with the reason of each decline', async () => {
  await withPayments('', async (page) => {
    const declined = page.locator('tbody tr', { hasText: 'Insufficient funds' })
    await declined.waitFor()
    assert.match(
      await declined.innerText(),
      /12\.50 EUR[\s\S]*failed[\s\S]*try again later[\s\S]*ada@example\.com/,
    )
    const refunded = page.locator('tbody tr', { hasText: '4.00 EUR refunded' })
    assert.match(await refunded.innerText(), /Visa •••• 4242/)
    // The newest payment is on a test clock, and the screen opens in real time.
    assert.is(await page.getByText('joan@example.com').count(), 0)
  })
})

test('shows key figures and a table of the plotted numbers, and switches the interval', async () => {
  await withPayments('', async (page) => {
    await page.locator('.figures').waitFor()
    const figures = await page.locator('.figures').innerText()
    assert.match(figures, /75\.00 EUR[\s\S]*14\.3 %[\s\S]*4\.00 EUR/)
    await page.getByText('Show the numbers as a table').click()
    await Promise.all([
      page.waitForRequest(/statistics\?interval=month/),
      page.getByRole('button', { name: 'Month' }).click(),
    ])
    assert.match(page.url(), /interval=month/)
    await page.getByRole('heading', { name: 'Payments per month' }).waitFor()
    assert.is(await page.locator('button:focus').innerText(), 'Month')
  })
})

test('shows the retries and the recurring revenue of a test clock', async () => {
  await withPayments(`?test_clock=${clock}`, async (page) => {
    const retries = page.getByRole('table', { name: 'Retries' })
    await retries.getByText('1 invoice').first().waitFor()
    assert.match(await retries.innerText(), /Recovered[\s\S]*1 invoice\s+1\s+0\s+0/)
    assert.match(await page.locator('.figures').innerText(), /15\.00 EUR/)
  })
})

test('applies the filters of the URL, and stores a changed filter in the URL', async () => {
  await withPayments(`?status=failed&customer=${customer}`, async (page) => {
    await page.getByRole('table', { name: 'Each payment' }).locator('tbody tr').waitFor()
    assert.is(await page.getByRole('table', { name: 'Each payment' }).locator('tbody tr').count(), 1)
    await page.getByLabel('Status').selectOption('succeeded')
    await page.getByText('refunded', { exact: false }).first().waitFor()
    assert.match(page.url(), /status=succeeded/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.locator('.figures').waitFor()
  })
})

test('applies a customer id only after Enter, so that an incomplete id causes no error', async () => {
  await withPayments('', async (page) => {
    const field = page.getByLabel('Customer', { exact: true })
    await field.pressSequentially('cus', { delay: 250 })
    assert.not.match(page.url(), /customer=/)
    await field.fill(customer)
    await field.press('Enter')
    await page.getByText('2 payments with these filters').waitFor()
  })
})

test('adds a new payment without a reload', async () => {
  await withPayments('', async (page) => {
    await page.getByRole('table', { name: 'Each payment' }).waitFor()
    await page.getByText('Live', { exact: true }).last().waitFor()
    const id = await pay(customer, 'mastercard', 'While the screen is open')
    await page.getByRole('table', { name: 'Each payment' }).getByText(id).waitFor()
  })
})

test('shows hostile strings as text, without layout or accessibility problems', async () => {
  await withPayments('', async (page) => {
    await page
      .getByRole('table', { name: 'Each payment' })
      .getByText('<img src=x onerror=alert(1)>')
      .waitFor()
    await page.locator('.figures').waitFor()
    await page.getByText('Show the numbers as a table').click()
    assert.equal(await checkScreen(page), [])
  })
})

test.run()
