import { attachCard, detachCard } from '../../../src/domain/payments/payment-methods.ts'
import { aCustomer, VISA } from '../../support/domain-samples.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/payment-methods')

test('attaches a card with the entered name and the email of the customer', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const { changes, result } = attachCard({ id: 'pm_1', customer, card: VISA, name: 'A. L.' }, context)
  assert.equal(
    changes.map(({ event, before }) => [event, before]),
    [
      ['payment_method.attached', null],
      ['customer.updated', customer],
    ],
  )
  assert.is(changes[0]?.after, result)
  assert.equal(result, {
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

test('makes the first card of a customer the default, and no later card', () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const [, updated] = attachCard({ id: 'pm_1', customer, card: VISA, name: null }, context).changes
  assert.equal(updated?.after, { ...customer, default_payment_method: 'pm_1' })
  const owner = { ...customer, default_payment_method: 'pm_1' }
  const { changes } = attachCard({ id: 'pm_2', customer: owner, card: VISA, name: null }, context)
  assert.equal(
    changes.map(({ event }) => event),
    ['payment_method.attached'],
  )
})

test('detaching a card changes only its customer, to null', () => {
  const context = createRuleContext()
  const method = attachCard(
    { id: 'pm_1', customer: aCustomer(context), card: VISA, name: null },
    context,
  ).result
  const { event, before, after } = detachCard(method)
  assert.equal([event, before], ['payment_method.detached', method])
  assert.equal(after, { ...method, customer: null })
})

test.run()
