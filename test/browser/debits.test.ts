import type { Browser } from 'playwright-core'
import { api } from '../../src/api/api.ts'
import { withPage } from '../pages/browser-session.ts'
import { DEBIT_TYPES } from '../pages/debit-scenes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('debits', undefined, 60_000)

let daemon: TestDaemon
let browser: Browser

test.before(async () => {
  ;[daemon, browser] = await Promise.all([openDaemon(), launchBrowser()])
})

test.after(async () => {
  await browser?.close()
  await daemon?.stop()
})

for (const [how, javaScriptEnabled, types] of [
  ['with scripts', true, DEBIT_TYPES],
  ['without scripts', false, DEBIT_TYPES],
  ['on a page without a card form', true, { payment_method_types: ['sepa_debit'] }],
] as const) {
  test(`a customer corrects an IBAN, whose debit fails after three days, and pays by card, ${how}`, async () => {
    const { call } = daemon
    const { id: clock } = await call(api.testClocks.create, { frozen_time: 1_767_225_600 })
    const { id: customer } = await call(api.customers.create, { email: 'ada@example.com', test_clock: clock })
    const items = [{ description: 'Monthly plan', price_data: { amount: 1000 } }]
    const { id, url } = await call(api.checkoutSessions.create, {
      ...{ customer, currency: 'eur', ...types, subscription_data: { interval: 'month', items } },
    })
    await withPage(browser, { javaScriptEnabled }, async (page) => {
      await page.goto(url)
      if (types === DEBIT_TYPES) await page.getByText('Pay by SEPA Direct Debit').click()
      const form = page.locator('form', { has: page.getByLabel('IBAN') })
      await form.getByLabel('IBAN').fill('DE62 3704 0044 0532 0130 02')
      await form.getByLabel('Account holder').fill('Ada Lovelace')
      await form.getByRole('button').click()
      await page.getByText('This IBAN is not valid.').waitFor()
      assert.is(await form.getByLabel('Account holder').inputValue(), 'Ada Lovelace')
      await form.getByLabel('IBAN').fill('DE62 3704 0044 0532 0130 01')
      await form.getByRole('button').click()
      await page.getByText('The payment is complete when your bank confirms it.').waitFor()
      await call(api.testClocks.advance, { id: clock, by: { interval: 'day', count: 3 } })
      const { invoice } = await call(api.checkoutSessions.retrieve, { id })
      const { hosted_invoice_url } = await call(api.invoices.retrieve, { id: invoice ?? '' })
      await page.goto(hosted_invoice_url ?? '')
      for (const [label, value] of [
        ['Card number', '4242424242424242'],
        ['Expiry', '12 / 40'],
        ['Security code', '123'],
      ] as const)
        await page.getByLabel(label).fill(value)
      await page.getByRole('button', { name: 'Pay €10.00' }).click()
      await page.getByRole('heading', { name: 'Invoice paid' }).waitFor()
    })
    const { subscription } = await call(api.checkoutSessions.retrieve, { id })
    assert.is((await call(api.subscriptions.retrieve, { id: subscription ?? '' })).status, 'active')
  })
}

test.run()
