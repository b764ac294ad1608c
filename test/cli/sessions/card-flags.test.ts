import { getSessionCompletionParams, listTestCards } from '../../../src/cli/sessions/card-flags.ts'
import { isExpiredCard, listCardErrors } from '../../../src/domain/cards/card-validation.ts'
import { TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import { IBAN_ALIASES } from '../../../src/domain/cards/test-ibans.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/card-flags')

const NOW = 1_800_000_000
const DEFAULTS = { exp_month: 12, exp_year: 2099, cvc: '123' }

const CASES: readonly (readonly [flags: Record<string, string>, params: object])[] = [
  [{}, {}],
  [{ card: 'visa' }, { test_card: 'visa' }],
  [{ card: 'wallet' }, { test_card: 'wallet' }],
  [{ card: 'wallet_declined' }, { test_card: 'wallet_declined' }],
  [{ card: '4242424242424242' }, { test_card: 'visa' }],
  [{ card: '4242 4242-4242 4242' }, { test_card: 'visa' }],
  [
    { card: '4000000000009995', 'three-d-secure': 'reject' },
    { test_card: 'insufficient_funds', three_d_secure: 'reject' },
  ],
  [{ card: '4012888888881881' }, { card: { number: '4012888888881881', ...DEFAULTS } }],
  [{ card: 'visa', 'exp-year': '20' }, { card: { number: '4242424242424242', ...DEFAULTS, exp_year: '20' } }],
  [
    { card: 'amex', name: 'Ada' },
    { card: { number: '378282246310005', ...DEFAULTS, cvc: '1234', name: 'Ada' } },
  ],
  [{ card: 'DE89 3704 0044 0532 0130 00' }, { test_card: 'sepa_debit' }],
  [{ card: 'sepa_debit_fails' }, { test_card: 'sepa_debit_fails' }],
  [{ card: '12', cvc: '9' }, { card: { number: '12', ...DEFAULTS, cvc: '9' } }],
]

for (const [flags, params] of CASES) {
  test(`converts the flags ${JSON.stringify(flags)} to ${JSON.stringify(params)}`, () =>
    assert.equal(getSessionCompletionParams(flags), params))
}

test('throws for --wallet together with card flags', () => {
  assert.throws(
    () => getSessionCompletionParams({ card: 'wallet', cvc: '123' }),
    /The wallet takes no other details/,
  )
  assert.throws(
    () => getSessionCompletionParams({ card: 'sepa_debit', name: 'Ada' }),
    /A bank account takes no other/,
  )
})

for (const [card, nearest] of [
  ['vsia', 'visa'],
  ['approved', 'visa'],
  ['3-D Secure', 'sca_setup'],
  ['something', 'visa'],
] as const) {
  test(`suggests ${nearest} and the list of test cards for the unknown card '${card}'`, () => {
    const { message, hint } = usageErrorFrom(() => getSessionCompletionParams({ card }))
    const list = 'List all test cards: paycli cards list --test'
    assert.equal([message, hint], [`Unknown test card '${card}'.`, `Did you mean ${nearest}? ${list}`])
  })
}

test('lists every test IBAN after the test cards, with its outcome', () => {
  const list = listTestCards()
  assert.equal(list.map(({ card }) => card).slice(TEST_CARDS.length), IBAN_ALIASES)
  const fails = list.find(({ card }) => card === 'sepa_debit_fails')
  const decision = 'declined: insufficient_funds after 3 days'
  assert.equal(fails, {
    ...{ card: 'sepa_debit_fails', number: 'DE62370400440532013001' },
    ...{ payment: decision, renewal: decision },
  })
  assert.is(list.at(-1)?.payment, 'approved after 7 days')
})

test('fills in valid card fields for every test card', () => {
  for (const { alias, number } of TEST_CARDS.filter((card) => card.alias !== 'bad_luhn')) {
    const { card } = getSessionCompletionParams({ card: alias, name: 'Ada' })
    assert.equal(listCardErrors(Object(card), NOW), [], alias)
    assert.is(Object(card).number, number)
  }
  assert.not.ok(isExpiredCard(DEFAULTS, NOW))
})

test.run()
