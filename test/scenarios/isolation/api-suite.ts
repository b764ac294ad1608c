import { api, operations } from '../../../src/api/api.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { CARDS, RENT } from '../../support/samples.ts'
import { discounts } from './api-discounts.ts'
import type { Conversation } from './conversation.ts'

/** Options of the API suite. */
export interface ApiSuiteOptions {
  /** The URL of the webhook endpoint. */
  readonly webhookUrl: string
  /** Resolves when every due delivery was sent. */
  readonly deliver: () => Promise<void>
}

/** Objects that later parts of the suite use. */
interface Cast {
  readonly clock: string
  readonly customer: string
}

const MONTH = { interval: 'month', count: 1 } as const
const RETURN = 'https://example.com/return'
const NOBODY = 'nobody_1'

/** Calls every operation with success and with errors, and pages through every list. It fails at the first wrong response. */
export async function runApiSuite(talk: Conversation, options: ApiSuiteOptions): Promise<void> {
  await ownSandbox(talk)
  const cast = await customersAndClocks(talk)
  await sessions(talk, cast)
  await savedCards(talk, cast)
  const subscription = await subscriptions(talk, cast)
  await reports(talk, { ...cast, subscription })
  await pausedTrial(talk, cast)
  await invoices(talk, cast)
  await webhooks(talk, options)
  await faults(talk, options)
  await keys(talk)
  await endings(talk, { ...cast, subscription })
  await errors(talk)
  await everyList(talk)
}

async function ownSandbox({ call, reject }: Conversation): Promise<void> {
  await call(api.sandboxes.update, { id: 'current', name: 'Worker' })
  await call(api.sandboxes.retrieve, { id: 'current' })
  await reject(api.sandboxes.delete, { id: 'current' }, 'sandbox_key_not_allowed')
}

async function customersAndClocks({ call, reject }: Conversation): Promise<Cast> {
  const { id: clock } = await call(api.testClocks.create, { frozen_time: START, name: 'Renewals' })
  await call(api.testClocks.retrieve, { id: clock })
  const { id: customer } = await call(api.customers.create, {
    ...{ email: 'ada@example.com', name: 'Ada', metadata: { order: '1' }, test_clock: clock },
  })
  const { id } = await call(api.customers.create, { email: 'bob@example.com' })
  await call(api.customers.update, { id, phone: '+44 20 7946 0000' })
  await call(api.customers.retrieve, { id })
  await call(api.customers.list, { email: 'ada@example.com' })
  await call(api.customers.list, { test_clock: clock, created: { gte: START } })
  await call(api.customers.delete, { id })
  await reject(api.customers.update, { id, name: 'Bob' }, 'customer_deleted')
  return { clock, customer }
}

async function sessions({ call, reject, payOnPage }: Conversation, { customer }: Cast): Promise<void> {
  const payment = {
    ...{ amount: 1250, currency: 'eur', customer, return_url: RETURN },
    payment_method_types: ['card' as const],
  }
  const paid = await call(api.paymentSessions.create, payment)
  await reject(
    api.paymentSessions.complete,
    { id: paid.id, test_card: 'insufficient_funds' },
    'card_declined',
  )
  await call(api.paymentSessions.complete, { id: paid.id, test_card: 'visa' })
  await call(api.paymentSessions.retrieve, { id: paid.id })
  await reject(api.paymentSessions.expire, { id: paid.id }, 'payment_session_unexpected_state')
  const onPage = await call(api.paymentSessions.create, { ...payment, description: 'Two coffees' })
  await payOnPage(onPage.url, CARDS.broke)
  await payOnPage(onPage.url, CARDS.visa)
  await call(api.paymentSessions.retrieve, { id: onPage.id })
  const left = await call(api.paymentSessions.create, payment)
  await call(api.paymentSessions.expire, { id: left.id })
  await call(api.paymentSessions.list, { status: 'complete', customer })
  const terms = { subscription_data: { interval: 'month' as const, items: [RENT] } }
  const checkout = await call(api.checkoutSessions.create, { currency: 'eur', customer, ...terms })
  await call(api.checkoutSessions.expire, { id: checkout.id })
  await call(api.checkoutSessions.retrieve, { id: checkout.id })
  await call(api.checkoutSessions.list, { status: 'expired' })
  const refunded = await call(api.payments.list, { payment_session: paid.id, status: 'succeeded' })
  const refund = await call(api.refunds.create, { payment: refunded.data[0]?.id ?? NOBODY, amount: 500 })
  await call(api.refunds.retrieve, { id: refund.id })
  await reject(api.refunds.create, { payment: refund.payment, amount: 5000 }, 'refund_amount_too_large')
  await disputes({ call, reject }, refund.payment)
}

