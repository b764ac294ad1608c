import { attachCard, detachCard } from '../../src/domain/payment-methods.ts'
import { aCustomer, VISA } from '../support/domain-samples.ts'
import { assert, suite } from '../support/suite.ts'
import { createWorld, START } from '../support/world.ts'

const test = suite('domain/payment-methods')

test('a card is attached under its id, with the name typed in and the address of its customer', () => {
  const world = createWorld()
  const customer = aCustomer(world)
  const { event, before, after } = attachCard({ id: 'pm_1', customer, card: VISA, name: 'A. L.' }, world)
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

test('a detached card belongs to nobody and is otherwise as it was', () => {
  const world = createWorld()
  const method = attachCard({ id: 'pm_1', customer: aCustomer(world), card: VISA, name: null }, world).after
  const { event, before, after } = detachCard(method)
  assert.equal([event, before], ['payment_method.detached', method])
  assert.equal(after, { ...method, customer: null })
})

test.run()
