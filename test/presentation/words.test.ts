import { formatCard } from '../../src/presentation/card-brands.ts'
import { findFailureReason, formatCountWithNoun } from '../../src/presentation/words.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('presentation/words')

test('formats cards, numbers and the reasons of declines', () => {
  assert.is(formatCard({ brand: 'visa', last4: '4242' }), 'Visa •••• 4242')
  assert.is(formatCard({ brand: 'amex', last4: '0005' }), 'American Express •••• 0005')
  assert.is(formatCountWithNoun(1, 'payment'), '1 payment')
  assert.is(formatCountWithNoun(999, 'payment'), '999 payments')
  assert.is(formatCountWithNoun(1234, 'payment'), '1,234 payments')
  assert.is(formatCountWithNoun(1_234_567, 'payment'), '1,234,567 payments')
  const failed = { status: 'failed', decline_code: null, failure_code: null, canceled_reason: null } as const
  assert.is(findFailureReason({ ...failed, decline_code: 'insufficient_funds' }), 'Insufficient funds')
  assert.is(
    findFailureReason({ ...failed, decline_code: 'generic_decline', failure_code: 'card_declined' }),
    'Declined without a reason',
  )
  assert.is(findFailureReason({ ...failed, failure_code: 'expired_card' }), 'Expired card')
  assert.is(findFailureReason({ ...failed, status: 'succeeded' }), null)
})

test.run()
