import { api } from '../../src/api/api.ts'
import type { Store } from '../../src/store/port/store.ts'
import { put } from '../store/fixture.ts'
import {
  invoiceIn,
  invoicesOf,
  newCustomerWithCard,
  saveCard,
  subscribe,
  toNextPeriod,
} from '../support/billing.ts'
import {
  advanceClockTo,
  breakDuringAdvance,
  createClock,
  interruptAdvance,
  newCustomerOnClock,
} from '../support/clocks.ts'
import { newCardSession, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { COUPON_ERRORS } from './coupon-errors.ts'
import type { Provoke, ProvokeTarget } from './http/provoke-error.ts'

const complete = ({ post }: ProvokeTarget, id: string, fields: object) =>
  post(`/v1/test_helpers/payment_sessions/${id}/complete`, fields)

/** Returns a function that completes a payment session with a test card. */
const paidBy =
  (test_card: string, more: object = {}): Provoke =>
  async (target) =>
    complete(target, (await newPaymentSession(target.sandbox)).id, { test_card, ...more })

/** Creates a payment of 10.00 EUR with a test card and returns its id. */
async function paymentBy(sandbox: Sandbox, test_card: string): Promise<string> {
  const { id } = await newPaymentSession(sandbox)
  const params = { id, test_card } as const
  if (test_card === 'visa') await sandbox.call(api.paymentSessions.complete, params)
  else await catchDomainError(sandbox.call(api.paymentSessions.complete, params))
  const { data } = await sandbox.call(api.payments.list, { payment_session: id })
  return data[0]?.id ?? ''
}

/** Creates a customer with a subscription on a test clock. */
async function onClock(sandbox: Sandbox, card = 'visa') {
  const { clock, customer } = await newCustomerOnClock(sandbox)
  return { clock, customer, subscription: await subscribe(sandbox, { customer, card }) }
}

/** Adds a pending invoice item to a subscription. */
function addItem(sandbox: Sandbox, subscription: string) {
  return sandbox.call(api.invoiceItems.create, { subscription, description: 'Fee', unit_amount: 1 })
}

const refund =
  (fields: object, card = 'visa', times = 1): Provoke =>
  async ({ post, sandbox }) => {
    const body = { payment: await paymentBy(sandbox, card), ...fields }
    for (let count = 1; count < times; count += 1) await post('/v1/refunds', body)
    return post('/v1/refunds', body)
  }

/** Errors caused by the state of objects, by code. */
export const STATE_ERRORS: Readonly<Record<string, Provoke>> = {
  ...COUPON_ERRORS,
  sandbox_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await sandbox.call(api.sandboxes.create, { expires_at: START + 60 })
    sandbox.setClock(START + 60)
    return post(`/v1/sandboxes/${id}/reset`, {})
  },
  sandbox_protected: ({ remove }) => remove('/v1/sandboxes/default'),
  customer_deleted: async ({ post, sandbox }) => {
    const { id } = await newCustomer(sandbox)
    await sandbox.call(api.customers.delete, { id })
    return post(`/v1/customers/${id}`, { name: 'Ada' })
  },
  customer_max_subscriptions: async ({ post, sandbox }) => {
    const live = await subscribe(sandbox)
    const { customer } = live
    await put(sandbox.store, ...Array.from({ length: 499 }, (_, at) => ({ ...live, id: `sub_${at}` })))
    const subscription_data = { interval: 'month', items: [{ description: 'x', price_data: { amount: 1 } }] }
    return post('/v1/checkout_sessions', { currency: 'eur', customer, subscription_data })
  },
  payment_method_unexpected_customer: async ({ post, sandbox }) => {
    const [owner, other] = [await newCustomer(sandbox), await newCustomer(sandbox)]
    const card = await saveCard(sandbox, owner.id, 'visa')
    return post(`/v1/customers/${other.id}`, { default_payment_method: card.id })
  },
  payment_unexpected_state: async ({ post, sandbox }) => {
    const { customer } = await newCustomerWithCard(sandbox)
    const { id } = await sandbox.call(api.payments.create, { customer, amount: 700, currency: 'eur' })
    return post(`/v1/payments/${id}/cancel`, {})
  },
  fault_limit: async ({ post }) => {
    for (let count = 0; count < 100; count += 1) await post('/v1/test_helpers/faults', { type: 'swap' })
    return post('/v1/test_helpers/faults', { type: 'swap' })
  },
  webhook_endpoint_limit: async ({ post }) => {
    const body = { url: 'http://127.0.0.1:9/' }
    for (let count = 0; count < 100; count += 1) await post('/v1/webhook_endpoints', body)
    return post('/v1/webhook_endpoints', body)
  },
  webhook_delivery_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/' })
    await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
    await newCustomer(sandbox)
    const { data } = await sandbox.call(api.webhookDeliveries.list, { status: 'skipped' })
    return post(`/v1/webhook_deliveries/${data[0]?.id}/send`, {})
  },
  webhook_endpoint_disabled: async ({ post, sandbox }) => {
    const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/' })
    await newCustomer(sandbox)
    const [event] = await sandbox.events()
    await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
    return post(`/v1/events/${event?.id}/resend`, { webhook_endpoint: id })
  },
  checkout_session_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await newCheckout(sandbox)
    await sandbox.call(api.checkoutSessions.expire, { id })
    return post(`/v1/checkout_sessions/${id}/expire`, {})
  },
  payment_session_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await newPaymentSession(sandbox)
    await sandbox.call(api.paymentSessions.expire, { id })
    return post(`/v1/payment_sessions/${id}/expire`, {})
  },
  card_session_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await newCardSession(sandbox)
    await sandbox.call(api.cardSessions.expire, { id })
    return post(`/v1/card_sessions/${id}/expire`, {})
  },
  portal_session_unexpected_state: async ({ post, sandbox }) => {
    const { id: customer } = await newCustomer(sandbox)
    const { id } = await sandbox.call(api.portalSessions.create, { customer })
    await sandbox.call(api.portalSessions.expire, { id })
    return post(`/v1/portal_sessions/${id}/expire`, {})
  },
  subscription_unexpected_customer: async ({ post, sandbox }) => {
    const { id: subscription } = await subscribe(sandbox)
    const { id: customer } = await newCustomer(sandbox)
    return post('/v1/card_sessions', { customer, subscription })
  },
  subscription_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await subscribe(sandbox)
    await sandbox.call(api.subscriptions.cancel, { id })
    return post(`/v1/subscriptions/${id}/cancel`, {})
  },
  proration_date_out_of_range: async ({ post, sandbox }) => {
    const { id } = await subscribe(sandbox)
    return post(`/v1/subscriptions/${id}/preview`, { proration_date: START - 1 })
  },
  invoice_upcoming_none: async ({ post, sandbox }) => {
    const { id } = await subscribe(sandbox)
    await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
    return post(`/v1/subscriptions/${id}/preview`, {})
  },
  invoice_unexpected_state: async ({ post, sandbox }) => {
    const [paid] = await invoicesOf(sandbox, (await subscribe(sandbox)).id)
    return post(`/v1/invoices/${paid?.id}/void`, {})
  },
  invoice_item_unexpected_state: async ({ remove, sandbox }) => {
    const { id: subscription } = await subscribe(sandbox)
    const { id } = await addItem(sandbox, subscription)
    await toNextPeriod(sandbox, subscription)
    return remove(`/v1/invoice_items/${id}`)
  },
  invoice_item_limit: async ({ post, sandbox }) => {
    const { id: subscription } = await subscribe(sandbox)
    const item = await addItem(sandbox, subscription)
    await put(sandbox.store, ...Array.from({ length: 249 }, (_, at) => ({ ...item, id: `ii_${at}` })))
    return post('/v1/invoice_items', { subscription, description: 'Fee', unit_amount: 1 })
  },
  payment_method_unexpected_state: async ({ post, sandbox }) => {
    const { card: id } = await newCustomerWithCard(sandbox)
    await sandbox.call(api.paymentMethods.detach, { id })
    return post(`/v1/payment_methods/${id}/detach`, {})
  },
  api_key_unexpected_state: async ({ post, sandbox }) => {
    const { id } = await sandbox.call(api.apiKeys.create, {})
    await sandbox.call(api.apiKeys.revoke, { id })
    return post(`/v1/api_keys/${id}/roll`, {})
  },
  payment_method_missing: async ({ post, sandbox }) => {
    const { id } = await subscribe(sandbox, { collection_method: 'send_invoice' })
    return post(`/v1/invoices/${(await invoiceIn(sandbox, id, ['open'])).id}/pay`, {})
  },
  payment_not_refundable: refund({}, 'declined'),
  payment_already_refunded: refund({}, 'visa', 2),
  refund_amount_too_large: refund({ amount: 1001 }),
  payment_disputed: async ({ post, sandbox }) => {
    const payment = await paymentBy(sandbox, 'visa')
    await sandbox.call(api.payments.dispute, { id: payment, reason: 'fraudulent' })
    return post('/v1/refunds', { payment })
  },
  dispute_amount_too_large: async ({ post, sandbox }) => {
    const id = await paymentBy(sandbox, 'visa')
    return post(`/v1/test_helpers/payments/${id}/dispute`, { reason: 'fraudulent', amount: 1001 })
  },
  inquiry_limit: async ({ post, sandbox }) => {
    const payment = await paymentBy(sandbox, 'visa')
    const inquiry = { reason: 'general', inquiry: true } as const
    const first = await sandbox.call(api.payments.dispute, { id: payment, ...inquiry })
    await put(sandbox.store, ...Array.from({ length: 99 }, (_, at) => ({ ...first, id: `dp_${at}` })))
    return post(`/v1/test_helpers/payments/${payment}/dispute`, inquiry)
  },
  dispute_unexpected_state: async ({ post, sandbox }) => {
    const payment = await paymentBy(sandbox, 'visa')
    const { id } = await sandbox.call(api.payments.dispute, { id: payment, reason: 'fraudulent' })
    await sandbox.call(api.disputes.close, { id })
    return post(`/v1/disputes/${id}/close`, {})
  },
  customer_has_objects: async ({ post, sandbox }) => {
    const { customer } = await newPaymentSession(sandbox)
    return post('/v1/test_helpers/test_clocks', { frozen_time: START, customer })
  },
  test_clock_deleted: async ({ post, sandbox }) => {
    const { clock, subscription } = await onClock(sandbox)
    const [invoice] = await invoicesOf(sandbox, subscription.id)
    await sandbox.call(api.testClocks.delete, { id: clock })
    return post('/v1/refunds', { payment: invoice?.latest_payment })
  },
  test_clock_failed: async ({ post, sandbox }) => {
    const { clock, customer } = await onClock(sandbox)
    await breakDuringAdvance(sandbox, clock, START + 40 * DAY)
    return post(`/v1/customers/${customer}`, { name: 'Ada' })
  },
  test_clock_advancing: async ({ post, sandbox }) => {
    const { clock, customer } = await onClock(sandbox)
    await interruptAdvance(sandbox, clock, START + DAY)
    return post(`/v1/customers/${customer}`, { name: 'Ada' })
  },
  card_declined: paidBy('declined'),
  expired_card: paidBy('expired'),
  incorrect_cvc: paidBy('incorrect_cvc'),
  processing_error: paidBy('processing_error'),
  authentication_failed: paidBy('sca_always', { three_d_secure: 'reject' }),
  authentication_required: async ({ post, sandbox }) => {
    const { clock, subscription } = await onClock(sandbox, 'renewal_sca')
    await advanceClockTo(sandbox, clock, START + 40 * DAY)
    return post(`/v1/invoices/${(await invoiceIn(sandbox, subscription.id, ['open'])).id}/pay`, {})
  },
  card_decline_rate_limit_exceeded: async (target) => {
    const { id } = await newPaymentSession(target.sandbox)
    for (let count = 0; count < 10; count += 1) await complete(target, id, { test_card: 'declined' })
    return complete(target, id, { test_card: 'visa' })
  },
  payment_processing: async (target) => {
    const { id } = await newPaymentSession(target.sandbox)
    await complete(target, id, { test_card: 'slow' })
    return complete(target, id, { test_card: 'visa' })
  },
  idempotency_key_in_use: async ({ post, sandbox, served }) => {
    const { id } = await createClock(sandbox)
    const advance = () =>
      post(
        `/v1/test_helpers/test_clocks/${id}/advance`,
        { frozen_time: START + DAY },
        { 'Idempotency-Key': 'k' },
      )
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let transactions = 0
    const transact: Store['transact'] = async (work) => {
      transactions += 1
      if (transactions > 1) {
        begun.resolve()
        await end.promise
      }
      return sandbox.store.transact(work)
    }
    served.breakStore({ transact })
    const first = advance()
    await begun.promise
    const second = await advance()
    end.resolve()
    await first
    return second
  },
}
