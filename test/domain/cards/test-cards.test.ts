import { getCardBrand, hasValidCheckDigit } from '../../../src/domain/cards/card-validation.ts'
import {
  findCardByAlias,
  findCardByBehavior,
  findCardByNumber,
  getOffSessionBehavior,
  getUnknownCardDecline,
  type IssuerBehavior,
  TEST_CARDS,
} from '../../../src/domain/cards/test-cards.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/cards/test-cards')

/**
 * Columns: number, alias, outcome on session, outcomes off session. The outcomes are those of successive attempts; the
 * last outcome applies to all later attempts.
 */
const TABLE = `
  4242424242424242    | visa                 | ok                     | ok
  4000056655665556    | visa_debit           | ok                     | ok
  5555555555554444    | mastercard           | ok                     | ok
  2223003122003222    | mastercard_2series   | ok                     | ok
  5200828282828210    | mastercard_debit     | ok                     | ok
  5105105105105100    | mastercard_prepaid   | ok                     | ok
  378282246310005     | amex                 | ok                     | ok
  371449635398431     | amex_2               | ok                     | ok
  6011111111111117    | discover             | ok                     | ok
  3056930009020004    | diners               | ok                     | ok
  3566002020360505    | jcb                  | ok                     | ok
  6205500000000000004 | unionpay             | ok                     | ok
  4000000000000002    | declined             | generic_decline        | generic_decline
  4000000000009995    | insufficient_funds   | insufficient_funds     | insufficient_funds
  4000000000009987    | lost_card            | lost_card              | lost_card
  4000000000009979    | stolen_card          | stolen_card            | stolen_card
  4000000000000069    | expired              | expired_card!          | expired_card!
  4000000000000127    | incorrect_cvc        | incorrect_cvc!         | incorrect_cvc!
  4000000000000119    | processing_error     | processing_error!      | processing_error!
  4242424242424241    | bad_luhn             | incorrect_number!      | incorrect_number!
  4000000000006975    | velocity             | card_velocity_exceeded | card_velocity_exceeded
  4100000000000019    | fraudulent           | fraudulent             | fraudulent
  4000000000000341    | decline_after_attach | generic_decline        | generic_decline
  4000002500003155    | sca_setup            | 3ds ok                 | ok
  4000002760003184    | sca_always           | 3ds ok                 | authentication_required!
  4000003800000446    | sca_done             | 3ds ok                 | ok
  4000008260003178    | sca_no_funds         | 3ds insufficient_funds | insufficient_funds
  4000008400001629    | sca_declined         | 3ds generic_decline    | generic_decline
  4000000000003220    | sca_required         | 3ds ok                 | authentication_required!
  4000000000007726    | refund_async         | ok                     | ok
  4000000000005126    | refund_fails         | ok                     | ok
  4000000000000259    | dispute              | ok                     | ok
  4000000000002685    | dispute_not_received | ok                     | ok
  4000000000001976    | dispute_inquiry      | ok                     | ok
  4000009000000011    | renewal_no_funds     | ok                     | insufficient_funds
  4000009000000029    | renewal_flaky        | ok                     | generic_decline ok
  4000009000000037    | renewal_last_chance  | ok                     | generic_decline generic_decline generic_decline ok
  4000009000000045    | renewal_lost         | ok                     | lost_card
  4000009000000052    | renewal_sca          | ok                     | authentication_required!
  4000009000000060    | slow                 | slow                   | ok
  4000009000000078    | every_other          | alternate              | alternate
  4000009000000086    | capture_fails        | ok                     | ok
`

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([number = '', alias = '', onSession = '', offSession = '']) => ({
    number,
    alias,
    onSession,
    offSession: offSession.split(' '),
  }))

/** Formats a decision as in the table: `!` marks an error code; all other declines have the code `card_declined`. */
function write(issuer: IssuerBehavior | undefined): string {
  switch (issuer?.kind) {
    case undefined:
      return 'no test card'
    case 'approve':
      return 'ok'
    case 'alternate':
    case 'slow':
      return issuer.kind
    case 'challenge':
      return `3ds ${write(issuer.next)}`
    case 'decline':
      return issuer.code === 'card_declined' ? String(issuer.decline_code) : writeOwnCode(issuer)
  }
}

function writeOwnCode({ code, decline_code }: { code: string; decline_code: string | null }): string {
  assert.is(decline_code, null, 'a code of its own has no decline code')
  return `${code}!`
}

test('the test cards are listed with the expected numbers, aliases and order', () => {
  assert.equal(
    TEST_CARDS.map(({ number, alias }) => `${number} ${alias}`),
    ROWS.map(({ number, alias }) => `${number} ${alias}`),
  )
})

