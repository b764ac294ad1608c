import {
  markFreeInvoicePaid,
  markInvoicePaid,
  markInvoiceSent,
  stopCollection,
} from '../../src/domain/invoice-transitions.ts'
import {
  draftInvoice,
  type Invoice,
  markInvoiceFinalized,
  takeInvoiceNumber,
} from '../../src/domain/invoices.ts'
import { createSubscription } from '../../src/domain/subscriptions.ts'
import { aCheckout, aCustomer } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/invoices')

const ITEMS = [
  { description: 'Rent', type: 'rent', price_data: { amount: 1000, tax_percent: 20 } },
  { description: 'Parking', price_data: { amount: 333, tax_percent: 5.5 } },
  { description: 'Bicycle', price_data: { amount: 7, tax_percent: 20 } },
]

function draft(): Invoice {
  const context = createRuleContext()
  const session = aCheckout(context, { items: ITEMS })
  const start = { id: 'sub_1', session, payment_method: null, latest_invoice: 'in_1' }
  const subscription = createSubscription(start, context).after
  const customer = { ...aCustomer(context), id: session.customer }
  const drafted = draftInvoice(
    { id: 'in_1', subscription, customer, billing_reason: 'subscription_create', auto_advance: true },
    context,
  )
  assert.is(drafted.event, 'invoice.created')
  return drafted.after
}

function open(daysUntilDue: number | null = null, email = 'ada@example.com'): Invoice {
  return markInvoiceFinalized(draft(), { number: 'INV-000001', daysUntilDue, email }, createRuleContext())
    .after
}

test('finalizing a draft stores the current email of the customer', () => {
  assert.is(open(null, 'new@example.com').customer_email, 'new@example.com')
})

test('a draft has one line with tax per item, and the totals of all lines', () => {
  const invoice = draft()
  assert.equal(
    invoice.lines.map(({ description, type, amount, tax_amount, total }) => [
      ...[description, type, amount, tax_amount, total],
    ]),
    [
      ['Rent', 'rent', 1000, 200, 1200],
      ['Parking', 'other', 333, 18, 351],
      ['Bicycle', 'other', 7, 1, 8],
    ],
  )
  assert.equal([invoice.subtotal, invoice.tax, invoice.total], [1340, 219, 1559])
  assert.equal(invoice.taxes, [
    { tax_percent: 20, taxable_amount: 1007, amount: 201 },
    { tax_percent: 5.5, taxable_amount: 333, amount: 18 },
  ])
  assert.equal([invoice.amount_due, invoice.amount_paid, invoice.amount_remaining], [1559, 0, 1559])
})

test('invoice lines have the current period and their subscription item', () => {
  const { lines, period_start, period_end } = draft()
  assert.equal([period_start, period_end], [START, START + 31 * DAY])
  for (const { period } of lines) assert.equal(period, { start: START, end: START + 31 * DAY })
  assert.is(new Set(lines.map(({ subscription_item }) => subscription_item)).size, 3)
})

test('a draft has no number, no due date and no next attempt', () => {
  const { status, number, due_date, attempted, attempt_count, auto_advance, customer_email } = draft()
  assert.equal(
    [status, number, due_date, attempted, attempt_count, auto_advance, customer_email],
    ['draft', null, null, false, 0, true, 'ada@example.com'],
  )
})

const FIELDS = `id object created livemode status number customer subscription customer_email billing_reason
  collection_method currency description lines subtotal tax total taxes starting_balance ending_balance balance_applied amount_due amount_paid amount_remaining
  period_start period_end due_date auto_advance attempted attempt_count next_payment_attempt latest_payment
  last_payment_error paid_out_of_band finalized_at paid_at voided_at marked_uncollectible_at hosted_invoice_url
  metadata test_clock`

/** The initial values of fields that change later. */
const INITIAL_FIELDS = {
  number: null,
  starting_balance: null,
  ending_balance: null,
  balance_applied: 0,
  due_date: null,
  next_payment_attempt: null,
  latest_payment: null,
  last_payment_error: null,
  paid_out_of_band: false,
  finalized_at: null,
  paid_at: null,
  voided_at: null,
  marked_uncollectible_at: null,
  hosted_invoice_url: null,
  metadata: {},
  test_clock: null,
}

test('a draft has all fields in order with their initial values', () => {
  const invoice = draft()
  assert.is(Object.keys(invoice).join(' '), FIELDS.split(/\s+/).join(' '))
  assert.equal({ ...invoice, ...INITIAL_FIELDS }, invoice)
})

test('invoice numbers are gapless and start with INV-000001', () => {
  const first = takeInvoiceNumber(null)
  assert.equal([first.number, first.counter.before, first.counter.event], ['INV-000001', null, null])
  const second = takeInvoiceNumber(first.counter.after)
  assert.equal([second.number, second.counter.after.value], ['INV-000002', 2])
  assert.equal([first.counter.before, second.counter.before], [null, first.counter.after])
  const late = takeInvoiceNumber({ id: 'invoice_number', object: 'counter', value: 999_999 })
  assert.is(late.number, 'INV-1000000')
})

test('finalizing an invoice sets its number and status, and a due date only for sent invoices', () => {
  const charged = open()
  assert.equal(
    [charged.status, charged.number, charged.finalized_at, charged.due_date],
    ['open', 'INV-000001', START, null],
  )
  assert.is(open(30).due_date, START + 30 * DAY)
  assert.is(open(0).due_date, Date.UTC(2024, 0, 15, 23, 59, 59) / 1000, 'at the end of the day of START')
})

test('sending an invoice changes no field of it', () => {
  const invoice = open(30)
  const { event, before, after } = markInvoiceSent(invoice)
  assert.equal([event, before, after], ['invoice.sent', invoice, invoice])
})

test('paying settles the invoice and counts an attempt only if a card was charged', () => {
  const { event, after } = markInvoicePaid(
    open(),
    { isAutomatic: true, payment: 'py_1' },
    createRuleContext(START + 5),
  )
  assert.is(event, 'invoice.paid')
  assert.equal(
    [after.status, after.amount_paid, after.amount_remaining, after.paid_at, after.latest_payment],
    ['paid', 1559, 0, START + 5, 'py_1'],
  )
  assert.equal([after.attempted, after.attempt_count, after.auto_advance], [true, 1, false])
  const free = markFreeInvoicePaid(open(), createRuleContext()).after
  assert.equal([free.attempted, free.attempt_count, free.latest_payment], [false, 0, null])
})

/** status, auto_advance, whether stopping returns a change */
const STOPS: readonly (readonly [status: Invoice['status'], isCollected: boolean, isChanged: boolean])[] = [
  ['draft', true, true],
  ['open', true, true],
  ['draft', false, false],
  ['open', false, false],
  ['paid', true, false],
  ['void', true, false],
  ['uncollectible', true, false],
]

for (const [status, auto_advance, isChanged] of STOPS) {
  const collected = auto_advance ? 'is' : 'is no longer'
  test(`stopping the collection of an invoice that is ${status} and ${collected} collected changes ${isChanged ? 'the invoice' : 'nothing'}`, () => {
    const invoice: Invoice = { ...draft(), status, auto_advance, next_payment_attempt: START + DAY }
    const changes = stopCollection(invoice)
    assert.is(changes.length, isChanged ? 1 : 0)
    for (const { event, after } of changes) {
      assert.is(event, 'invoice.updated')
      assert.equal(after, { ...invoice, auto_advance: false, next_payment_attempt: null })
    }
  })
}

test.run()
