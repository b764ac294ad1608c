import { awaitBuyer } from '../../src/domain/authentications.ts'
import { completeCheckout } from '../../src/domain/completion.ts'
import { type Belongings, deleteCustomer } from '../../src/domain/customer-deletion.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { PaymentMethod } from '../../src/domain/payment-methods.ts'
import type { Subscription } from '../../src/domain/subscriptions.ts'
import { aCheckout, aCustomer, aPayment, aPaymentSession, told, VISA } from '../support/domain-samples.ts'
import { createRuleContext, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/customer-deletion')

const context = createRuleContext()
const customer = aCustomer(context)
const NOTHING: Belongings = { sessions: [], subscriptions: [], invoices: [], paymentMethods: [] }

test('a customer without anything only leaves', () => {
  const { changes, result } = deleteCustomer(customer, NOTHING, context)
  assert.equal(told(changes), ['customer.deleted'])
  assert.equal(result, { id: customer.id, object: 'customer', deleted: true })
})

/** What a completed session made, as belongings. */
function subscribed(terms: object, card: typeof VISA | null): Omit<Belongings, 'sessions'> {
  const session = aCheckout(context, terms)
  const { changes } = completeCheckout(
    { session, customer, invoiceCounter: null, card, name: null, waiting: null },
    context,
  )
  const last = <T>(object: string) =>
    changes
      .filter(({ after }) => after?.object === object)
      .slice(-1)
      .map(({ after }) => after as T)
  return {
    subscriptions: last<Subscription>('subscription'),
    invoices: last<Invoice>('invoice').map((invoice) => ({ invoice, authentication: null, payment: null })),
    paymentMethods: last<PaymentMethod>('payment_method'),
  }
}

test('everything ends in order: payments, sessions, subscriptions, invoices, cards, customer', () => {
  const [once, setup] = [aPaymentSession(context), aCheckout(context)]
  const payment = aPayment(context, { status: 'requires_action' })
  const wait = awaitBuyer({ id: once.id, payment: payment.id, card: VISA, name: null }).after
  const { changes } = deleteCustomer(
    customer,
    {
      sessions: [
        { session: setup, authentication: null, payment: null },
        { session: once, authentication: wait, payment },
      ],
      subscriptions: subscribed({}, VISA).subscriptions,
      invoices: subscribed({ collection_method: 'send_invoice' }, null).invoices,
      paymentMethods: subscribed({}, VISA).paymentMethods,
    },
    context,
  )
  assert.equal(told(changes), [
    ...['payment.canceled', 'checkout_session.expired', 'payment_session.expired', '-'],
    ...['subscription.canceled', 'invoice.updated', 'payment_method.detached', 'customer.deleted'],
  ])
  const [canceled, expired, , , ended, stopped, detached] = changes.map(
    ({ after }) => after as never as Record<string, unknown>,
  )
  assert.is(canceled?.canceled_reason, 'customer_deleted')
  assert.equal([expired?.expiration_reason, expired?.expired_at], ['customer_deleted', START])
  assert.equal([ended?.status, ended?.cancellation_reason], ['canceled', 'customer_deleted'])
  assert.equal([stopped?.status, stopped?.auto_advance], ['open', false])
  assert.is(detached?.customer, null)
})

test('an invoice that is no longer collected is left as it is', () => {
  const { invoices } = subscribed({ collection_method: 'send_invoice' }, null)
  const stopped = invoices.map((open) => ({ ...open, invoice: { ...open.invoice, auto_advance: false } }))
  assert.equal(told(deleteCustomer(customer, { ...NOTHING, invoices: stopped }, context).changes), [
    'customer.deleted',
  ])
})

test.run()
