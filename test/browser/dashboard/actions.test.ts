import { api } from '../../../src/api/api.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'
import {
  type Call,
  createOpenInvoice,
  createPaused,
  createPayment,
  createSubscription,
  MONTH,
} from './action-scene.ts'
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

/** Reserves an amount on a saved card. Returns the id of the payment and a function that captures or cancels it. */
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
  /** The number to enter (default: the prefilled value of the field). */
  readonly entered?: string
  /** A string that the confirmation shows, usually computed by the server (default: none). */
  readonly effect?: string
  /** Creates the object. Resolves with its id and a function that changes it so that the server rejects the action. */
  readonly prepare: (call: Call) => Promise<readonly [id: string, spoil: () => Promise<unknown>]>
  /** A string in the result: an event type or an object id. */
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
    effect: 'Recovers, 15.00 EUR is charged',
    result: 'invoice.voided',
    refusal: /void/,
  },
  'pays an invoice': {
    button: 'Pay',
    async prepare(call) {
      const id = await createOpenInvoice(call)
      return [id, () => call(api.invoices.void, { id })]
    },
    effect: '15.00 EUR is charged',
    result: 'invoice.paid',
    refusal: /void/,
  },
  'refunds a payment': {
    button: 'Refund',
    async prepare(call) {
      const id = await createPayment(call)
      return [id, () => call(api.refunds.create, { payment: id })]
    },
    entered: '500',
    effect: 'The merchant keeps 10.00 EUR.',
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
    effect: 'Renews',
    result: 'subscription.canceled',
    refusal: /canceled/,
  },
  'cancels a subscription at the end of its period': {
    button: 'Cancel at period end',
    async prepare(call) {
      const { subscription: id } = await createSubscription(call)
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    effect: 'The subscription ends on 2026-02-01',
    result: 'subscription.updated',
    refusal: /canceled/,
  },
  'keeps a subscription that was about to end': {
    button: 'Keep',
    async prepare(call) {
      const { subscription: id } = await createSubscription(call)
      await call(api.subscriptions.update, { id, cancel_at_period_end: true })
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    effect: 'Ends',
    result: 'subscription.updated',
    refusal: /canceled/,
  },
  'changes the quantity of a subscription': {
    button: 'Change quantity',
    entered: '3',
    async prepare(call) {
      const { subscription: id } = await createSubscription(call)
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    effect: '75.00 EUR due on 2026-02-01',
    result: 'subscription.updated',
    refusal: /canceled/,
  },
  'extends a trial': {
    button: 'Extend trial',
    entered: '10',
    async prepare(call) {
      const { subscription: id } = await createSubscription(call, { trial_days: 14 })
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    effect: '15.00 EUR due on 2026-01-25',
    result: 'subscription.updated',
    refusal: /canceled/,
  },
  'resumes a subscription': {
    button: 'Resume',
    async prepare(call) {
      const id = await createPaused(call)
      return [id, () => call(api.subscriptions.cancel, { id })]
    },
    effect: 'Rent 15.00 EUR',
    result: 'subscription.resumed',
    refusal: /canceled/,
  },
  'advances a clock to an event': {
    button: /^Advance to 2026-02-01/,
    async prepare(call) {
      const { subscription, clock } = await createSubscription(call)
      return [subscription, () => call(api.testClocks.advance, { id: clock, by: MONTH })]
    },
    effect: 'Renews, 15.00 EUR is charged',
    result: 'subscription.renewed',
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

for (const [title, { button, entered, effect = '', prepare, result, refusal }] of Object.entries(CASES)) {
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
          if (entered !== undefined) await dialog.getByRole('textbox').fill(entered)
          await dialog.filter({ hasText: effect }).waitFor()
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

test('disables and enables an endpoint, and resends an event', async () => {
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

test('shows the lines of an invoice, and links to its hosted page and its customer', async () => {
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