for (const { number, alias, onSession, offSession } of ROWS) {
  test(`the issuer of test card ${alias} makes the expected decisions on-session and off-session`, () => {
    const card = findCardByAlias(alias)
    assert.is(card?.number, number)
    assert.is(findCardByNumber(number), card)
    assert.is(write(card?.onSession), onSession)
    const behavior = card?.test_behavior ?? ''
    for (let attempt = 1; attempt <= offSession.length + 3; attempt++) {
      const expected = offSession[Math.min(attempt, offSession.length) - 1]
      assert.is(write(getOffSessionBehavior(behavior, attempt)), expected, `attempt ${attempt}`)
    }
  })
}

/** Cards that are saved without their on-session behavior. */
const SAVED_IMMEDIATELY = ['decline_after_attach', 'slow', 'every_other']

test('the issuer makes the same decision when saving a card as when charging it, except for three cards', () => {
  for (const { alias, onSession } of ROWS) {
    const expected = SAVED_IMMEDIATELY.includes(alias) ? 'ok' : onSession
    assert.is(write(findCardByAlias(alias)?.onSetup), expected, alias)
  }
})

test('all card numbers except bad_luhn pass the Luhn check', () => {
  assert.equal(
    TEST_CARDS.filter((card) => !hasValidCheckDigit(card.number)).map((card) => card.alias),
    ['bad_luhn'],
  )
})

test('numbers, aliases and behaviors except always_succeeds are unique', () => {
  const unique = (values: readonly string[]) => new Set(values).size
  assert.is(unique(TEST_CARDS.map((card) => card.number)), 42)
  assert.is(unique(TEST_CARDS.map((card) => card.alias)), 42)
  const special = TEST_CARDS.filter((card) => card.test_behavior !== 'always_succeeds')
  assert.is(unique(special.map((card) => card.test_behavior)), special.length)
  assert.is(special.length, 30)
  for (const card of special) assert.is(card.test_behavior, card.alias)
})

test('findCardByBehavior returns a card with the same decisions', () => {
  for (const card of TEST_CARDS) {
    const found = findCardByBehavior(card.test_behavior)
    assert.equal(
      [found?.onSession, found?.onSetup, found?.offSession, found?.onCapture],
      [card.onSession, card.onSetup, card.offSession, card.onCapture],
    )
  }
  assert.is(findCardByBehavior('always_succeeds')?.alias, 'visa')
})

test('each test card has the expected brand, funding, country and security code length', () => {
  const table = `visa visa credit US 3|visa_debit visa debit US 3|mastercard mastercard credit US 3
    |mastercard_2series mastercard credit US 3|mastercard_debit mastercard debit US 3
    |mastercard_prepaid mastercard prepaid US 3|amex amex credit US 4|amex_2 amex credit US 4
    |discover discover credit US 3|diners diners credit US 3|jcb jcb credit JP 3|unionpay unionpay credit CN 3
    |sca_setup visa credit FR 3|sca_always visa credit DE 3|sca_done visa credit IT 3|sca_no_funds visa credit GB 3`
  for (const row of table.split('|')) {
    const [alias = '', brand, funding, country, cvcLength] = row.trim().split(' ')
    const card = findCardByAlias(alias)
    assert.equal(
      [card?.brand, card?.funding, card?.country, card?.cvcLength],
      [brand, funding, country, Number(cvcLength)],
    )
  }
  for (const { brand, number } of TEST_CARDS) assert.is(brand, getCardBrand(number))
})

test('finds a test card by its number with spaces and dashes', () => {
  assert.is(findCardByNumber('4242 4242 4242 4242')?.alias, 'visa')
  assert.is(findCardByNumber('4242-4242-4242-4242')?.alias, 'visa')
  assert.is(findCardByNumber(' 4000 0000 0000 0002 ')?.alias, 'declined')
})

test('declines an unknown number with not_a_test_card, and a number that fails the Luhn check with incorrect_number', () => {
  assert.is(write(getUnknownCardDecline('4111111111111111')), 'not_a_test_card')
  assert.is(write(getUnknownCardDecline('4111 1111 1111 1111')), 'not_a_test_card')
  assert.is(write(getUnknownCardDecline('4111111111111112')), 'incorrect_number!')
  assert.is(write(getUnknownCardDecline('')), 'incorrect_number!')
})

test('returns undefined for an unknown alias, number or behavior, and declines charges of an unknown number', () => {
  for (const text of ['', 'unknown', 'VISA', 'constructor', '4111111111111111']) {
    assert.is(findCardByAlias(text), undefined)
    assert.is(findCardByNumber(text), undefined)
    assert.is(findCardByBehavior(text), undefined)
    assert.is(write(getOffSessionBehavior(text, 1)), 'not_a_test_card')
  }
})

test.run()
