import {
  beginSubscription,
  endPeriod,
  finalize,
  passDueDate,
  retryInvoice,
} from '../../src/domain/billing.ts'
import { type BillingAccount, BillingUnitOfWork } from '../../src/domain/billing-unit-of-work.ts'
import type { Change, Decision, RuleContext } from '../../src/domain/changes.ts'
import { UNTRIED } from '../../src/domain/charge-invoice.ts'
import { countUp, INVOICE_COUNTER } from '../../src/domain/counters.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { Subscription } from '../../src/domain/subscriptions.ts'
import { anAccount, anInvoice, aSubscription } from '../support/account-samples.ts'
import { aCheckout, told } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/billing')

const context = createRuleContext()
const PAID = ['payment.created', 'payment.succeeded', 'invoice.paid']
const BILLED = ['invoice.created', '-', 'invoice.finalized']

function account(more: Partial<Subscription>, on: RuleContext = context): BillingAccount {
  const known = anAccount(on)
  return { ...known, subscription: { ...known.subscription, ...more } }
}

function changesOf(decision: Decision<null>): readonly Change[] {
  return decision.changes
}

function madeInvoice(changes: readonly Change[]): Invoice {
  return changes.findLast(({ after }) => after?.object === 'invoice')?.after as Invoice
}

const FREE = aCheckout(context, { items: [{ description: 'Rent', price_data: { amount: 0 } }] })
const freeItems = FREE.subscription_data.items.map((item) => ({ id: 'si_1', ...item }))

test('a pending subscription begins with the first period of its anchor, billed at once', () => {
  const starting = aSubscription(context, {
    status: 'pending',
    period_index: -1,
    current_period_start: null,
    current_period_end: null,
  })
  const changes = changesOf(beginSubscription(account(starting), context))
  assert.equal(told(changes), ['subscription.started', ...BILLED, ...PAID])
  const { billing_reason, period_start, period_end, number } = madeInvoice(changes)
  assert.equal([billing_reason, period_start, number], ['subscription_create', START, 'INV-000001'])
  assert.is(period_end, START + 31 * DAY)
})

test('a period that ended is followed by the next, which names its invoice', () => {
  const changes = changesOf(
    endPeriod(account({ latest_invoice: 'in_0' }), createRuleContext(START + 31 * DAY)),
  )
  assert.equal(told(changes), ['subscription.renewed', ...BILLED, ...PAID])
  const renewed = changes[0]?.after as Subscription
  const invoice = madeInvoice(changes)
  assert.equal([renewed.period_index, renewed.latest_invoice], [1, invoice.id])
  assert.equal(
    [invoice.billing_reason, invoice.period_start, invoice.created],
    ['subscription_cycle', START + 31 * DAY, START + 31 * DAY],
  )
  assert.is(renewed.current_period_end, START + 60 * DAY)
})

/** what the subscription is, what its renewal tells */
const KINDS: readonly (readonly [string, Partial<Subscription>, readonly string[]])[] = [
  ['that ends', { cancel_at_period_end: true }, ['subscription.canceled']],
  ['that is unpaid', { status: 'unpaid' }, ['subscription.renewed', 'invoice.created']],
  ['that is free', { items: freeItems }, ['subscription.renewed', ...BILLED, 'invoice.paid']],
  [
    'whose invoices are sent',
    { collection_method: 'send_invoice', days_until_due: 30 },
    ['subscription.renewed', ...BILLED, 'invoice.sent', '-'],
  ],
  [
    'that is free and whose invoices are sent',
    { collection_method: 'send_invoice', days_until_due: 30, items: freeItems },
    ['subscription.renewed', ...BILLED, 'invoice.paid'],
  ],
  [
    'that was past due',
    { status: 'past_due' },
    ['subscription.renewed', ...BILLED, ...PAID, 'subscription.recovered'],
  ],
]

for (const [kind, more, wanted] of KINDS) {
  test(`the period of a subscription ${kind} ends with ${wanted.join(', ')}`, () => {
    assert.equal(told(changesOf(endPeriod(account(more), context))), wanted)
  })
}

test('the invoice of an unpaid subscription waits as a draft that nobody collects', () => {
  const { status, number, auto_advance } = madeInvoice(
    changesOf(endPeriod(account({ status: 'unpaid' }), context)),
  )
  assert.equal([status, number, auto_advance], ['draft', null, false])
})

test('a draft that is not collected by itself is opened under the next number, and not charged', () => {
  const draft = anInvoice(context, { status: 'draft', number: null, finalized_at: null, auto_advance: false })
  const invoiceCounter = countUp(
    { id: INVOICE_COUNTER, object: 'counter', value: 41 },
    INVOICE_COUNTER,
  ).before
  const billing = new BillingUnitOfWork({ ...anAccount(context), invoices: [draft], invoiceCounter }, context)
  finalize(billing, draft)
  assert.equal(told(billing.changes), ['-', 'invoice.finalized'])
  assert.equal([billing.invoices[0]?.status, billing.invoices[0]?.number], ['open', 'INV-000042'])
})

test('a retry charges the card of now, and recovers the subscription', () => {
  const invoice = anInvoice(context, { attempted: true, attempt_count: 1, next_payment_attempt: START })
  const owing = { ...account({ status: 'past_due' }), invoices: [invoice] }
  const changes = changesOf(retryInvoice({ account: owing, invoice, tried: UNTRIED }, context))
  assert.equal(told(changes), [...PAID, 'subscription.recovered'])
})

test('only an open invoice becomes overdue, and only a subscription that was in order falls behind', () => {
  const sent = anInvoice(context, { collection_method: 'send_invoice', due_date: START })
  const overdue = (invoice: Invoice, more: Partial<Subscription> = {}) =>
    told(changesOf(passDueDate({ ...account(more), invoices: [invoice] }, invoice, context)))
  assert.equal(overdue(sent), ['invoice.overdue', 'subscription.past_due'])
  assert.equal(overdue(sent, { status: 'past_due' }), ['invoice.overdue'])
  assert.equal(overdue(sent, { status: 'canceled' }), ['invoice.overdue'])
  for (const status of ['paid', 'void', 'uncollectible'] as const)
    assert.equal(overdue({ ...sent, status }), [])
})

test.run()
