import { attachCard, detachCard } from '../../src/domain/payment-methods.ts'
import { aCustomer, VISA } from '../support/domain-samples.ts'
import { createRuleContext, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/payment-methods')

test('attaches a card with the entered name and the email of the customer', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const { event, before, after } = attachCard({ id: 'pm_1', customer, card: VISA, name: 'A. L.' }, context)
  assert.equal([event, before], ['payment_method.attached', null])
  assert.equal(after, {
    id: 'pm_1',
    object: 'payment_method',
    created: START,
    livemode: false,
    type: 'card',
    customer: customer.id,
    card: VISA,
    billing_details: { name: 'A. L.', email: 'ada@example.com' },
    metadata: {},
    test_clock: null,
  })
})

test('detaching a card changes only its customer, to null', () => {
  const context = createRuleContext()
  const method = attachCard(
    { id: 'pm_1', customer: aCustomer(context), card: VISA, name: null },
    context,
  ).after
  const { event, before, after } = detachCard(method)
  assert.equal([event, before], ['payment_method.detached', method])
  assert.equal(after, { ...method, customer: null })
})

test.run()
