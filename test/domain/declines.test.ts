import { adviceFor, declineMessage, isHardDecline } from '../../src/domain/declines.ts'
import { TEST_CARDS } from '../../src/domain/test-cards.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/declines')

/** code, decline code or `-`, hard or soft, retryable or final, advice */
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
  test(`${code} with ${declineCode ?? 'no decline code'} is ${hardness}, ${retryable} and advises ${advice}`, () => {
    assert.is(isHardDecline(code, declineCode), hardness === 'hard')
    assert.equal(adviceFor(code, declineCode), { retryable: retryable === 'retryable', advice })
  })
}

test('a hard decline is never called retryable', () => {
  for (const { code, declineCode } of ROWS) {
    assert.not(
      isHardDecline(code, declineCode) && adviceFor(code, declineCode).retryable,
      `${code} ${declineCode}`,
    )
  }
})

test('every decline of a test card has a row in the table', () => {
  const known = new Set(ROWS.map(({ code, declineCode }) => `${code} ${declineCode}`))
  const answers = TEST_CARDS.flatMap((card) => [card.onSession, ...card.offSession])
  for (const answer of answers) {
    const decision = answer.kind === 'challenge' ? answer.next : answer
    if (decision.kind === 'decline') assert.ok(known.has(`${decision.code} ${decision.decline_code}`))
  }
})

test('every message is two or more complete sentences that hold no digit', () => {
  for (const { code, declineCode } of ROWS) {
    const message = declineMessage(code, declineCode)
    assert.match(message, /^[A-Z][^.]+\.( [A-Z][^.]+\.)+$/)
    assert.not.match(message, /\d/)
  }
})

test('a buyer reads what happened and what to do next', () => {
  assert.is(
    declineMessage('card_declined', 'insufficient_funds'),
    'Your card has insufficient funds. Try another card.',
  )
  assert.is(declineMessage('expired_card', null), 'Your card has expired. Use another card.')
})

test('a buyer does not learn that a card is reported lost, stolen or suspicious', () => {
  for (const reason of ['lost_card', 'stolen_card', 'pickup_card', 'fraudulent', 'do_not_retry']) {
    assert.is(declineMessage('card_declined', reason), 'Your card was declined. Use another card.')
  }
})

test('an unknown reason counts as a soft generic decline', () => {
  for (const [code, declineCode] of [
    ['card_declined', 'some_new_reason'],
    ['some_new_code', null],
    ['constructor', 'toString'],
  ] as const) {
    assert.not(isHardDecline(code, declineCode))
    assert.is(declineMessage(code, declineCode), declineMessage('card_declined', 'generic_decline'))
    assert.equal(adviceFor(code, declineCode), { retryable: true, advice: 'try_again_later' })
  }
})

test.run()
