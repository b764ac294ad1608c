import { api } from '../../src/api/api.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import { invoiceIn, type Order, subscribe } from '../support/billing.ts'
import { createClock, createCustomerOn } from '../support/clocks.ts'
import { createMissing } from '../support/example-objects.ts'
import {
  CARDS,
  newCardSession,
  newCheckout,
  newCustomer,
  newPaymentSession,
  RENT,
} from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START, typed } from '../support/sandbox.ts'

/** Creates a snapshot with objects of every type. */
export async function createSampleSnapshot(): Promise<Snapshot> {
  const sandbox = createSandbox({ dunning: { retry_days: [3, 5], on_exhausted: 'unpaid' } })
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  const { id: customer } = await newCustomer(sandbox)
  const two = [RENT, { description: 'Parking', price_data: { amount: 333, tax_percent: 5.5 } }]
  const paid = await newCheckout(sandbox, { items: two }, { customer })
  await sandbox.submit(paid.id, typed(CARDS.sca))
  await sandbox.answer(paid.id, true)
  const later = await newCheckout(sandbox, { start_date: START + DAY }, { customer })
  await sandbox.submit(later.id, typed(CARDS.visa))
  const sent = await newCheckout(sandbox, { collection_method: 'send_invoice' }, { customer })
  await sandbox.submit(sent.id, {})
  const once = await newPaymentSession(sandbox, { customer })
  await catchDomainError(sandbox.submit(once.id, typed(CARDS.declined)))
  await sandbox.submit(once.id, typed(CARDS.visa))
  const deleted = await newCheckout(sandbox)
  await sandbox.submit(deleted.id, typed(CARDS.visa))
  await sandbox.call(api.customers.delete, { id: deleted.customer })
  await newPaymentSession(sandbox, { customer, save_payment_method: true })
  await addApiPayments(sandbox, customer)
  await addInvoiceItems(sandbox, later.id)
  const card = await newCardSession(sandbox, { customer })
  await sandbox.submit(card.id, typed(CARDS.visa))
  await newCardSession(sandbox, { customer })
  await sandbox.call(api.portalSessions.create, { customer })
  await sandbox.advance(DAY)
  await addFailedRenewals(sandbox)
  await addPausedSubscriptions(sandbox)
  await addTrials(sandbox)
  await addDiscounts(sandbox)
  await addDeletedClock(sandbox)
  await addDisputes(sandbox, customer)
  await chargeOnSession(sandbox, customer)
  await addHolds(sandbox, customer)
  await addDebits(sandbox, customer)
  const waiting = await newPaymentSession(sandbox, { customer })
  await sandbox.submit(waiting.id, typed(CARDS.sca))
  const { records } = await sandbox.snapshot()
  const ids = Object.entries(records).flatMap(([name, [first]]) => (first ? [[name, first.id]] : []))
  await createMissing(sandbox.call, Object.fromEntries(ids))
  return sandbox.snapshot()
}

/** Adds a subscription with a discount of its first invoice, and a coupon that a customer redeemed with a code. */
async function addDiscounts(sandbox: Sandbox): Promise<void> {
  const percent = { percent_off: 12.5, max_redemptions: 3 }
  const { id: coupon } = await sandbox.call(api.coupons.create, percent)
  const { id: promotion_code } = await sandbox.call(api.promotionCodes.create, { coupon, max_redemptions: 1 })
  const items = [RENT, { description: 'Parking', price_data: { amount: 333, tax_percent: 5.5 } }]
  for (const discount of [{ coupon }, { promotion_code }]) {
    const { id } = await newCheckout(sandbox, { items }, { discounts: [discount] })
    await sandbox.submit(id, typed(CARDS.visa))
  }
}

/** Adds a session that saves its card, and API payments: one that succeeded, and one that is abandoned a day later. */
async function addApiPayments(sandbox: Sandbox, customer: string): Promise<void> {
  const { id } = await newPaymentSession(sandbox, { customer, save_payment_method: true })
  await sandbox.call(api.paymentSessions.complete, { id, test_card: 'sca_always' })
  await sandbox.call(api.payments.create, { customer, amount: 700, currency: 'eur' })
  await chargeOnSession(sandbox, customer)
}

