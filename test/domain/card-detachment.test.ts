import { type Attached, detachByHand } from '../../src/domain/card-detachment.ts'
import type { Customer } from '../../src/domain/customers.ts'
import type { Payment } from '../../src/domain/payments.ts'
import { aCard, aSubscription } from '../support/account-samples.ts'
import { aCustomer, aPayment, cameTo, told } from '../support/domain-samples.ts'
import { createRuleContext } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/card-detachment')

const context = createRuleContext()
const method = aCard(context)
const nobody: Attached = { method, customer: null, subscriptions: [], asked: [] }
const owner = (card: string | null): Customer => ({ ...aCustomer(context), default_payment_method: card })
const charging = (id: string, card: string | null) =>
  aSubscription(context, { id, default_payment_method: card })

test('whoever charges the card has it no more, and others keep theirs', () => {
  const subscriptions = [
    charging('sub_1', method.id),
    charging('sub_2', 'pm_other'),
    charging('sub_3', null),
    charging('sub_4', method.id),
  ]
  const decision = detachByHand({ ...nobody, customer: owner(method.id), subscriptions }, context)
  assert.equal(told(decision.changes), [
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
  assert.equal(cameTo(decision), { ...method, customer: null })
})

test('a card that is nobody’s default only leaves', () => {
  for (const customer of [owner('pm_other'), owner(null), null]) {
    assert.equal(told(detachByHand({ ...nobody, customer }, context).changes), ['payment_method.detached'])
  }
})

test('whoever is asked to confirm a charge of the card is not waited for any more', () => {
  const waiting = {
    id: 'in_1',
    object: 'authentication',
    payment: 'py_1',
    card: method.card,
    name: null,
  } as const
  const asked = [
    { payment: aPayment(context, { id: 'py_1', status: 'requires_action' }), authentication: waiting },
    { payment: aPayment(context, { id: 'py_2', status: 'requires_action' }), authentication: null },
  ]
  const { changes } = detachByHand({ ...nobody, asked }, context)
  assert.equal(told(changes), ['payment.canceled', '-', 'payment.canceled', 'payment_method.detached'])
  assert.equal([changes[1]?.before, changes[1]?.after], [waiting, null])
  const canceled = changes[0]?.after as Payment
  assert.equal([canceled.canceled_at, canceled.canceled_reason], [context.now, 'payment_method_detached'])
})

test('a card is detached once', async () => {
  const gone = { ...method, customer: null }
  const again = () => detachByHand({ ...nobody, method: gone }, context)
  assert.is((await refusal(again)).code, 'payment_method_unexpected_state')
})

test.run()
