import { api } from '../../../src/api/api.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { CARDS, newCheckout, newPaymentSession } from '../../support/samples.ts'
import { CVC, catchDomainError, createSandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/complete-session')

const CARD = { number: CARDS.visa, exp_month: 12, exp_year: 2031, cvc: CVC }

testDomainErrors(test, {
  operation: api.paymentSessions.complete,
  prepare: async (sandbox) => ({ id: (await newPaymentSession(sandbox)).id, body: { card: CARD } }),
  table: `
  no card                               card_number_missing     at test_card
  card = null                           card_number_missing     at test_card
  card = "visa"                         parameter_invalid_type
  test_card = "visa"                    parameters_exclusive
  test_card = "gold"                    parameter_invalid_enum
  three_d_secure = "maybe"              parameter_invalid_enum
  no card[number]                       card_number_missing     at card[number]
  card[number] = ""                     card_number_missing
  card[number] = true                   parameter_invalid_type
  card[number] = "4242"                 incorrect_number
  no card[exp_month]                    invalid_expiry_month
  card[exp_month] = 13                  invalid_expiry_month
  card[exp_month] = 0                   invalid_expiry_month
  card[exp_month] = "March"             invalid_expiry_month
  no card[exp_year]                     invalid_expiry_year
  card[exp_year] = 2023                 invalid_expiry_year
  card[exp_year] = "next"               invalid_expiry_year
  no card[cvc]                          invalid_cvc
  card[cvc] = "12"                      invalid_cvc
  card[cvc] = "12a"                     invalid_cvc
  card[name] = 7                        parameter_invalid_type
  test_crad = "visa"                    parameter_unknown     try test_card
  `,
})

test('the error for a rejected test card alias names the parameter test_card', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  const { code, param } = await catchDomainError(
    sandbox.call(api.paymentSessions.complete, { id, test_card: 'bad_luhn' }),
  )
  assert.equal([code, param], ['incorrect_number', 'test_card'])
})

for (const [type, missing] of [
  ['card', "a card. Give test_card, such as 'visa', or a card with its number, expiry and security code."],
  [
    'sepa_debit',
    "a bank account. Give test_card with the alias of a test bank account, such as 'sepa_debit'.",
  ],
] as const)
  test(`suggests a value of test_card that a session with the type ${type} accepts`, async () => {
    const sandbox = createSandbox()
    const { id } = await newPaymentSession(sandbox, { payment_method_types: [type] })
    const { message } = await catchDomainError(sandbox.call(api.paymentSessions.complete, { id }))
    assert.is(message, `Cannot complete payment_session '${id}' without ${missing}`)
  })

test('accepts card fields as strings or integers', async () => {
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
    assert.equal([method.card?.last4, method.card?.exp_year], ['4242', 2031])
  }
})

test('approves 3-D Secure by default and deletes the pending authentication', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  const call = (more: object) =>
    sandbox.call(api.checkoutSessions.complete, { id, test_card: 'sca_always', ...more })
  const { code, details } = await catchDomainError(call({ three_d_secure: 'reject' }))
  assert.is(code, 'authentication_failed')
  assert.is((details.payment as { status?: string } | null)?.status, 'failed')
  assert.is((await call({})).status, 'complete')
  assert.equal((await sandbox.snapshot()).records.authentications, [])
})

test('returns 404 for an unknown session', async () => {
  const sandbox = createSandbox()
  for (const { complete } of [api.checkoutSessions, api.paymentSessions]) {
    const { code, param } = await catchDomainError(
      sandbox.call(complete, { id: 'cks_nobody', test_card: 'visa' }),
    )
    assert.equal([code, param], ['resource_missing', 'id'])
  }
})

test('returns 404 when the id belongs to the other type of session', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox)
  assert.is(
    (await catchDomainError(sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' }))).param,
    'id',
  )
})

test('saves a submitted card for a trial that requires no card, and returns 402 for a declined card', async () => {
  const sandbox = createSandbox()
  const optional = { payment_method_collection: 'if_required' } as const
  const { id, customer } = await newCheckout(sandbox, { trial_days: 14 }, optional)
  const complete = (test_card: 'declined' | 'sca_setup', three_d_secure: 'approve' | 'reject') =>
    sandbox.call(api.checkoutSessions.complete, { id, test_card, three_d_secure })
  assert.is((await catchDomainError(complete('declined', 'approve'))).code, 'card_declined')
  assert.is((await catchDomainError(complete('sca_setup', 'reject'))).code, 'authentication_failed')
  const done = await complete('sca_setup', 'approve')
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  assert.equal([done.status, done.payment_method], ['complete', data[0]?.id])
})

test.run()