async function disputes(
  { call, reject }: Pick<Conversation, 'call' | 'reject'>,
  payment: string,
): Promise<void> {
  const { id } = await call(api.payments.dispute, { id: payment, reason: 'fraudulent', amount: 100 })
  await call(api.disputes.update, { id, evidence: { text: 'Receipt' }, submit: false })
  await call(api.disputes.close, { id })
  await reject(api.disputes.update, { id, submit: true }, 'dispute_unexpected_state')
  await call(api.disputes.retrieve, { id })
  await call(api.disputes.list, { payment, status: 'lost' })
}

async function savedCards({ call, reject }: Conversation, { customer }: Cast): Promise<void> {
  const saved = await call(api.cardSessions.create, { customer, return_url: RETURN })
  await call(api.cardSessions.complete, { id: saved.id, test_card: 'visa' })
  await call(api.cardSessions.retrieve, { id: saved.id })
  const left = await call(api.cardSessions.create, { customer })
  await call(api.cardSessions.expire, { id: left.id })
  const other = await call(api.cardSessions.create, { customer })
  await call(api.cardSessions.complete, { id: other.id, test_card: 'sca_required' })
  const portal = await call(api.portalSessions.create, { customer, return_url: RETURN })
  await call(api.portalSessions.retrieve, { id: portal.id })
  await call(api.portalSessions.list, { customer })
  await call(api.portalSessions.expire, { id: portal.id })
  await reject(api.portalSessions.expire, { id: portal.id }, 'portal_session_unexpected_state')
  const { data } = await call(api.paymentMethods.listOfCustomer, { id: customer })
  const [sca = NOBODY, visa = NOBODY] = data.map(({ id }) => id)
  await call(api.paymentMethods.retrieve, { id: visa })
  const charge = { amount: 4500, currency: 'eur', customer }
  const { id } = await call(api.payments.create, { ...charge, payment_method: visa, description: 'March' })
  await call(api.payments.retrieve, { id })
  const absent = { ...charge, payment_method: sca, off_session: false }
  for (const end of ['authenticate', 'cancel'] as const) {
    await reject(api.payments.create, absent, 'authentication_required')
    const waiting = await call(api.payments.list, { status: 'requires_action' })
    await call(api.payments[end], { id: waiting.data[0]?.id ?? NOBODY })
  }
  const held = await call(api.payments.create, { ...charge, payment_method: visa, capture_method: 'manual' })
  await call(api.payments.capture, { id: held.id, amount: 3000 })
  await call(api.paymentMethods.detach, { id: sca })
}

async function subscribe({ call }: Conversation, customer: string, terms: object = {}): Promise<string> {
  const { id } = await call(api.checkoutSessions.create, {
    ...{ currency: 'eur', customer },
    subscription_data: { interval: 'month', items: [RENT], ...terms },
  })
  const isSent = 'collection_method' in terms
  const session = await call(api.checkoutSessions.complete, { id, ...(!isSent && { test_card: 'visa' }) })
  return ('subscription' in session ? session.subscription : null) ?? NOBODY
}

