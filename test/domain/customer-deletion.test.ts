import { createAuthentication } from '../../src/domain/authentications.ts'
import { completeCheckout } from '../../src/domain/checkout-completion.ts'
import { type CustomerDependents, deleteCustomer } from '../../src/domain/customer-deletion.ts'
import { createOneOffItem } from '../../src/domain/invoice-items.ts'
import type { Invoice } from '../../src/domain/invoices.ts'
import type { PaymentMethod } from '../../src/domain/payment-methods.ts'
import type { Subscription } from '../../src/domain/subscriptions.ts'
import {
  aCheckout,
  aCustomer,
  aPayment,
  aPaymentSession,
  eventTypesOf,
  VISA,
} from '../support/domain-samples.ts'
import { createRuleContext, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/customer-deletion')

const context = createRuleContext()
const customer = aCustomer(context)
const NO_DEPENDENTS: CustomerDependents = {
  sessions: [],
  subscriptions: [],
  pendingItems: [],
  invoices: [],
  paymentMethods: [],
  payments: [],
}

/** Returns a pending fee of a subscription. */
function aFee([subscription]: readonly Subscription[]) {
  if (subscription === undefined) throw new Error('there is no subscription')
  const fee = { description: 'Key', unit_amount: 2500 }
  return createOneOffItem({ subscription, pendingItems: [] }, fee, context).after
}

test('deletes a customer who has no other objects with customer.deleted only', () => {
  const { changes, result } = deleteCustomer(customer, NO_DEPENDENTS, context)
  assert.equal(eventTypesOf(changes), ['customer.deleted'])
  assert.equal(result, { id: customer.id, object: 'customer', deleted: true })
})

/** Returns the objects that a completed session creates. */
function subscriptionDependents(
  terms: object,
  card: typeof VISA | null,
): Omit<CustomerDependents, 'sessions' | 'payments'> {
  const session = aCheckout(context, terms)
  const { changes } = completeCheckout(
    { session, customer, invoiceCounter: null, card, name: null, authenticatedPayment: null },
    context,
  )
  const last = <T>(object: string) =>
    changes
      .filter(({ after }) => after?.object === object)
      .slice(-1)
      .map(({ after }) => after as T)
  return {
    subscriptions: last<Subscription>('subscription'),
    pendingItems: [],
    invoices: last<Invoice>('invoice').map((invoice) => ({ invoice, authentication: null, payment: null })),
    paymentMethods: last<PaymentMethod>('payment_method'),
  }
}

test('ends the payments, sessions, subscriptions, invoices and cards of a deleted customer in this order, and the customer last', () => {
  const [once, setup] = [aPaymentSession(context), aCheckout(context)]
  const payment = aPayment(context, { status: 'requires_action' })
  const wait = createAuthentication({ id: once.id, payment: payment.id, card: VISA, name: null }).after
  const saved = aPayment(context, { id: 'py_2', origin: 'api', status: 'requires_action' })
  const savedWait = createAuthentication({ id: saved.id, payment: saved.id, card: VISA, name: null }).after
  const { changes } = deleteCustomer(
    customer,
    {
      sessions: [
        { session: setup, authentication: null, payment: null },
        { session: once, authentication: wait, payment },
      ],
      subscriptions: subscriptionDependents({}, VISA).subscriptions,
      pendingItems: [aFee(subscriptionDependents({}, VISA).subscriptions)],
      invoices: subscriptionDependents({ collection_method: 'send_invoice' }, null).invoices,
      paymentMethods: subscriptionDependents({}, VISA).paymentMethods,
      payments: [{ payment: saved, authentication: savedWait }],
    },
    context,
  )
  assert.equal(eventTypesOf(changes), [
    ...['payment.canceled', 'payment.canceled'],
    ...['checkout_session.expired', 'payment_session.expired', '-'],
    ...['subscription.canceled', 'invoice_item.deleted', 'invoice.updated', '-'],
    ...['payment_method.detached', 'customer.deleted'],
  ])
  const [canceled, , expired, , , ended, , stopped, , detached] = changes.map(
    ({ after }) => after as never as Record<string, unknown>,
  )
  assert.is(canceled?.canceled_reason, 'customer_deleted')
  assert.equal([expired?.expiration_reason, expired?.expired_at], ['customer_deleted', START])
  assert.equal([ended?.status, ended?.cancellation_reason], ['canceled', 'customer_deleted'])
  assert.equal([stopped?.status, stopped?.auto_advance], ['open', false])
  assert.is(detached?.customer, null)
})

test('does not change an invoice whose collection has stopped when its customer is deleted', () => {
  const { invoices } = subscriptionDependents({ collection_method: 'send_invoice' }, null)
  const stopped = invoices.map((open) => ({ ...open, invoice: { ...open.invoice, auto_advance: false } }))
  assert.equal(
    eventTypesOf(deleteCustomer(customer, { ...NO_DEPENDENTS, invoices: stopped }, context).changes),
    ['customer.deleted'],
  )
})

test.run()
