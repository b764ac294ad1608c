import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { type Call, createOpenInvoice, createPayment, createSubscription } from './action-scene.ts'
import { useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard action dialogs', undefined, 120_000)
const dashboard = useDashboardBrowser(test)

/** Creates a subscription in a trial of 14 days. */
async function createTrial(call: Call): Promise<string> {
  return (await createSubscription(call, { trial_days: 14 })).subscription
}

test('refunds a part of a payment', async () => {
  const { call } = dashboard.daemon
  const id = await createPayment(call)
  await dashboard.withScreen(`/objects/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Amount in minor units').fill('500')
    await page.keyboard.press('Enter')
    await page.getByRole('status', { name: 'Result' }).getByText('5.00 EUR').first().waitFor()
    assert.is((await call(api.payments.retrieve, { id })).amount_refunded, 500)
  })
})

test('reports a refund whose events cannot be read, and then offers only the remaining amount', async () => {
  const { call } = dashboard.daemon
  const id = await createPayment(call)
  await dashboard.withScreen(
    `/objects/${id}`,
    async (page) => {
      const refund = page.getByRole('button', { name: 'Refund', exact: true })
      const dialog = page.getByRole('dialog')
      await page.route(/\/v1\/events\?limit=50$/, (route) => route.fulfill({ status: 500, body: '' }))
      await refund.click()
      await dialog.getByLabel('Amount in minor units').fill('500')
      await page.keyboard.press('Enter')
      await page.getByRole('status', { name: 'Result' }).getByRole('link').waitFor()
      assert.is(await dialog.isVisible(), false)
      await page.getByText('Charged, then refunded in part.').waitFor()
      await refund.click()
      await dialog.getByText('10.00 EUR · ').waitFor()
      assert.is(await dialog.getByLabel('Amount in minor units').inputValue(), '')
      assert.is((await call(api.payments.retrieve, { id })).amount_refunded, 500)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      assert.is(await refund.evaluate((button) => button === document.activeElement), true)
    },
    { expectedError: /status of 500/ },
  )
})

for (const [button, path, prepare] of [
  ['Refund', /\/v1\/refunds$/, createPayment],
  ['Extend trial', /\/v1\/subscriptions\/\w+$/, createTrial],
] as const)
  test(`${button}: executes the action once when it is repeated after a lost response`, async () => {
    const { call } = dashboard.daemon
    const id = await prepare(call)
    await dashboard.withScreen(
      `/objects/${id}`,
      async (page) => {
        let isLost = false
        await page.route(path, async (route) => {
          if (isLost || route.request().method() !== 'POST') return route.fallback()
          isLost = true
          // The browser adds this header after the interception.
          const headers = { ...route.request().headers(), 'Sec-Fetch-Site': 'same-origin' }
          assert.is((await route.fetch({ headers })).status(), 200)
          return route.abort()
        })
        await page.getByRole('button', { name: button, exact: true }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox').fill('5')
        await page.keyboard.press('Enter')
        await dialog.getByText('The server does not respond.').waitFor()
        // The event of the change has arrived, so the screen shows the new state of the object.
        const changed = page.locator('dl.columns').getByText(/0\.05 EUR|2026-01-20 08:00:00/)
        await changed.first().waitFor()
        await page.keyboard.press('Enter')
        const result = page.getByRole('status', { name: 'Result' })
        await result
          .getByText(/refund\.created|subscription\.updated/)
          .first()
          .waitFor()
        const { data } = await call(api.events.list, { types: ['refund.created', 'subscription.updated'] })
        const own = data.filter((event) => JSON.stringify(event.data.object).includes(id))
        assert.is(own.length, 1)
      },
      { expectedError: /net::ERR_FAILED/ },
    )
  })

test('sends the same idempotency key while the first request is running, and a new key after a decline', async () => {
  const id = await createOpenInvoice(dashboard.daemon.call)
  await dashboard.withScreen(
    `/objects/${id}`,
    async (page) => {
      const keys: (string | undefined)[] = []
      const errors = [
        [409, 'idempotency_key_in_use'],
        [503, 'storage_full'],
        [402, 'card_declined'],
        [402, 'expired_card'],
      ] as const
      await page.route(/\/pay$/, async (route) => {
        const [status, code] = errors[keys.length] ?? [500, '']
        keys.push(route.request().headers()['idempotency-key'])
        await route.fulfill({ status, json: { error: { code, message: `The error is ${code}.` } } })
      })
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      for (const [, code] of errors) {
        await page.getByRole('button', { name: 'Confirm' }).click()
        await page.getByText(`The error is ${code}.`).waitFor()
      }
      const [first, ...others] = keys
      assert.equal(
        others.map((key) => key === first),
        [true, true, false],
      )
    },
    { expectedError: /status of (?:402|409|503)/ },
  )
})

test('links the event of an action to its request in the request log', async () => {
  const { subscription } = await createSubscription(dashboard.daemon.call)
  await dashboard.withScreen(`/objects/${subscription}`, async (page) => {
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    const result = page.getByRole('status', { name: 'Result' })
    await result.getByRole('link', { name: 'subscription.canceled' }).click()
    await page.getByRole('link', { name: 'req_' }).click()
    await page.getByRole('heading', { name: `POST · /v1/subscriptions/${subscription}/cancel` }).waitFor()
    await page.getByRole('region', { name: 'Events' }).getByText('subscription.canceled').waitFor()
    assert.match(await page.getByRole('region', { name: 'Idempotency key' }).innerText(), /\S{36}/)
  })
})

test('sends one request for a double click, and shows its error although Escape was pressed', async () => {
  const id = await createOpenInvoice(dashboard.daemon.call)
  await dashboard.withScreen(
    `/objects/${id}`,
    async (page) => {
      const { promise: isClosed, resolve: close } = Promise.withResolvers<void>()
      let sent = 0
      await page.route(/\/pay$/, async (route) => {
        sent += 1
        await isClosed
        await route.fulfill({ status: 402, json: { error: { code: 'card_declined', message: 'Declined.' } } })
      })
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      await dialog.getByRole('button', { name: 'Confirm' }).dblclick()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Void' }).dispatchEvent('click')
      assert.is(await dialog.isVisible(), false)
      close()
      await page.getByRole('alert').getByText('Declined.').waitFor()
      assert.is(sent, 1)
    },
    { expectedError: /status of 402/ },
  )
})

test.run()