async function subscriptions(talk: Conversation, { clock, customer }: Cast): Promise<string> {
  const { call, reject } = talk
  const id = await subscribe(talk, customer)
  await call(api.subscriptions.retrieve, { id })
  const item = { subscription: id, description: 'Key', unit_amount: 2500 }
  const { id: fee } = await call(api.invoiceItems.create, item)
  await call(api.invoiceItems.retrieve, { id: fee })
  const { id: mistake } = await call(api.invoiceItems.create, { ...item, quantity: 2 })
  await call(api.invoiceItems.delete, { id: mistake })
  await call(api.subscriptions.preview, { id })
  await discounts(talk, id)
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  await call(api.subscriptions.update, { id, pause_collection: { behavior: 'keep_as_draft' } })
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  await reject(api.testClocks.advance, { id: clock, frozen_time: START }, 'test_clock_not_forward')
  const [draft] = (await call(api.invoices.list, { subscription: id, status: 'draft' })).data
  await call(api.invoices.finalize, { id: draft?.id ?? NOBODY })
  await call(api.invoices.pay, { id: draft?.id ?? NOBODY })
  await call(api.subscriptions.update, { id, pause_collection: null })
  await call(api.subscriptions.update, { id, description: 'Rent of March' })
  await call(api.subscriptions.list, { customer, status: 'active' })
  return id
}

async function reports(
  { call, reject }: Conversation,
  { clock, subscription }: Cast & { readonly subscription: string },
): Promise<void> {
  await call(api.projections.retrieve, { subscription, limit: 10 })
  await call(api.projections.retrieve, { test_clock: clock, limit: 10 })
  await reject(api.projections.retrieve, {}, 'parameter_missing')
  await call(api.statistics.retrieve, { interval: 'month', test_clock: clock })
  await reject(api.statistics.retrieve, { test_clock: NOBODY }, 'resource_missing')
}

async function pausedTrial(talk: Conversation, { clock }: Cast): Promise<void> {
  const { call } = talk
  const { id: customer } = await call(api.customers.create, { email: 'joe@example.com', test_clock: clock })
  const trial_settings = { missing_payment_method: 'pause' }
  const id = await subscribe(talk, customer, { trial_days: 14, trial_settings })
  const card = await call(api.paymentMethods.listOfCustomer, { id: customer })
  await call(api.paymentMethods.detach, { id: card.data[0]?.id ?? NOBODY })
  await call(api.testClocks.advance, { id: clock, by: MONTH })
  const session = await call(api.cardSessions.create, { customer })
  await call(api.cardSessions.complete, { id: session.id, test_card: 'visa' })
  await call(api.subscriptions.resume, { id })
}

async function invoices(talk: Conversation, { clock, customer }: Cast): Promise<void> {
  const { call } = talk
  const sent = { collection_method: 'send_invoice', days_until_due: 10 }
  for (const end of ['payAsCustomer', 'void', 'markUncollectible'] as const) {
    const subscription = await subscribe(talk, customer, sent)
    await call(api.testClocks.advance, { id: clock, by: { interval: 'hour', count: 2 } })
    const [open] = (await call(api.invoices.list, { subscription, status: 'open' })).data
    const id = open?.id ?? NOBODY
    if (end === 'payAsCustomer') await call(api.invoices.payAsCustomer, { id, test_card: 'visa', keep: true })
    else await call(api.invoices[end], { id })
    await call(api.invoices.retrieve, { id })
    await call(api.subscriptions.cancel, { id: subscription })
  }
}

