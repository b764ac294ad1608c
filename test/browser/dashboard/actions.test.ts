import { api } from '../../../src/api/api.ts'
import type { TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'
import { START } from './clock-scene.ts'
import { checkScreen, useDashboardBrowser } from './dashboard-browser.ts'

const test = suite('dashboard actions', undefined, 180_000)
const dashboard = useDashboardBrowser(test)
let handler: WebhookServer

test.before(async () => {
  handler = await openWebhookServer((_request, response) => {
    response.writeHead(200).end()
  })
})
test.after(() => handler?.close())

type Call = TestDaemon['call']

interface SubscriptionOptions {
  /** The test card (default: visa); null for a trial without a card. */
  readonly card?: string | null
}

/** Creates a subscription on a test clock. */
async function createSubscription(call: Call, { card = 'visa' }: SubscriptionOptions = {}) {
  const { id: clock } = await call(api.testClocks.create, { frozen_time: START })
  const { id: customer } = await call(api.customers.create, { email: 'ada@example.com', test_clock: clock })
  const price_data = { amount: 1500, currency: 'eur', tax_percent: 0 }
  const trial = { trial_days: 1, trial_settings: { missing_payment_method: 'pause' } } as const
  const { id } = await call(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur', description: 'Rent' },
    subscription_data: {
      ...{ interval: 'month', items: [{ description: 'Rent', type: 'rent', price_data }] },
      ...(card === null ? trial : {}),
    },
    ...(card === null ? { payment_method_collection: 'if_required' as const } : {}),
  })
  await call(api.checkoutSessions.complete, { id, ...(card === null ? {} : { test_card: card }) })
  const { data } = await call(api.subscriptions.list, { customer })
  return { clock, customer, subscription: data[0]?.id ?? '' }
}

const MONTH = { interval: 'month', count: 1 } as const

/** Creates an open invoice whose first charge was declined; the next one succeeds. */
async function createOpenInvoice(call: Call): Promise<string> {
  const { subscription, clock } = await createSubscription(call, { card: 'renewal_flaky' })
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  const { data } = await call(api.invoices.list, { subscription, status: 'open' })
  return data[0]?.id ?? ''
}

/** Creates a paused subscription whose customer has a saved card by now. */
async function createPaused(call: Call): Promise<string> {
  const { subscription, clock, customer } = await createSubscription(call, { card: null })
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  const { id } = await call(api.cardSessions.create, { customer })
  await call(api.cardSessions.complete, { id, test_card: 'visa' })
  return subscription
}

async function createPayment(call: Call): Promise<string> {
  const { customer } = await createSubscription(call)
  return (await call(api.payments.list, { customer })).data[0]?.id ?? ''
}

/** Reserves an amount on a saved card; the second function captures or cancels it. */
async function createHold(call: Call, end: 'capture' | 'cancel') {
  const { customer } = await createSubscription(call)
  const hold = { amount: 4500, currency: 'eur', capture_method: 'manual' } as const
  const { id } = await call(api.payments.create, { customer, ...hold })
  return [id, () => call(end === 'cancel' ? api.payments.cancel : api.payments.capture, { id })] as const
}

async function createDelivery(call: Call) {
  const endpoint = await call(api.webhookEndpoints.create, { url: handler.url, enabled_events: ['*'] })
  const before = handler.received.length
  await call(api.customers.create, { email: 'grace@example.com' })
  await handler.waitFor(before + 1)
  const { data } = await call(api.webhookDeliveries.list, { webhook_endpoint: endpoint.id })
  return { endpoint: endpoint.id, delivery: data[0]?.id ?? '', event: data[0]?.event ?? '' }
}

interface ActionCase {
  readonly button: string | RegExp
  /** Creates the object; resolves with the id of its screen, and a change after which the server refuses the action. */
  readonly prepare: (call: Call) => Promise<readonly [id: string, spoil: () => Promise<unknown>]>
  /** The text of the result: an event or the id of an object. */
  readonly result: string
  readonly refusal: RegExp
}

