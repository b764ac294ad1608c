import { api } from '../../../src/api/index.ts'
import { testRefusals } from '../../support/domain-errors.ts'
import { CARDS, newCheckout, newPaymentSession } from '../../support/samples.ts'
import { CVC, createSandbox, refusal } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/completing')

const CARD = { number: CARDS.visa, exp_month: 12, exp_year: 2031, cvc: CVC }

testRefusals(test, {
  operation: api.paymentSessions.complete,
  prepare: async (sandbox) => ({ id: (await newPaymentSession(sandbox)).id, body: { card: CARD } }),
  table: `
  no card                               card_number_missing     at test_card
  card = null                           card_number_missing     at test_card
  card = "visa"                         parameter_invalid_type
  test_card = "visa"                    parameters_exclusive
  test_card = "gold"                    parameter_invalid_enum
  three_d_secure = "maybe"              parameter_invalid_enum
  three_d_secure = true                 parameter_invalid_type
  no card[number]                       card_number_missing     at card[number]
  card[number] = ""                     card_number_missing
  card[number] = true                   parameter_invalid_type
  card[number] = "4242"                 incorrect_number
  no card[exp_month]                    invalid_expiry_month
  card[exp_month] = 13                  invalid_expiry_month
  card[exp_month] = 0                   invalid_expiry_month
  card[exp_month] = "March"             invalid_expiry_month
  card[exp_year] = 2023                 invalid_expiry_year
  card[exp_year] = "next"               invalid_expiry_year
  card[cvc] = "12"                      invalid_cvc
  card[cvc] = "12a"                     invalid_cvc
  card[numbr] = "x"                     parameter_unknown     try number
  card[name] = 7                        parameter_invalid_type
  test_crad = "visa"                    parameter_unknown     try test_card
  `,
})

test('faults of a card are told all at once, each at its place in the body', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const { errors } = await refusal(sandbox.call(api.paymentSessions.complete, { id, card: {} }))
  assert.equal(
    errors.map(({ code, param }) => `${code} ${param}`),
    [
      'card_number_missing card[number]',
      'invalid_expiry_month card[exp_month]',
      'invalid_expiry_year card[exp_year]',
      'invalid_cvc card[cvc]',
    ],
  )
})

test('a test card whose number is wrong on purpose is told by its alias', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const { code, param } = await refusal(
    sandbox.call(api.paymentSessions.complete, { id, test_card: 'bad_luhn' }),
  )
  assert.equal([code, param], ['incorrect_number', 'test_card'])
})

test('a missing card is asked for with an example', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const { message } = await refusal(sandbox.call(api.paymentSessions.complete, { id }))
  assert.is(
    message,
    `A card is needed to complete payment_session '${id}'. Give test_card, such as 'visa', or a card with its number, expiry and security code.`,
  )
})

test('a card is taken as text or as numbers, with its name', async () => {
  const sandbox = createSandbox()
  for (const card of [CARD, { number: '4242 4242 4242 4242', exp_month: '01', exp_year: '31', cvc: '739' }]) {
    const { id } = await newCheckout(sandbox)
    const done = await sandbox.call(api.checkoutSessions.complete, {
      id,
      card: { ...card, name: 'A. Lovelace' },
    })
    assert.is(done.status, 'complete')
    const methodId = 'payment_method' in done ? done.payment_method : null
    const method = await sandbox.call(api.paymentMethods.retrieve, { id: methodId ?? '' })
    assert.equal(method.billing_details, { name: 'A. Lovelace', email: 'ada@example.com' })
    assert.equal([method.card.last4, method.card.exp_year], ['4242', 2031])
  }
})

test('3-D Secure is approved unless told otherwise, and leaves no wait behind', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  const call = (answer: object) =>
    sandbox.call(api.checkoutSessions.complete, { id, test_card: 'sca_always', ...answer })
  const { code, details } = await refusal(call({ three_d_secure: 'reject' }))
  assert.is(code, 'authentication_failed')
  assert.is((details.payment as { status?: string } | null)?.status, 'failed')
  assert.is((await call({})).status, 'complete')
  assert.equal((await sandbox.snapshot()).records.authentications, [])
})

test('an unknown session is 404', async () => {
  const sandbox = createSandbox()
  for (const { complete } of [api.checkoutSessions, api.paymentSessions]) {
    const { code, param } = await refusal(sandbox.call(complete, { id: 'cks_nobody', test_card: 'visa' }))
    assert.equal([code, param], ['resource_missing', 'id'])
  }
})

test('a session of the other kind is 404', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  assert.is(
    (await refusal(sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' }))).param,
    'id',
  )
})

test.run()