async function webhooks(
  { call, reject }: Conversation,
  { webhookUrl, deliver }: ApiSuiteOptions,
): Promise<void> {
  const { id } = await call(api.webhookEndpoints.create, { url: webhookUrl, enabled_events: ['customer.*'] })
  await call(api.webhookEndpoints.retrieve, { id })
  await call(api.webhookEndpoints.health, { id })
  await call(api.customers.create, { email: 'eve@example.com' })
  await deliver()
  await call(api.webhookEndpoints.rollSecret, { id, grace_seconds: 3600 })
  await call(api.webhookEndpoints.update, { id, description: 'My shop' })
  const { data } = await call(api.events.list, { type: 'customer.created' })
  const event = data[0]?.id ?? NOBODY
  await call(api.events.retrieve, { id: event })
  await call(api.events.resend, { id: event })
  await deliver()
  await call(api.webhookEndpoints.recover, { id, since: START - DAY })
  await deliver()
  const deliveries = await call(api.webhookDeliveries.list, { webhook_endpoint: id })
  await call(api.webhookDeliveries.retrieve, { id: deliveries.data[0]?.id ?? NOBODY })
  await call(api.webhookEndpoints.list, { status: 'enabled' })
  const spare = await call(api.webhookEndpoints.create, { url: webhookUrl, enabled_events: ['refund.*'] })
  await call(api.webhookEndpoints.delete, { id: spare.id })
  await reject(api.webhookEndpoints.create, { url: 'ws://localhost' }, 'url_invalid')
}

async function faults({ call, reject }: Conversation, { deliver }: ApiSuiteOptions): Promise<void> {
  const { id: holding } = await call(api.faults.create, { type: 'hold', match: { event_type: 'customer.*' } })
  await call(api.customers.create, { email: 'sue@example.com' })
  await deliver()
  const [held] = (await call(api.webhookDeliveries.list, { status: 'pending' })).data
  await call(api.webhookDeliveries.send, { id: held?.id ?? NOBODY })
  await deliver()
  await call(api.webhookDeliveries.retrieve, { id: held?.id ?? NOBODY })
  await reject(api.webhookDeliveries.send, { id: held?.id ?? NOBODY }, 'webhook_delivery_unexpected_state')
  await call(api.faults.delete, { id: holding })
  const { id } = await call(api.faults.create, { type: 'hold', match: { event_type: 'refund.*' } })
  await call(api.faults.retrieve, { id })
  await call(api.faults.delete, { id })
  await call(api.faults.create, { type: 'error', match: { operation: 'refunds.create' }, skip: 100 })
  await call(api.faults.clear, {})
  await reject(api.faults.create, { type: 'flood' }, 'parameter_invalid_enum')
}

async function keys({ call, reject }: Conversation): Promise<void> {
  const { id } = await call(api.apiKeys.create, { name: 'Reports', scopes: ['payments:read'] })
  const rolled = await call(api.apiKeys.roll, { id, grace_seconds: 3600 })
  await call(api.apiKeys.retrieve, { id: rolled.id })
  await call(api.apiKeys.revoke, { id: rolled.id })
  await reject(api.apiKeys.create, { scopes: ['world:read'] }, 'parameter_invalid_enum')
}

async function endings(
  { call }: Conversation,
  { clock, subscription, customer }: Cast & { readonly subscription: string },
): Promise<void> {
  const { data } = await call(api.requestLogs.list, { method: 'POST', status: { gte: 400 } })
  await call(api.requestLogs.retrieve, { id: data[0]?.id ?? NOBODY })
  await call(api.subscriptions.update, { id: subscription, cancel_at_period_end: true })
  await call(api.subscriptions.delete, { id: subscription })
  await call(api.testClocks.fail, { id: clock })
  await call(api.testClocks.delete, { id: clock })
  await call(api.customers.retrieve, { id: customer })
}

/** Calls every operation with an unknown id and with an unknown parameter. */
async function errors({ reject }: Conversation): Promise<void> {
  for (const { operation } of operations) {
    await reject(operation, { id: NOBODY, world: 'other' })
    if (operation.path.includes(':id')) await reject(operation, { id: NOBODY })
  }
}

/** Pages through every list. */
async function everyList({ call }: Conversation): Promise<void> {
  for (const group of Object.values(api)) {
    if (!('list' in group) || group === api.sandboxes) continue
    // Every list accepts common parameters, which the common type of all lists does not express.
    const list = group.list as typeof api.events.list
    let page = await call(list, { limit: 7 })
    while (page.has_more) page = await call(list, { limit: 7, starting_after: lastOf(page.data) })
  }
}

const lastOf = (data: readonly Pick<Event, 'id'>[]) => data.at(-1)?.id ?? NOBODY
