import {
  endPause,
  endPeriod,
  finalizeAndCollect,
  processOverdueInvoice,
  retryInvoicePayment,
  startPendingSubscription,
} from '../../src/domain/billing-cycle.ts'
import { type BillingAccount, BillingUnitOfWork } from '../../src/domain/billing-unit-of-work.ts'
import type { Change, Decision, RuleContext } from '../../src/domain/changes.ts'
import { EMPTY_COLLECTION_HISTORY } from '../../src/domain/charge-invoice.ts'
import { INVOICE_COUNTER_ID, incrementCounter } from '../../src/domain/counters.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { Subscription } from '../../src/domain/subscriptions.ts'
import { anAccount, anInvoice, aSubscription } from '../support/account-samples.ts'
import { aCheckout, eventTypesOf } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/billing-cycle')

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

function createdInvoice(changes: readonly Change[]): Invoice {
  return changes.findLast(({ after }) => after?.object === 'invoice')?.after as Invoice
}

const FREE = aCheckout(context, { items: [{ description: 'Rent', price_data: { amount: 0 } }] })
const freeItems = FREE.subscription_data.items.map((item) => ({ id: 'si_1', ...item }))

test('starts a pending subscription and bills its first period', () => {
  const starting = aSubscription(context, {
    status: 'pending',
    period_index: -1,
    current_period_start: null,
    current_period_end: null,
  })
  const changes = changesOf(startPendingSubscription(account(starting), context))
  assert.equal(eventTypesOf(changes), ['subscription.started', ...BILLED, ...PAID])
  const { billing_reason, period_start, period_end, number } = createdInvoice(changes)
  assert.equal([billing_reason, period_start, number], ['subscription_create', START, 'INV-000001'])
  assert.is(period_end, START + 31 * DAY)
})

test('starts and bills the next period when a period ends', () => {
  const changes = changesOf(
    endPeriod(account({ latest_invoice: 'in_0' }), createRuleContext(START + 31 * DAY)),
  )
  assert.equal(eventTypesOf(changes), ['subscription.renewed', ...BILLED, ...PAID])
  const renewed = changes[0]?.after as Subscription
  const invoice = createdInvoice(changes)
  assert.equal([renewed.period_index, renewed.latest_invoice], [1, invoice.id])
  assert.equal(
    [invoice.billing_reason, invoice.period_start, invoice.created],
    ['subscription_cycle', START + 31 * DAY, START + 31 * DAY],
  )
  assert.is(renewed.current_period_end, START + 60 * DAY)
})

/** subscription, its state, events of its renewal */
const KINDS: readonly (readonly [string, Partial<Subscription>, readonly string[]])[] = [
  ['with cancel_at_period_end', { cancel_at_period_end: true }, ['subscription.canceled']],
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

for (const [behavior, expected] of [
  ['keep_as_draft', ['invoice.created']],
  ['void', ['invoice.created', 'invoice.voided']],
  ['mark_uncollectible', [...BILLED, 'invoice.marked_uncollectible']],
] as const) {
  test(`the behavior ${behavior} of a pause applies to a renewal and to a start`, () => {
    const paused = { pause_collection: { behavior, resumes_at: null } }
    const renewed = changesOf(endPeriod(account(paused), context))
    assert.equal(eventTypesOf(renewed), ['subscription.renewed', ...expected])
    assert.is(createdInvoice(renewed).auto_advance, false)
    const pending = account({ ...paused, status: 'pending', current_period_end: null, period_index: -1 })
    const started = changesOf(startPendingSubscription(pending, context))
    assert.equal(eventTypesOf(started), ['subscription.started', ...expected])
  })
}

test('a free invoice is paid when a pause would mark it as uncollectible', () => {
  const pause_collection = { behavior: 'mark_uncollectible', resumes_at: null } as const
  const renewed = changesOf(endPeriod(account({ pause_collection, items: freeItems }), context))
  assert.equal(eventTypesOf(renewed), ['subscription.renewed', ...BILLED, 'invoice.paid'])
})

test('the end of a pause keeps the other fields of the subscription', () => {
  const paused = account({ pause_collection: { behavior: 'void', resumes_at: START } })
  const [resumed, ...others] = changesOf(endPause(paused))
  assert.is(resumed?.event, 'subscription.updated')
  assert.equal(resumed?.after, { ...paused.subscription, pause_collection: null } as Subscription)
  assert.equal(others, [])
})

for (const [kind, more, expected] of KINDS) {
  test(`the end of a period of a subscription ${kind} causes ${expected.join(', ')}`, () => {
    assert.equal(eventTypesOf(changesOf(endPeriod(account(more), context))), expected)
  })
}

test('keeps the invoice of an unpaid subscription as a draft without auto_advance', () => {
  const { status, number, auto_advance } = createdInvoice(
    changesOf(endPeriod(account({ status: 'unpaid' }), context)),
  )
  assert.equal([status, number, auto_advance], ['draft', null, false])
})

test('finalizes a draft without auto_advance under the next number, without charging it', () => {
  const draft = anInvoice(context, { status: 'draft', number: null, finalized_at: null, auto_advance: false })
  const invoiceCounter = incrementCounter(
    { id: INVOICE_COUNTER_ID, object: 'counter', value: 41 },
    INVOICE_COUNTER_ID,
  ).before
  const billing = new BillingUnitOfWork({ ...anAccount(context), invoices: [draft], invoiceCounter }, context)
  finalizeAndCollect(billing, draft)
  assert.equal(eventTypesOf(billing.changes), ['-', 'invoice.finalized'])
  assert.equal([billing.invoices[0]?.status, billing.invoices[0]?.number], ['open', 'INV-000042'])
})

test('a payment retry charges the current card and recovers the subscription', () => {
  const invoice = anInvoice(context, { attempted: true, attempt_count: 1, next_payment_attempt: START })
  const pastDue = { ...account({ status: 'past_due' }), invoices: [invoice] }
  const changes = changesOf(
    retryInvoicePayment({ account: pastDue, invoice, history: EMPTY_COLLECTION_HISTORY }, context),
  )
  assert.equal(eventTypesOf(changes), [...PAID, 'subscription.recovered'])
})

test('marks only open invoices as overdue, and only active subscriptions as past due', () => {
  const sent = anInvoice(context, { collection_method: 'send_invoice', due_date: START })
  const overdue = (invoice: Invoice, more: Partial<Subscription> = {}) =>
    eventTypesOf(
      changesOf(processOverdueInvoice({ ...account(more), invoices: [invoice] }, invoice, context)),
    )
  assert.equal(overdue(sent), ['invoice.overdue', 'subscription.past_due'])
  assert.equal(overdue(sent, { status: 'past_due' }), ['invoice.overdue'])
  assert.equal(overdue(sent, { status: 'canceled' }), ['invoice.overdue'])
  for (const status of ['paid', 'void', 'uncollectible'] as const)
    assert.equal(overdue({ ...sent, status }), [])
})

test.run()
