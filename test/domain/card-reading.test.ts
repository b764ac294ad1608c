import {
  cardFailure,
  declineRefusal,
  issuerOfApproved,
  readCard,
  type Submission,
} from '../../src/domain/card-reading.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { TEST_CARDS } from '../../src/domain/test-cards.ts'
import { aPayment, entered, VISA } from '../support/domain-samples.ts'
import { createRuleContext, START, testFingerprint } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/card-reading')

/** Reads a card; a decline is thrown. */
function read(...given: Parameters<typeof readCard>): Submission {
  const found = readCard(...given)
  if (found instanceof DomainError) throw found
  return found
}

const context = createRuleContext()

test('of a card nothing is kept but what a merchant may know', () => {
  const { card, name, issuer } = read(entered('4242 4242-4242 4242', { name: 'Ada' }), false, context)
  assert.equal(card, {
    brand: 'visa',
    last4: '4242',
    exp_month: 12,
    exp_year: 2031,
    funding: 'credit',
    country: 'US',
    fingerprint: testFingerprint('4242424242424242'),
    test_behavior: 'always_succeeds',
  })
  assert.equal([name, issuer], ['Ada', { kind: 'approve' }])
})

test('no name and an empty one are both none', () => {
  for (const name of [undefined, null, '']) {
    assert.is(
      read(entered('4242424242424242', name === undefined ? {} : { name }), false, context).name,
      null,
    )
  }
})

test('every test card is read without a trace of its number or code', () => {
  for (const { number, alias } of TEST_CARDS.filter((card) => card.alias !== 'bad_luhn')) {
    const { card } = read(entered(number), false, context)
    const text = JSON.stringify(card)
    assert.not(text.includes(number) || text.includes('739'), alias)
    assert.is(card.last4, number.slice(-4))
  }
})

test('the issuer is asked to charge or only to save', () => {
  const number = '4000000000000341'
  assert.is(read(entered(number), false, context).issuer.kind, 'decline')
  assert.is(read(entered(number), true, context).issuer.kind, 'approve')
})

test('all faults are refused at once, and none repeats what was typed', async () => {
  const { errors, code } = await refusal(() =>
    read({ number: '4242424242424241', exp_month: '13', exp_year: '2019', cvc: '99999' }, false, context),
  )
  assert.is(code, 'incorrect_number')
  assert.equal(
    errors.map((problem) => problem.code),
    ['incorrect_number', 'invalid_expiry_month', 'invalid_expiry_year', 'invalid_cvc'],
  )
  assert.not.match(JSON.stringify(errors), /4241|13|2019|99999/)
})

test('a card number typed into the name is refused', async () => {
  const { param } = await refusal(() =>
    read(entered('4242424242424242', { name: '4242 4242 4242 4242' }), false, context),
  )
  assert.is(param, 'name')
})

test('a number that is no test card is declined without a payment, to be charged or saved', async () => {
  for (const isSaving of [false, true]) {
    const { code, details } = await refusal(() => read(entered('4539148803436467'), isSaving, context))
    assert.equal([code, details.decline_code, details.payment], ['card_declined', 'not_a_test_card', null])
  }
})

test('a card is good to the end of its month', async () => {
  const card = entered('4242424242424242', { exp_month: '1', exp_year: '24' })
  assert.is(read(card, false, createRuleContext(Date.UTC(2024, 1, 1) / 1000 - 1)).card.exp_year, 2024)
  assert.is(
    (await refusal(() => read(card, false, createRuleContext(Date.UTC(2024, 1, 1) / 1000)))).code,
    'invalid_expiry_month',
  )
  assert.ok(START < Date.UTC(2024, 1, 1) / 1000)
})

test('after 3-D Secure the issuer says what it had kept back', () => {
  const after = (test_behavior: string, isSaving = false) =>
    issuerOfApproved({ ...VISA, test_behavior }, isSaving, START)
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

test('a card that expired while the buyer was asked is declined, to the second', () => {
  const card = { ...VISA, exp_month: 1, exp_year: 2030 }
  const february = Date.UTC(2030, 1) / 1000
  assert.is(issuerOfApproved(card, false, february - 1).kind, 'approve')
  const expired = { kind: 'decline', code: 'expired_card', decline_code: null }
  assert.equal(issuerOfApproved(card, false, february), expired)
  assert.equal(issuerOfApproved(card, true, february), expired)
})

test('a decline tells the buyer, the merchant and the payment it failed', () => {
  const failure = cardFailure({ kind: 'decline', code: 'card_declined', decline_code: 'lost_card' })
  assert.equal(
    [failure.code, failure.decline_code, failure.retryable, failure.advice],
    ['card_declined', 'lost_card', false, 'do_not_retry'],
  )
  const payment = aPayment(context)
  const { code, message, details } = declineRefusal(failure, payment)
  assert.equal(
    [code, message, details],
    ['card_declined', failure.message, { decline_code: 'lost_card', payment }],
  )
})

test.run()
