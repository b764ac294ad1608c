import {
  type CardSubmission,
  createDeclineError,
  getIssuerAfterAuthentication,
  submitTestCard,
  toPaymentFailure,
} from '../../src/domain/card-authorization.ts'
import type { RuleContext } from '../../src/domain/changes.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import type { EnteredCard } from '../../src/domain/session-submission.ts'
import { TEST_CARDS } from '../../src/domain/test-cards.ts'
import { catchDomainError } from '../support/catch-domain-error.ts'
import { aPayment, enteredCard, VISA } from '../support/domain-samples.ts'
import { createRuleContext, START, testFingerprint } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/card-authorization')

/** Returns the submission of a card and throws declines. */
function resolve(fields: EnteredCard, isSetup: boolean, within: RuleContext): CardSubmission {
  const submission = submitTestCard(fields, { customer: 'cus_1', isSetup }, within)
  if (submission instanceof DomainError) throw submission
  return submission
}

const context = createRuleContext()

test('returns the details of the card without number and security code', () => {
  const { card, name, issuer } = resolve(enteredCard('4242 4242-4242 4242', { name: 'Ada' }), false, context)
  assert.equal(card, {
    brand: 'visa',
    last4: '4242',
    exp_month: 12,
    exp_year: 2031,
    funding: 'credit',
    country: 'US',
    fingerprint: testFingerprint('4242424242424242'),
    test_behavior: 'always_succeeds',
    wallet: null,
  })
  assert.equal([name, issuer], ['Ada', { kind: 'approve' }])
})

test('returns null for a missing or empty name', () => {
  for (const name of [undefined, null, '']) {
    assert.is(
      resolve(enteredCard('4242424242424242', name === undefined ? {} : { name }), false, context).name,
      null,
    )
  }
})

test('never returns the number or code of a test card', () => {
  for (const { number, alias } of TEST_CARDS.filter((card) => card.alias !== 'bad_luhn')) {
    const { card } = resolve(enteredCard(number), false, context)
    const text = JSON.stringify(card)
    assert.not(text.includes(number) || text.includes('739'), alias)
    assert.is(card.last4, number.slice(-4))
  }
})

test('an issuer can decide differently about charging a card and about saving it', () => {
  const number = '4000000000000341'
  assert.is(resolve(enteredCard(number), false, context).issuer.kind, 'decline')
  assert.is(resolve(enteredCard(number), true, context).issuer.kind, 'approve')
})

test('throws one error with all validation errors of a card, without repeating entered values', async () => {
  const { errors, code } = await catchDomainError(() =>
    resolve({ number: '4242424242424241', exp_month: '13', exp_year: '2019', cvc: '99999' }, false, context),
  )
  assert.is(code, 'incorrect_number')
  assert.equal(
    errors.map((error) => error.code),
    ['incorrect_number', 'invalid_expiry_month', 'invalid_expiry_year', 'invalid_cvc'],
  )
  assert.not.match(JSON.stringify(errors), /4241|13|2019|99999/)
})

test('rejects a card number as cardholder name', async () => {
  const { param } = await catchDomainError(() =>
    resolve(enteredCard('4242424242424242', { name: '4242 4242 4242 4242' }), false, context),
  )
  assert.is(param, 'name')
})

test('declines a number that is not a test card without creating a payment, when charged or saved', async () => {
  for (const isSetup of [false, true]) {
    const { code, details } = await catchDomainError(() =>
      resolve(enteredCard('4539148803436467'), isSetup, context),
    )
    assert.equal([code, details.decline_code, details.payment], ['card_declined', 'not_a_test_card', null])
  }
})

test('accepts a card until the end of its expiry month', async () => {
  const card = enteredCard('4242424242424242', { exp_month: '1', exp_year: '24' })
  assert.is(resolve(card, false, createRuleContext(Date.UTC(2024, 1, 1) / 1000 - 1)).card.exp_year, 2024)
  assert.is(
    (await catchDomainError(() => resolve(card, false, createRuleContext(Date.UTC(2024, 1, 1) / 1000)))).code,
    'invalid_expiry_month',
  )
  assert.ok(START < Date.UTC(2024, 1, 1) / 1000)
})

test('the issuer approves or declines a charge after 3-D Secure', () => {
  const after = (test_behavior: string, isSetup = false) =>
    getIssuerAfterAuthentication({ ...VISA, test_behavior }, { customer: 'cus_1', isSetup }, context)
  assert.is(after('sca_setup').kind, 'approve')
  assert.is(after('sca_setup', true).kind, 'approve')
  assert.equal(after('sca_no_funds'), {
    kind: 'decline',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
  })
  assert.is(after('always_succeeds').kind, 'approve')
  assert.is(after('decline_after_attach').kind, 'decline')
  assert.is(after('decline_after_attach', true).kind, 'approve')
  assert.throws(() => after('unheard_of'), /no test card behaves as/)
})

test('declines a card that expired during 3-D Secure, exact to the second', () => {
  const card = { ...VISA, exp_month: 1, exp_year: 2030 }
  const february = Date.UTC(2030, 1) / 1000
  const after = (now: number, isSetup: boolean) =>
    getIssuerAfterAuthentication(card, { customer: 'cus_1', isSetup }, createRuleContext(now))
  assert.is(after(february - 1, false).kind, 'approve')
  const expired = { kind: 'decline', code: 'expired_card', decline_code: null }
  assert.equal(after(february, false), expired)
  assert.equal(after(february, true), expired)
})

test('a decline error has the message, the advice and the failed payment', () => {
  const failure = toPaymentFailure({ kind: 'decline', code: 'card_declined', decline_code: 'lost_card' })
  assert.equal(
    [failure.code, failure.decline_code, failure.retryable, failure.advice],
    ['card_declined', 'lost_card', false, 'do_not_retry'],
  )
  const payment = aPayment(context)
  const { code, message, details } = createDeclineError(failure, payment)
  assert.equal(
    [code, message, details],
    ['card_declined', failure.message, { decline_code: 'lost_card', payment }],
  )
})

test.run()
