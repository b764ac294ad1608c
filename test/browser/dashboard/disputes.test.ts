import { api } from '../../../src/api/api.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard disputes', undefined, 180_000)
const dashboard = useDashboardBrowser(test)

async function pay(): Promise<string> {
  const { id } = await newPaymentSession(dashboard.daemon)
  const session = await dashboard.daemon.call(api.paymentSessions.complete, { id, test_card: 'visa' })
  return session.payment ?? ''
}

test('disputes a payment in part, and shows the dispute on its screen', async () => {
  const { call } = dashboard.daemon
  const payment = await pay()
  await dashboard.withScreen(`/objects/${payment}`, async (page) => {
    await page.getByRole('button', { name: 'Dispute', exact: true }).click()
    await page.getByLabel('Amount in minor units').fill('400')
    assert.equal(await checkScreen(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('status', { name: 'Result' }).getByText('dispute.created').first().waitFor()
    await page.getByText('Charged, then disputed: the bank withdrew the amount.').waitFor()
    const related = page.getByRole('region', { name: 'Related objects' })
    await related.getByText('needs response').first().waitFor()
    assert.equal(await checkScreen(page), [])
  })
  assert.is((await call(api.payments.retrieve, { id: payment })).amount_disputed, 400)
})

test('submits evidence, and accepts another dispute', async () => {
  const { call } = dashboard.daemon
  const payment = await pay()
  const dispute = (amount: number) =>
    call(api.payments.dispute, { id: payment, reason: 'fraudulent', amount })
  const [answered, accepted] = [await dispute(300), await dispute(200)]
  await dashboard.withScreen(`/objects/${answered.id}`, async (page) => {
    await page.getByText('unless you submit evidence').waitFor()
    await page.getByRole('button', { name: 'Submit evidence' }).click()
    await page.getByRole('dialog').getByLabel('Evidence').fill('winning_evidence')
    await page.keyboard.press('Enter')
    await page.getByRole('status', { name: 'Result' }).getByText('dispute.updated').first().waitFor()
    await page.getByRole('button', { name: 'Accept' }).waitFor({ state: 'detached' })
    assert.equal(await checkScreen(page), [])
  })
  assert.is((await call(api.disputes.retrieve, { id: answered.id })).status, 'under_review')
  await dashboard.withScreen(`/objects/${accepted.id}`, async (page) => {
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('status', { name: 'Result' }).getByText('dispute.closed').first().waitFor()
  })
  assert.is((await call(api.disputes.retrieve, { id: accepted.id })).status, 'lost')
})

test.run()
