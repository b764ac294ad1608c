import {
  type SubscriptionUpdateFields,
  updateSubscription,
} from '../../../src/domain/billing/subscription-updates.ts'
import {
  cancelSubscription,
  createSubscription,
  type Subscription,
} from '../../../src/domain/billing/subscriptions.ts'
import { aCheckout } from '../../support/domain-samples.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/subscription-updates')

function subscribed(): Subscription {
  const context = createRuleContext()
  const session = aCheckout(context)
  return createSubscription({ id: 'sub_1', session, payment_method: 'pm_1', latest_invoice: 'in_1' }, context)
    .after
}

/** update fields, changed fields or null */
const UPDATES: readonly (readonly [SubscriptionUpdateFields, Partial<Subscription> | null])[] = [
  [{}, null],
  [{ description: 'Rent' }, null],
  [{ description: 'Attic' }, { description: 'Attic' }],
  [{ metadata: { a: '1' } }, { metadata: { a: '1' } }],
  [{ metadata: {} }, null],
  [{ default_payment_method: 'pm_1' }, null],
  [{ default_payment_method: 'pm_2' }, { default_payment_method: 'pm_2' }],
  [{ default_payment_method: null }, { default_payment_method: null }],
  [{ cancel_at_period_end: false }, null],
  [{ cancel_at_period_end: true }, { cancel_at_period_end: true, canceled_at: START + 5 }],
]

for (const [fields, differs] of UPDATES) {
  test(`updating a subscription with ${JSON.stringify(fields)} returns ${differs === null ? 'no change' : 'subscription.updated'}`, () => {
    const subscription = subscribed()
    const changes = updateSubscription(subscription, fields, createRuleContext(START + 5))
    assert.equal(
      changes.map(({ event, after }) => [event, after]),
      differs === null ? [] : [['subscription.updated', { ...subscription, ...differs }]],
    )
  })
}

test('a repeated cancellation request keeps canceled_at, and withdrawing it clears canceled_at', () => {
  const subscription = subscribed()
  const ending = { ...subscription, cancel_at_period_end: true, canceled_at: START }
  assert.equal(updateSubscription(ending, { cancel_at_period_end: true }, createRuleContext(START + 9)), [])
  const [kept] = updateSubscription(ending, { cancel_at_period_end: false }, createRuleContext(START + 9))
  assert.equal(kept?.after, subscription)
  const ended = cancelSubscription(ending, 'requested', createRuleContext(START + 9))
  assert.equal([ended.after.canceled_at, ended.after.ended_at], [START, START + 9])
})

test.run()
