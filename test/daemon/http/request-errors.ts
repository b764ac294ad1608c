import { api } from '../../../src/api/api.ts'
import { createClock, newCustomerOnClock } from '../../support/clocks.ts'
import { sendRawText, sendRequest } from '../../support/raw-http.ts'
import { newCustomer, RENT } from '../../support/samples.ts'
import { DAY, START } from '../../support/sandbox.ts'
import type { Provoke } from './provoke-error.ts'

/** Returns a function that creates a customer with the given fields. */
const customer =
  (fields: object): Provoke =>
  ({ post }) =>
    post('/v1/customers', fields)

const checkout =
  (terms: object, fields: object = {}): Provoke =>
  async ({ post, sandbox }) =>
    post('/v1/checkout_sessions', {
      ...{ currency: 'eur', customer: (await newCustomer(sandbox)).id, ...fields },
      subscription_data: { interval: 'month', items: [RENT], ...terms },
    })

const payment =
  (fields: object): Provoke =>
  async ({ post, sandbox }) =>
    post('/v1/payment_sessions', {
      ...{ amount: 1000, currency: 'eur', customer: (await newCustomer(sandbox)).id },
      ...{ payment_method_types: ['card'], return_url: 'https://example.com/', ...fields },
    })

const card =
  (options: object): Provoke =>
  async (target) => {
    const { id } = JSON.parse((await payment({})(target)).text)
    const valid = { number: '4242424242424242', exp_month: 12, exp_year: 2099, cvc: '123' }
    return target.post(`/v1/test_helpers/payment_sessions/${id}/complete`, { card: { ...valid, ...options } })
  }

/** Errors caused by the request itself, by code. */
export const REQUEST_ERRORS: Readonly<Record<string, Provoke>> = {
  invalid_json: ({ post }) => post('/v1/customers', '{"email":'),
  parameter_missing: customer({}),
  parameter_unknown: customer({ email: 'ada@example.com', nmae: 'Ada' }),
  parameter_invalid_type: customer({ email: 7 }),
  parameter_invalid_integer: payment({ amount: '1000' }),
  parameter_invalid_enum: checkout({ interval: 'decade' }),
  parameter_invalid_string: customer({ email: 'ada@example.com', name: '' }),
  parameter_invalid_array: checkout({ items: [] }),
  parameters_exclusive: ({ get }) => get('/v1/customers?starting_after=cus_1&ending_before=cus_2'),
  metadata_invalid: customer({ email: 'ada@example.com', metadata: { 'a[b]': 'c' } }),
  email_invalid: customer({ email: 'ada' }),
  url_invalid: payment({ return_url: 'ftp://example.com' }),
  fault_header_invalid: ({ get }) => get('/v1/customers', { 'Paycli-Fault': 'drop' }),
  currency_invalid: payment({ currency: 'EUR' }),
  currency_mismatch: checkout({ items: [{ ...RENT, price_data: { amount: 1, currency: 'usd' } }] }),
  operation_unknown: ({ post }) =>
    post('/v1/test_helpers/faults', { type: 'error', match: { operation: 'orders.*' } }),
  timestamp_invalid: checkout({ start_date: START * 1000 }),
  tax_percent_invalid: checkout({ items: [{ ...RENT, price_data: { amount: 1, tax_percent: 101 } }] }),
  amount_too_small: payment({ amount: 0 }),
  amount_too_large: payment({ amount: 1_000_000_000_000 }),
  payment_method_type_unsupported: payment({ payment_method_types: ['cheque'] }),
  interval_count_out_of_range: checkout({ interval_count: 37 }),
  expires_at_out_of_range: payment({ expires_at: START + 60 }),
  days_until_due_not_allowed: checkout({ days_until_due: 7 }),
  trial_missing: checkout({ trial_settings: { missing_payment_method: 'pause' } }),
  event_type_unknown: ({ post }) =>
    post('/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/', enabled_events: ['customer.sneezed'] }),
  resource_missing: ({ get }) => get('/v1/customers/cus_none'),
  test_clock_not_forward: async ({ post, sandbox }) => {
    const { id } = await createClock(sandbox)
    return post(`/v1/test_helpers/test_clocks/${id}/advance`, { frozen_time: START })
  },
  test_clock_too_far: async ({ post, sandbox }) => {
    const { id } = await createClock(sandbox)
    return post(`/v1/test_helpers/test_clocks/${id}/advance`, { frozen_time: START + 4000 * DAY })
  },
  customer_has_clock: async ({ post, sandbox }) => {
    const { customer } = await newCustomerOnClock(sandbox)
    return post('/v1/test_helpers/test_clocks', { frozen_time: START, customer })
  },
  card_number_missing: async (target) => {
    const { id } = JSON.parse((await payment({})(target)).text)
    return target.post(`/v1/test_helpers/payment_sessions/${id}/complete`, {})
  },
  invalid_expiry_month: card({ exp_month: 13 }),
  invalid_expiry_year: card({ exp_year: 1999 }),
  invalid_cvc: card({ cvc: '1' }),
  incorrect_number: card({ number: '4242424242424241' }),
  request_malformed: ({ served }) => sendRawText(served.apiUrl, 'what is this\r\n\r\n'),
  host_not_allowed: ({ served }) =>
    sendRequest(`${served.apiUrl}/v1/customers`, { headers: { Host: 'evil.test' } }),
  api_key_missing: ({ served }) => sendRequest(`${served.apiUrl}/v1/customers`),
  api_key_invalid: ({ get }) => get('/v1/customers', { Authorization: 'Bearer paysk_test_none' }),
  live_key_refused: ({ get }) => get('/v1/customers', { Authorization: 'Bearer sk_live_none' }),
  api_key_expired: async ({ get, sandbox }) => {
    const { secret } = await sandbox.call(api.apiKeys.create, { expires_at: START + 60 })
    sandbox.setClock(START + 60)
    return get('/v1/customers', { Authorization: `Bearer ${secret}` })
  },
  insufficient_scope: async ({ get, sandbox }) => {
    const { secret } = await sandbox.call(api.apiKeys.create, { scopes: ['refunds:read'] })
    return get('/v1/customers', { Authorization: `Bearer ${secret}` })
  },
  route_not_found: ({ get }) => get('/v1/nothing'),
  method_not_allowed: ({ post }) => post('/v1/events', {}),
  request_too_large: customer({ email: 'x'.repeat(300_000) }),
  uri_too_long: ({ get }) => get(`/v1/customers?email=${'x'.repeat(8192)}`),
  unsupported_media_type: ({ post }) => post('/v1/customers', {}, { 'Content-Type': 'text/plain' }),
  idempotency_key_invalid: ({ post }) => post('/v1/customers', {}, { 'Idempotency-Key': '' }),
  idempotency_key_reused: async ({ post }) => {
    const headers = { 'Idempotency-Key': 'k' }
    await post('/v1/customers', { email: 'ada@example.com' }, headers)
    return post('/v1/customers', { email: 'eve@example.com' }, headers)
  },
}