const CASES: Readonly<Record<string, ActionCase>> = {
  'voids an invoice': {
    button: 'Void',
    async prepare(call) {
      const id = await createOpenInvoice(call)
      return [id, () => call(api.invoices.void, { id })]
    },
    result: 'invoice.voided',
    refusal: /void/,
  },
  'pays an invoice': {
    button: 'Pay',
    async prepare(call) {
      const id = await createOpenInvoice(call)
      return [id, () => call(api.invoices.void, { id })]
    },
    result: 'invoice.paid',
    refusal: /void/,
  },
  'refunds a payment': {
    button: 'Refund',
    async prepare(call) {
      const id = await createPayment(call)
      return [id, () => call(api.refunds.create, { payment: id })]
    },
    result: 'refund.created',
    refusal: /refunded/,
  },
  'captures a reserved amount': {
    button: 'Capture',
    prepare: (call) => createHold(call, 'cancel'),
    result: 'payment.succeeded',
    refusal: /canceled/,
  },
  'cancels a reserved payment': {
    button: 'Cancel',
    prepare: (call) => createHold(call, 'capture'),
    result: 'payment.canceled',
    refusal: /succeeded/,
  },
  'cancels a subscription': {
    button: 'Cancel',
    async prepare(call) {
      const { subscription: id } = await createSubscription(call)
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    result: 'subscription.canceled',
    refusal: /canceled/,
  },
  'resumes a subscription': {
    button: 'Resume',
    async prepare(call) {
      const id = await createPaused(call)
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    result: 'subscription.resumed',
    refusal: /canceled/,
  },
  'advances a clock to an event': {
    button: /^Advance to 2026-02-01/,
    async prepare(call) {
      const { subscription, clock } = await createSubscription(call)
      return [subscription, () => call(api.testClocks.advance, { id: clock, by: MONTH })]
    },
    result: 'clock_',
    refusal: /clock/,
  },
  'resends a delivery': {
    button: 'Resend',
    async prepare(call) {
      const { delivery, endpoint } = await createDelivery(call)
      return [delivery, () => call(api.webhookEndpoints.update, { id: endpoint, status: 'disabled' })]
    },
    result: 'whd_',
    refusal: /disabled/,
  },
}

for (const [title, { button, prepare, result, refusal }] of Object.entries(CASES)) {
  test(`${title} with the keyboard alone, after the error of a state that changed`, async () => {
    const { call } = dashboard.daemon
    for (const isRefused of [false, true]) {
      const [id, spoil] = await prepare(call)
      await dashboard.withScreen(
        `/objects/${id}`,
        async (page) => {
          await page.getByRole('button', { name: button, exact: true }).focus()
          await page.keyboard.press('Enter')
          const dialog = page.getByRole('dialog')
          await dialog.waitFor()
          if (!isRefused) assert.equal(await checkScreen(page), [])
          if (isRefused) await spoil()
          await dialog.getByRole('button', { name: 'Confirm' }).focus()
          await page.keyboard.press('Enter')
          if (!isRefused) {
            await page.getByRole('status', { name: 'Result' }).getByText(result).first().waitFor()
            assert.equal(await checkScreen(page), [])
            return
          }
          await dialog.getByRole('alert').waitFor()
          assert.match(await dialog.getByRole('alert').innerText(), refusal)
          await page.keyboard.press('Escape')
          await dialog.waitFor({ state: 'hidden' })
        },
        isRefused ? { expectedError: /status of 4/ } : {},
      )
    }
  })
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

test('sends one request for a double click, and shows its error after Escape', async () => {
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

test('disables and enables an endpoint, and sends an event again', async () => {
  const { endpoint, event } = await createDelivery(dashboard.daemon.call)
  for (const [id, name, result] of [
    [event, 'Resend', 'whd_'],
    [endpoint, 'Disable', endpoint],
    [endpoint, 'Enable', endpoint],
  ] as const)
    await dashboard.withScreen(`/objects/${id}`, async (page) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('status', { name: 'Result' }).getByText(result).first().waitFor()
    })
})

test('shows the lines of an invoice, its page and its customer', async () => {
  const id = await createOpenInvoice(dashboard.daemon.call)
  await dashboard.withScreen(`/objects/${id}`, async (page) => {
    await page.getByRole('table', { name: 'Lines' }).getByText('15.00 EUR').first().waitFor()
    const { hosted_invoice_url: url } = await dashboard.daemon.call(api.invoices.retrieve, { id })
    assert.is(await page.getByRole('link', { name: url ?? '' }).getAttribute('href'), url)
    await page.getByRole('region', { name: 'Related objects' }).getByText('ada@example.com').waitFor()
    await page.getByText('charge automatically').waitFor()
    assert.equal(await checkScreen(page), [])
  })
})

test.run()