/** Adds amounts that are reserved, captured in part, and released after seven days on a test clock. */
async function addHolds(sandbox: Sandbox, customer: string): Promise<void> {
  const reserve = async (payer: string) => {
    const terms = { customer: payer, capture_method: 'manual' } as const
    const { id } = await newPaymentSession(sandbox, terms)
    const { payment } = await sandbox.call(api.paymentSessions.complete, { id, test_card: 'visa' })
    return payment ?? ''
  }
  await reserve(customer)
  await sandbox.call(api.payments.capture, { id: await reserve(customer), amount: 400 })
  const clocked = await addCustomerOnClock(sandbox)
  await reserve(clocked.customer)
  await advance(sandbox, clocked.clock, 8, 'day')
}

/** Adds debits that succeeded and failed on a test clock, and debits without an outcome. */
async function addDebits(sandbox: Sandbox, customer: string): Promise<void> {
  const clocked = await addCustomerOnClock(sandbox)
  await subscribe(sandbox, { customer: clocked.customer, card: 'sepa_debit' })
  await subscribe(sandbox, { customer: clocked.customer, card: 'sepa_debit_fails' })
  await advance(sandbox, clocked.clock, 3, 'day')
  await subscribe(sandbox, { card: 'sepa_debit' })
  const { id } = await newPaymentSession(sandbox, { customer, payment_method_types: ['card', 'sepa_debit'] })
  await sandbox.call(api.paymentSessions.complete, { id, test_card: 'sepa_debit' })
}

/** Charges the card of a customer on session; the card always requires 3-D Secure. */
async function chargeOnSession(sandbox: Sandbox, customer: string): Promise<void> {
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  const saved = data.find(({ card }) => card?.test_behavior === 'sca_always')
  const params = { customer, payment_method: saved?.id ?? '', amount: 800, currency: 'eur' }
  await catchDomainError(sandbox.call(api.payments.create, { ...params, off_session: false }))
}

/** Adds a fee and a credit to the first invoice of a session's subscription, then a deleted and a pending fee. */
async function addInvoiceItems(sandbox: Sandbox, session: string): Promise<void> {
  const { subscription } = await sandbox.call(api.checkoutSessions.retrieve, { id: session })
  const add = (unit_amount: number) =>
    sandbox.call(api.invoiceItems.create, {
      subscription: subscription ?? '',
      description: 'Key',
      unit_amount,
      quantity: 3,
      tax_percent: 5.5,
    })
  await add(1501)
  await add(-333)
  const { id } = await add(1)
  await sandbox.call(api.invoiceItems.delete, { id })
  await sandbox.advance(DAY)
  await add(250)
}

/** Creates a test clock and a customer on it, and returns their ids. */
async function addCustomerOnClock(sandbox: Sandbox) {
  const { id: clock } = await createClock(sandbox)
  return { clock, customer: await createCustomerOn(sandbox, clock) }
}

/** Advances a test clock by a number of intervals. */
function advance(sandbox: Sandbox, id: string, count: number, interval: 'month' | 'day' = 'month') {
  return sandbox.call(api.testClocks.advance, { id, by: { interval, count } })
}

