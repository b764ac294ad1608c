import {
  type AttachedPaymentMethod,
  detachPaymentMethod,
} from '../../../src/domain/billing/card-detachment.ts'
import type { Customer } from '../../../src/domain/payments/customers.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import { aCard, aSubscription } from '../../support/account-samples.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer, aPayment, eventTypesOf, resultOrErrorCode } from '../../support/domain-samples.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/card-detachment')

const context = createRuleContext()
const method = aCard(context)
const unused: AttachedPaymentMethod = { method, customer: null, subscriptions: [], pendingPayments: [] }
const owner = (card: string | null): Customer => ({ ...aCustomer(context), default_payment_method: card })
const charging = (id: string, card: string | null) =>
  aSubscription(context, { id, default_payment_method: card })

test('detaching a card removes it as default of the customer and the subscriptions, and keeps other cards', () => {
  const subscriptions = [
    charging('sub_1', method.id),
    charging('sub_2', 'pm_other'),
    charging('sub_3', null),
    charging('sub_4', method.id),
  ]
  const decision = detachPaymentMethod({ ...unused, customer: owner(method.id), subscriptions }, context)
  assert.equal(eventTypesOf(decision.changes), [
    'payment_method.detached',
    'customer.updated',
    'subscription.updated',
    'subscription.updated',
  ])
  assert.equal(
    decision.changes.map(({ after }) => after?.id),
    [method.id, decision.changes[1]?.before?.id, 'sub_1', 'sub_4'],
  )
  for (const { after } of decision.changes.slice(1)) {
    assert.is((after as Customer | null)?.default_payment_method, null)
  }
  assert.equal(resultOrErrorCode(decision), { ...method, customer: null })
})

test('detaching a card that is not a default changes only the card', () => {
  for (const customer of [owner('pm_other'), owner(null), null]) {
    assert.equal(eventTypesOf(detachPaymentMethod({ ...unused, customer }, context).changes), [
      'payment_method.detached',
    ])
  }
})

test('detaching a card cancels its payments that require authentication', () => {
  const authentication = {
    id: 'in_1',
    object: 'authentication',
    payment: 'py_1',
    card: method.card,
    name: null,
  } as const
  const pendingPayments = [
    { payment: aPayment(context, { id: 'py_1', status: 'requires_action' }), authentication },
    { payment: aPayment(context, { id: 'py_2', status: 'requires_action' }), authentication: null },
  ]
  const { changes } = detachPaymentMethod({ ...unused, pendingPayments }, context)
  assert.equal(eventTypesOf(changes), [
    'payment.canceled',
    '-',
    'payment.canceled',
    'payment_method.detached',
  ])
  assert.equal([changes[1]?.before, changes[1]?.after], [authentication, null])
  const canceled = changes[0]?.after as Payment
  assert.equal([canceled.canceled_at, canceled.canceled_reason], [context.now, 'payment_method_detached'])
})

test('rejects detaching a detached card', async () => {
  const detached = { ...method, customer: null }
  const again = () => detachPaymentMethod({ ...unused, method: detached }, context)
  assert.is((await catchDomainError(again)).code, 'payment_method_unexpected_state')
})

test.run()
