import { api } from '../../../src/api/api.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { CARDS, newCustomer, newPaymentSession } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, START, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/payment-sessions')

const body = (customer: string) => ({
  amount: 1000,
  currency: 'eur',
  customer,
  payment_method_types: ['card'],
  return_url: 'https://example.com/return',
})

testDomainErrors(test, {
  operation: api.paymentSessions.create,
  prepare: async (sandbox) => ({ body: body((await newCustomer(sandbox)).id) }),
  table: `
  no amount                             parameter_missing
  amount = 0                            amount_too_small
  amount = 1000000000000                amount_too_large
  no currency                           parameter_missing
  currency = "xxx"                      currency_invalid
  currency = "chw"                      currency_invalid
  no customer                           parameter_missing
  customer = "cus_nobody"               resource_missing
  payment_method_types = []             parameter_invalid_array
  payment_method_types[0] = "ideal"     payment_method_type_unsupported
  payment_method_types[0] = null        parameter_invalid_type
  return_url = "example.com"            url_invalid
  return_url = "https://user@host"      url_invalid
  return_url = "https://a b"            url_invalid
  return_url = "https://a/\\nb"         url_invalid
  return_url = "https://a/\\tb"         url_invalid
  return_url = "https://a/ "            url_invalid
  return_url = url(2049)                url_invalid
  description = text(5001)              parameter_invalid_string
  description = "\\u001b[31mred"        parameter_invalid_string
  client_reference_id = text(201)       parameter_invalid_string
  locale = "nl"                         parameter_invalid_enum
  expires_at = ${START + 1799}          expires_at_out_of_range
  expires_at = ${START + 70 * DAY + 1}  expires_at_out_of_range
  metadata = keys(51)                   metadata_invalid
  capture_method = "later"              parameter_invalid_enum
  save_payment_method = "yes"           parameter_invalid_type
  amout = 1                             parameter_unknown     try amount
  `,
})

test('accepts amounts of up to 12 digits, and a decimal fraction of zero', async () => {
  const sandbox = createSandbox()
  for (const amount of [1, 1000.0, 999_999_999_999]) {
    assert.is((await newPaymentSession(sandbox, { amount })).amount, amount)
  }
})

test('a session accepts only cards and has no return URL by default', async () => {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const session = await sandbox.call(api.paymentSessions.create, { amount: 1, currency: 'eur', customer })
  assert.equal([session.payment_method_types, session.return_url], [['card'], null])
})

test('rejects a session for a deleted customer with the customer id in the error message', async () => {
  const sandbox = createSandbox()
  const { id } = await newCustomer(sandbox)
  await sandbox.call(api.customers.delete, { id })
  const { code, param, message } = await catchDomainError(newPaymentSession(sandbox, { customer: id }))
  assert.equal([code, param], ['resource_missing', 'customer'])
  assert.is(message, `Customer '${id}' was deleted. Create a new customer and use its id.`)
})

test('a failed payment does not change its session, and the filter by session lists the payment', async () => {
  const sandbox = createSandbox()
  const session = await newPaymentSession(sandbox)
  const { details } = await catchDomainError(sandbox.submit(session.id, typed(CARDS.broke)))
  assert.equal(await sandbox.call(api.paymentSessions.retrieve, { id: session.id }), session)
  const { data } = await sandbox.call(api.payments.list, { payment_session: session.id })
  assert.equal(details.payment, data[0])
  assert.equal(
    [data[0]?.failure_code, data[0]?.decline_code, data[0]?.outcome.advice],
    ['card_declined', 'insufficient_funds', 'try_again_later'],
  )
})

test('does not save the card of a payment session by default', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newPaymentSession(sandbox)
  await sandbox.submit(id, typed(CARDS.visa))
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  assert.equal(data, [])
})

test.run()