/** Adds a customer on a test clock, and two months of renewals with failing cards. */
async function addFailedRenewals(sandbox: Sandbox): Promise<void> {
  const { clock, customer } = await addCustomerOnClock(sandbox)
  const buy = (card: string, terms: Order = {}) => subscribe(sandbox, { customer, card, ...terms })
  await buy('renewal_no_funds')
  await buy('visa', { collection_method: 'send_invoice', days_until_due: 7, interval: 'year' })
  const credited = await buy('mastercard')
  await sandbox.call(api.invoiceItems.create, {
    subscription: credited.id,
    description: 'Goodwill',
    unit_amount: -300_000,
  })
  const ended = await buy('visa')
  await buy('visa', { start_date: START + 400 * DAY })
  for (const [card, amount] of [
    ['refund_fails', 100],
    ['refund_async', 200],
    ['visa', 120_000],
  ] as const) {
    const { id } = await buy(card, { interval: 'year' })
    const { latest_payment } = await invoiceIn(sandbox, id, ['paid'])
    await sandbox.call(api.refunds.create, { payment: latest_payment ?? '', amount })
  }
  await advance(sandbox, clock, 2)
  await sandbox.call(api.subscriptions.cancel, { id: ended.id })
  const [draft] = (await sandbox.call(api.invoices.list, { status: 'draft' })).data
  await sandbox.call(api.invoices.void, { id: draft?.id ?? '' })
  await buy('sca_always', { start_date: START + 30 * DAY })
  await buy('renewal_sca')
  await advance(sandbox, clock, 1)
  await addPendingAuthentication(sandbox)
  await newCheckout(sandbox, {}, { customer })
}

async function addPendingAuthentication(sandbox: Sandbox): Promise<void> {
  const { data: cards } = await sandbox.store.list('payment_methods', { limit: 100 })
  const card = cards.find((one) => one.card?.test_behavior === 'sca_always')
  const { data: invoices } = await sandbox.call(api.invoices.list, { status: 'open' })
  const failed = invoices.find(({ next_payment_attempt }) => next_payment_attempt !== null)
  const params = { id: failed?.id ?? '', payment_method: card?.id ?? '', off_session: false }
  await catchDomainError(sandbox.call(api.invoices.pay, params))
}

/** Adds one subscription with each behavior of a pause, and renews each of them. */
async function addPausedSubscriptions(sandbox: Sandbox): Promise<void> {
  const { clock, customer } = await addCustomerOnClock(sandbox)
  const addPaused = async (behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void') => {
    const { id } = await subscribe(sandbox, { customer })
    const pause_collection = { behavior, resumes_at: START + 50 * DAY }
    return sandbox.call(api.subscriptions.update, { id, pause_collection })
  }
  await addPaused('keep_as_draft')
  await addPaused('mark_uncollectible')
  await addPaused('void')
  await advance(sandbox, clock, 1)
  const { id } = await addPaused('void')
  await sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now: true })
}

/** Adds an active trial whose end was announced, a trial that was charged, and one that was paused and resumed. */
async function addTrials(sandbox: Sandbox): Promise<void> {
  const { clock, customer } = await addCustomerOnClock(sandbox)
  const trial_settings = { missing_payment_method: 'pause' } as const
  const terms = { trial_days: 2, trial_settings }
  const { id } = await newCheckout(sandbox, terms, { customer, payment_method_collection: 'if_required' })
  await sandbox.call(api.checkoutSessions.complete, { id })
  const { subscription } = await sandbox.call(api.checkoutSessions.retrieve, { id })
  await advance(sandbox, clock, 3, 'day')
  for (const trial_days of [7, 22]) await subscribe(sandbox, { customer, trial_days, trial_settings })
  await sandbox.call(api.subscriptions.resume, { id: subscription ?? '' })
  await advance(sandbox, clock, 20, 'day')
}

/** Adds a dispute that was won, one that was lost, one that is open, and an inquiry. */
async function addDisputes(sandbox: Sandbox, customer: string): Promise<void> {
  const { data } = await sandbox.call(api.payments.list, { customer, status: 'succeeded' })
  const dispute = (amount: number, inquiry = false) =>
    sandbox.call(api.payments.dispute, { id: data[0]?.id ?? '', reason: 'general', amount, inquiry })
  const won = await dispute(10)
  await sandbox.call(api.disputes.update, { id: won.id, evidence: { text: 'winning_evidence' } })
  await sandbox.advance(3600)
  const lost = await dispute(20)
  await sandbox.call(api.disputes.close, { id: lost.id })
  await dispute(30)
  await dispute(40, true)
}

async function addDeletedClock(sandbox: Sandbox): Promise<void> {
  const { clock, customer } = await addCustomerOnClock(sandbox)
  await subscribe(sandbox, { customer })
  await sandbox.call(api.testClocks.delete, { id: clock })
}
