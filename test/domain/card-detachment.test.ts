import { detachByHand } from '../../src/domain/card-detachment.ts'
import type { Customer } from '../../src/domain/customers.ts'
import { aCard, aSubscription } from '../support/account-samples.ts'
import { aCustomer, cameTo, told } from '../support/domain-samples.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { createWorld } from '../support/world.ts'

const test = suite('domain/card-detachment')

const world = createWorld()
const method = aCard(world)
const owner = (card: string | null): Customer => ({ ...aCustomer(world), default_payment_method: card })
const charging = (id: string, card: string | null) =>
  aSubscription(world, { id, default_payment_method: card })

test('whoever charges the card has it no more, and others keep theirs', () => {
  const subscriptions = [
    charging('sub_1', method.id),
    charging('sub_2', 'pm_other'),
    charging('sub_3', null),
    charging('sub_4', method.id),
  ]
  const decision = detachByHand({ method, customer: owner(method.id), subscriptions })
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
    assert.equal(told(detachByHand({ method, customer, subscriptions: [] }).changes), [
      'payment_method.detached',
    ])
  }
})

test('a card is detached once', async () => {
  const gone = { ...method, customer: null }
  const again = () => detachByHand({ method: gone, customer: null, subscriptions: [] })
  assert.is((await refusal(again)).code, 'payment_method_unexpected_state')
})

test.run()
