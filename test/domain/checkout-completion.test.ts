import type { Change, StoredObject } from '../../src/domain/changes.ts'
import { type CompleteCheckoutOptions, completeCheckout } from '../../src/domain/checkout-completion.ts'
import type { CheckoutSession } from '../../src/domain/checkout-sessions.ts'
import { challengePayment } from '../../src/domain/payments.ts'
import { aCheckout, aCustomer, aPayment, eventTypesOf, VISA } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/checkout-completion')

const context = createRuleContext()

function checkoutOptions(
  session: CheckoutSession,
  more: Partial<CompleteCheckoutOptions> = {},
): CompleteCheckoutOptions {
  const customer = { ...aCustomer(context), id: session.customer }
  return {
    session,
    customer,
    invoiceCounter: null,
    card: VISA,
    name: 'Ada',
    authenticatedPayment: null,
    ...more,
  }
}

/** Returns the last state of the object of a type. */
function lastState<T extends StoredObject>(changes: readonly Change[], object: T['object']): T | undefined {
  return changes.findLast(({ after }) => after?.object === object)?.after as T | undefined
}

const CHARGED = [
  ...[
    'payment_method.attached',
    'customer.updated',
    'subscription.created',
    'invoice.created',
    '-',
    'invoice.finalized',
  ],
  ...['payment.created', 'payment.succeeded', 'invoice.paid', 'checkout_session.completed'],
]

test('a completed checkout returns its changes in event order, with the session last', () => {
  const { changes, result } = completeCheckout(checkoutOptions(aCheckout(context)), context)
  assert.equal(eventTypesOf(changes), CHARGED)
  assert.is(changes.at(-1)?.after, result)
})

test('the objects of a completed checkout refer to each other from their creation', () => {
  const { changes, result } = completeCheckout(checkoutOptions(aCheckout(context)), context)
  const born = (object: string): Record<string, unknown> => {
    const creation = changes.find(({ before, after }) => before === null && after?.object === object)
    return { ...creation?.after }
  }
  const { subscription, invoice, payment, payment_method } = result
  assert.equal(
    [born('subscription').id, born('invoice').id, born('payment').id, born('payment_method').id],
    [subscription, invoice, payment, payment_method],
  )
  assert.equal(
    [born('subscription').latest_invoice, born('subscription').default_payment_method],
    [invoice, payment_method],
  )
  assert.equal([born('payment').invoice, born('payment').payment_method], [invoice, payment_method])
  assert.is(born('invoice').subscription, subscription)
  assert.is(lastState<StoredObject & { latest_payment: string }>(changes, 'invoice')?.latest_payment, payment)
})

test('the session, payment and invoice of a checkout have the same amount', () => {
  const session = aCheckout(context)
  const { changes } = completeCheckout(checkoutOptions(session), context)
  const payment = lastState<StoredObject & { amount: number }>(changes, 'payment')
  const invoice = lastState<StoredObject & { total: number; amount_paid: number }>(changes, 'invoice')
  assert.equal(
    [session.amount_total, payment?.amount, invoice?.total, invoice?.amount_paid],
    [120_000, 120_000, 120_000, 120_000],
  )
})

test('completes the checkout with the payment that was authenticated with 3-D Secure', () => {
  const session = aCheckout(context)
  const waiting = challengePayment(
    aPayment(context, { amount: 120_000, checkout_session: session.id, payment_session: null }),
    context,
  ).after
  const { changes, result } = completeCheckout(
    checkoutOptions(session, { authenticatedPayment: waiting }),
    context,
  )
  assert.equal(
    eventTypesOf(changes),
    CHARGED.filter((event) => event !== 'payment.created'),
  )
  const paid = lastState<typeof waiting>(changes, 'payment')
  assert.equal([paid?.id, paid?.status], [waiting.id, 'succeeded'])
  assert.equal(
    [paid?.invoice, paid?.payment_method, result.payment],
    [result.invoice, result.payment_method, waiting.id],
  )
})

/** kind, terms, card, payment status, events, objects that the session refers to */
const FREE = [{ description: 'x', price_data: { amount: 0 } }]
const KINDS = [
  [
    'a future start',
    { start_date: START + DAY },
    VISA,
    'no_payment_required',
    ['payment_method.attached', 'customer.updated', 'subscription.created'],
    'sub pm',
  ],
  [
    'no price',
    { items: FREE },
    VISA,
    'no_payment_required',
    [
      'payment_method.attached',
      'customer.updated',
      'subscription.created',
      'invoice.created',
      '-',
      'invoice.finalized',
      'invoice.paid',
    ],
    'sub in pm',
  ],
  [
    'an invoice that is sent',
    { collection_method: 'send_invoice' },
    null,
    'unpaid',
    ['subscription.created', 'invoice.created', '-', 'invoice.finalized', 'invoice.sent', '-'],
    'sub in',
  ],
  [
    'an invoice to be sent later',
    { collection_method: 'send_invoice', start_date: START + DAY },
    null,
    'no_payment_required',
    ['subscription.created'],
    'sub',
  ],
  [
    'an invoice for nothing',
    { collection_method: 'send_invoice', items: FREE },
    null,
    'no_payment_required',
    ['subscription.created', 'invoice.created', '-', 'invoice.finalized', 'invoice.paid'],
    'sub in',
  ],
] as const

for (const [kind, terms, card, status, events, names] of KINDS) {
  test(`completes a session with ${kind} with payment status ${status}`, () => {
    const { changes, result } = completeCheckout(
      checkoutOptions(aCheckout(context, terms), { card }),
      context,
    )
    assert.equal(eventTypesOf(changes), [...events, 'checkout_session.completed'])
    assert.is(result.payment_status, status)
    const named = [result.subscription, result.invoice, result.payment, result.payment_method]
    assert.is(named.flatMap((id) => id?.split('_')[0] ?? []).join(' '), names)
  })
}

test('gives the invoice the next number of the counter', () => {
  const invoiceCounter = { id: 'invoice_number', object: 'counter', value: 41 } as const
  const { changes } = completeCheckout(checkoutOptions(aCheckout(context), { invoiceCounter }), context)
  assert.is(lastState<StoredObject & { number: string }>(changes, 'invoice')?.number, 'INV-000042')
  assert.equal(lastState(changes, 'counter'), { ...invoiceCounter, value: 42 })
})

test('a sent invoice is due days_until_due after the completion', () => {
  const session = aCheckout(context, { collection_method: 'send_invoice', days_until_due: 3 })
  const { changes } = completeCheckout(
    checkoutOptions(session, { card: null }),
    createRuleContext(START + 60),
  )
  assert.is(
    lastState<StoredObject & { due_date: number }>(changes, 'invoice')?.due_date,
    START + 60 + 3 * DAY,
  )
})

test.run()
