import type { ItemChange } from '../../../src/domain/billing/subscription-change-params.ts'
import { applyItemChanges } from '../../../src/domain/billing/subscription-items.ts'
import { catchDomainError } from '../../../src/domain/core/domain-error.ts'
import { aSubscription } from '../../support/account-samples.ts'
import { createRuleContext } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/subscription-items')

const context = createRuleContext()
const subscription = aSubscription(context)
const [rent] = subscription.items
if (rent === undefined) throw new Error('the sample has an item')

function errorOf(...changes: readonly ItemChange[]) {
  return catchDomainError(() => applyItemChanges(subscription, changes, context))
}

test('adds an item at the end, with defaults', () => {
  const [kept, added] = applyItemChanges(subscription, [{ price_data: { amount: 900 } }], context)
  assert.is(kept, rent)
  assert.match(added?.id ?? '', /^si_/)
  assert.equal(
    { ...added, id: '' },
    {
      id: '',
      description: null,
      type: 'other',
      price_data: { amount: 900, currency: 'eur', tax_percent: 0 },
      quantity: 1,
    },
  )
})

test('throws when the result has no items or more than 20 items', () => {
  const none = errorOf({ id: rent.id, deleted: true })
  assert.equal([none?.code, none?.details.param], ['parameter_invalid_array', 'items'])
  assert.match(none?.message ?? '', /cancel it/)
  const many = Array.from({ length: 20 }, () => ({ price_data: { amount: 1 } }))
  assert.match(errorOf(...many)?.message ?? '', /21 items would result/)
})

test('throws when the total of the items exceeds the maximum amount', () => {
  assert.is(
    errorOf({ id: rent.id, quantity: 999_999, price_data: { amount: 999_999_999_999 } })?.code,
    'amount_too_large',
  )
})

test.run()
