import { completeParams } from '../../../src/cli/sessions/card-flags.ts'
import { checkCard, isExpiredCard } from '../../../src/domain/card-checks.ts'
import { TEST_CARDS } from '../../../src/domain/test-cards.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/card-flags')

const NOW = 1_800_000_000
const WHOLE = { exp_month: 12, exp_year: 2099, cvc: '123' }

const READ: readonly (readonly [flags: Record<string, string>, params: object])[] = [
  [{}, {}],
  [{ card: 'visa' }, { test_card: 'visa' }],
  [{ card: '4242424242424242' }, { test_card: 'visa' }],
  [{ card: '4242 4242-4242 4242' }, { test_card: 'visa' }],
  [
    { card: '4000000000009995', 'three-d-secure': 'reject' },
    { test_card: 'insufficient_funds', three_d_secure: 'reject' },
  ],
  [{ card: '4012888888881881' }, { card: { number: '4012888888881881', ...WHOLE } }],
  [{ card: 'visa', 'exp-year': '20' }, { card: { number: '4242424242424242', ...WHOLE, exp_year: '20' } }],
  [
    { card: 'amex', name: 'Ada' },
    { card: { number: '378282246310005', ...WHOLE, cvc: '1234', name: 'Ada' } },
  ],
  [{ card: '12', cvc: '9' }, { card: { number: '12', ...WHOLE, cvc: '9' } }],
]

for (const [flags, params] of READ) {
  test(JSON.stringify(flags), () => assert.equal(completeParams(flags), params))
}

test('an unknown alias is refused with the list of those there are', () => {
  assert.throws(() => completeParams({ card: 'vis' }), /No test card is called 'vis'/)
})

test('what is filled in is never at fault', () => {
  for (const { alias, number } of TEST_CARDS.filter((card) => card.alias !== 'bad_luhn')) {
    const { card } = completeParams({ card: alias, name: 'Ada' })
    assert.equal(checkCard(Object(card), NOW), [], alias)
    assert.is(Object(card).number, number)
  }
  assert.not.ok(isExpiredCard(WHOLE, NOW))
})

test.run()
