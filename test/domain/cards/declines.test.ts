import { getDeclineExplanation, isHardDecline } from '../../../src/domain/cards/declines.ts'
import { TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/cards/declines')

/** Columns: code, decline code or `-`, hard or soft, retryable or final, advice. */
const TABLE = `
  card_declined           generic_decline        soft retryable try_again_later
  card_declined           -                      soft retryable try_again_later
  card_declined           insufficient_funds     soft retryable try_again_later
  card_declined           card_velocity_exceeded soft retryable try_again_later
  card_declined           lost_card              hard final     do_not_retry
  card_declined           stolen_card            hard final     do_not_retry
  card_declined           pickup_card            hard final     do_not_retry
  card_declined           fraudulent             hard final     do_not_retry
  card_declined           do_not_retry           hard final     do_not_retry
  card_declined           not_a_test_card        soft final     update_card
  expired_card            -                      hard final     update_card
  incorrect_number        -                      hard final     update_card
  incorrect_cvc           -                      soft retryable update_card
  processing_error        -                      soft retryable try_again_later
  authentication_required -                      hard final     authenticate
  authentication_failed   -                      soft retryable authenticate
`

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
  .map(([code = '', declineCode = '', hardness = '', retryable = '', advice = '']) => ({
    code,
    declineCode: declineCode === '-' ? null : declineCode,
    hardness,
    retryable,
    advice,
  }))

for (const { code, declineCode, hardness, retryable, advice } of ROWS) {
  test(`a decline with code ${code} and ${declineCode ?? 'no decline code'} is ${hardness} and ${retryable} with advice ${advice}`, () => {
    assert.is(isHardDecline(code, declineCode), hardness === 'hard')
    const described = getDeclineExplanation(code, declineCode)
    assert.is(described.retryable, retryable === 'retryable')
    assert.is(described.advice, advice)
  })
}

test('a hard decline is never retryable', () => {
  for (const { code, declineCode } of ROWS) {
    assert.not(
      isHardDecline(code, declineCode) && getDeclineExplanation(code, declineCode).retryable,
      `${code} ${declineCode}`,
    )
  }
})

test('the table of declines has a row for every decline of a test card', () => {
  const known = new Set(ROWS.map(({ code, declineCode }) => `${code} ${declineCode}`))
  const decisions = TEST_CARDS.flatMap((card) => [card.onSession, ...card.offSession])
  for (const issuer of decisions) {
    const decision = issuer.kind === 'challenge' ? issuer.next : issuer
    if (decision.kind === 'decline') assert.ok(known.has(`${decision.code} ${decision.decline_code}`))
  }
})

test('every decline message has two or more sentences and no digits', () => {
  for (const { code, declineCode } of ROWS) {
    const { message } = getDeclineExplanation(code, declineCode)
    assert.match(message, /^[A-Z][^.]+\.( [A-Z][^.]+\.)+$/)
    assert.not.match(message, /\d/)
  }
})

test('the decline message names the failure and an action for the cardholder', () => {
  assert.is(
    getDeclineExplanation('card_declined', 'insufficient_funds').message,
    'Your card has insufficient funds. Try another card.',
  )
  assert.is(getDeclineExplanation('expired_card', null).message, 'Your card has expired. Use another card.')
})

test('the decline message does not reveal that a card is reported lost, stolen or suspicious', () => {
  for (const reason of ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent', 'do_not_retry']) {
    assert.is(
      getDeclineExplanation('card_declined', reason).message,
      'Your card was declined. Use another card.',
    )
  }
})

test('treats an unknown decline code as a soft generic decline', () => {
  for (const [code, declineCode] of [
    ['card_declined', 'some_new_reason'],
    ['some_new_code', null],
    ['constructor', 'toString'],
  ] as const) {
    assert.not(isHardDecline(code, declineCode))
    const described = getDeclineExplanation(code, declineCode)
    assert.equal(described, getDeclineExplanation('card_declined', 'generic_decline'))
    assert.is(described.retryable, true)
    assert.is(described.advice, 'try_again_later')
  }
})

test.run()
