import { createErrorReport } from '../../../src/cli/output/error-report.ts'
import type { ApiError } from '../../../src/client/api-error.ts'
import { createApiError } from '../../support/api-errors.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/error-hints')

test('suggests another card after a declined payment', () => {
  const hintOf = (more: Partial<ApiError['error']>, flags = ['payment-method', 'paid-out-of-band']) =>
    createErrorReport(createApiError(402, 'card_error', { code: 'card_declined', ...more }), {
      command: 'paycli',
      flags,
    }).hint ?? ''
  assert.match(hintOf({}), '--card visa')
  assert.match(hintOf({ payment: { invoice: null, customer: 'cus_1' } }), '--card visa')
  const payment = { invoice: 'in_1', customer: 'cus_1', next_action: null }
  assert.match(hintOf({ payment }), /--payment-method.*paycli cards list cus_1.*--paid-out-of-band/)
  assert.match(hintOf({ code: 'authentication_required', payment }), '--on-session')
  const saved = { origin: 'api', invoice: null, customer: 'cus_1', next_action: null }
  const hint = 'Charge another card with --payment-method (list them: paycli cards list cus_1).'
  assert.is(hintOf({ payment: saved }, ['payment-method', 'on-session']), hint)
})

test('suggests a card, or payment out of band if the command supports it, when the customer has no card', () => {
  const message = "Customer 'cus_4bT9' has no default card."
  const error = createApiError(400, 'invalid_request_error', { code: 'payment_method_missing', message })
  const hintOf = (flags: string[]) => createErrorReport(error, { command: 'paycli', flags }).hint
  const choose = 'Choose a card with --payment-method (list them: paycli cards list cus_4bT9)'
  const save = 'Save one: paycli cards update cus_4bT9'
  assert.is(hintOf(['payment-method']), `${choose}. ${save}`)
  assert.is(
    hintOf(['payment-method', 'paid-out-of-band']),
    `${choose}, or mark the invoice paid with --paid-out-of-band. ${save}`,
  )
})

test('does not suggest a customer id as the test clock of a new customer', () => {
  const message = "Customer 'cus_4bT9' is already on test clock 'clock_4bT9'."
  const error = createApiError(400, 'invalid_request_error', { code: 'customer_has_clock', message })
  assert.match(createErrorReport(error, { command: 'paycli' }).hint ?? '', / --test-clock <[a-z-]+>$/)
})

test('names the resource of an id that belongs to another resource', () => {
  const hintOf = (id: string) => {
    const message = `No such customer: '${id}'. List existing objects with GET /v1/customers.`
    const error = createApiError(404, 'invalid_request_error', { code: 'resource_missing', message })
    return createErrorReport(error, { command: 'paycli' }).hint
  }
  assert.is(
    hintOf('py_4bT9'),
    'Ids that start with py_ belong to payments. See the object: paycli get py_4bT9',
  )
  assert.match(hintOf('sub_abc') ?? '', /^Ids that start with sub_ belong to subscriptions\./)
  assert.is(hintOf('cus_4bT9'), 'List them: paycli customers list')
})

test.run()
