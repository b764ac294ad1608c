import { customers } from '../../../src/api/operations/customers.ts'
import { ERROR_DEFINITIONS } from '../../../src/api/schema/errors.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import {
  createErrorReport,
  formatJsonErrorReport,
  formatTextErrorReport,
} from '../../../src/cli/output/error-report.ts'
import { getExitCode } from '../../../src/cli/output/exit-codes.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import { type Params, requireParams } from '../../../src/cli/parse/params.ts'
import { getCheckoutParams } from '../../../src/cli/sessions/checkout-params.ts'
import {
  ConnectionError,
  createTimeoutError,
  toConnectionError,
} from '../../../src/client/connection-error.ts'
import { createApiError } from '../../support/api-errors.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/error-report')
const BASE = 'http://127.0.0.1:4100'
const PLAIN = createStyle(false)

/** Error codes about the state of an object. */
const STATE_ERRORS: readonly string[] = [
  'subscription_unexpected_state',
  'payment_method_missing',
  'payment_not_refundable',
  'payment_already_refunded',
  'payment_processing',
  'customer_deleted',
  'customer_has_clock',
  'customer_has_objects',
  'test_clock_advancing',
  'test_clock_deleted',
  'test_clock_failed',
]

function invalidRequest(more: Parameters<typeof createApiError>[2], status = 400) {
  return createApiError(status, 'invalid_request_error', more)
}

/** Reports an error of a command without flags. */
function reportOf(error: unknown) {
  return createErrorReport(error, { command: 'paycli' })
}

const CODES: readonly (readonly [error: unknown, code: number, type: string])[] = [
  [new Error('bug'), 1, 'unexpected_error'],
  ['thrown text', 1, 'unexpected_error'],
  [new UsageError('flag_invalid', 'No.'), 2, 'usage_error'],
  [new ConnectionError('not_paycli', BASE, { problem: 'p', hint: 'h' }), 3, 'connection_error'],
  [createApiError(401, 'authentication_error'), 4, 'authentication_error'],
  [createApiError(403, 'permission_error'), 4, 'permission_error'],
  [invalidRequest({ code: 'resource_missing' }, 404), 5, 'invalid_request_error'],
  [createApiError(409, 'idempotency_error'), 5, 'idempotency_error'],
  [createApiError(402, 'card_error', { code: 'card_declined' }), 6, 'card_error'],
  ...STATE_ERRORS.map((code) => [invalidRequest({ code }), 6, 'invalid_request_error'] as const),
  [invalidRequest({ code: 'test_clock_not_forward' }), 5, 'invalid_request_error'],
  [new UsageError('payment_unexpected_state', 'No.'), 6, 'usage_error'],
  [createTimeoutError(BASE, 1000), 7, 'connection_error'],
]

for (const [error, code, type] of CODES) {
  const name = error instanceof Error ? `${error.name} ${reportOf(error).code}` : String(error)
  test(`reports ${name} as ${type} with exit code ${code}`, () => {
    assert.is(getExitCode(reportOf(error)), code)
    const report = reportOf(error)
    assert.is(report.type, type)
    const parsed = JSON.parse(formatJsonErrorReport(report)).error
    assert.equal(Object.keys(parsed).slice(0, 5), ['type', 'code', 'message', 'param', 'hint'])
  })
}

test('masks keys and card numbers of the command line, and refers to the help of the command', () => {
  const error = new UsageError('argument_unknown', "Unexpected arguments 'paysk_test_1', '4242424242424242'.")
  const { message, hint } = createErrorReport(error, { command: 'paycli customers list' })
  assert.match(message, /^Unexpected arguments 'paysk_test_…', '(?!4242424242424242)/)
  assert.is(hint, 'See paycli customers list --help')
})

test('explains how to write the missing value of a flag', () => {
  const hintOf = (example: string) =>
    createErrorReport(new UsageError('usage_invalid', 'Flag --email expects a value'), {
      command: 'paycli customers create',
      example,
    }).hint
  assert.is(hintOf('paycli x --email a@b.co'), 'For instance: paycli x --email a@b.co')
  assert.is(hintOf('paycli x'), 'Write the value after the flag: --email <value>')
})

test('explains how to get the missing input of each command', () => {
  const hintOf = (message: string, example: string) =>
    createErrorReport(new UsageError('flag_missing', message), { command: 'paycli x', example }).hint
  for (const [message, example, hint] of [
    [
      'Missing argument: id.',
      'paycli x we_4bT9…',
      'List the webhook endpoints: paycli webhooks endpoints list. ',
    ],
    ['The id is empty.', 'paycli x pm_4bT9…', 'List the payment methods: paycli cards list <customer>. '],
    [
      'Missing flags: --customer, --item.',
      'paycli x --customer cus_4bT9… --item Rent:1000',
      'Create a customer: paycli customers create --email ada@example.com. ',
    ],
    ['Missing flag: --payment.', 'paycli x --payment py_4bT9…', 'List the payments: paycli payments list. '],
    ['Missing flag: --item.', 'paycli x --customer cus_4bT9… --item Rent:1000', ''],
    ["Unexpected argument 'py_1': x has no such argument.", 'paycli x --payment py_4bT9…', ''],
    ['Missing flag: --email.', 'paycli x --email ada@example.com', ''],
  ] as const)
    assert.is(hintOf(message, example), `${hint}For instance: ${example}`)
})

test('prints a command instead of the request that an API message suggests', () => {
  const textOf = (message: string, hint: string | null) =>
    formatTextErrorReport({ ...reportOf(invalidRequest({ message })), hint }, PLAIN, Infinity)
  const message =
    "No such customer: 'cus_1'. Create one with POST /v1/customers, or list them with GET /v1/customers."
  const hint = 'List them: paycli customers list'
  assert.match(textOf(message, hint), /^Error: No such customer: 'cus_1'\.\nHint: {2}List them: /)
  assert.match(textOf(message, null), 'GET /v1/customers.')
  assert.match(
    JSON.parse(formatJsonErrorReport(reportOf(invalidRequest({ message })))).error.message,
    'GET /v1/customers.',
  )
})

/** Parameters of a customer, with the code and message of the error. */
const MISSING: readonly (readonly [given: Params, code: string, message: string])[] = [
  [{}, 'flag_missing', 'Missing flag: --email.'],
  [
    { emial: 'x@y.z' },
    'parameter_unknown',
    'Unknown parameter: emial. Did you mean email? Missing flag: --email.',
  ],
  [
    { 'E-Mail': 'x@y.z', nmae: 'Ada' },
    'parameter_unknown',
    'Unknown parameter: E-Mail. Did you mean email? Missing flag: --email.',
  ],
  [{ colour: 'red', size: 1 }, 'flag_missing', 'Missing flag: --email. Unknown parameters: colour, size.'],
]

for (const [given, code, message] of MISSING) {
  test(`reports '${message}' for the customer parameters ${JSON.stringify(given)}`, () => {
    const report = reportOf(usageErrorFrom(() => requireParams(customers.create.params, given)))
    assert.equal([report.code, report.message], [code, message])
  })
}

test('suggests names for misspelled fields of subscription_data', () => {
  const file = { customer: 'cus_1', currency: 'eur', subscription_data: { items: [{}], intervall: 'month' } }
  const error = usageErrorFrom(() => getCheckoutParams({}, file))
  assert.match(reportOf(error).message, /^Unknown parameter: intervall\. Did you mean interval\?/)
})

test('accepts unknown parameters when no required parameter is missing', () => {
  requireParams<unknown>(customers.create.params, { email: 'x@y.z', emial: 1 })
})

test('does not repeat a hint that the message contains', () => {
  const report = reportOf(toConnectionError('ECONNREFUSED', BASE))
  assert.is(
    formatTextErrorReport(report, PLAIN, Infinity),
    `Error: No paycli server at ${BASE}. Start one: paycli serve\n`,
  )
})

test('wraps messages at spaces with a hanging indent, and never breaks URLs', () => {
  const report = {
    ...reportOf(invalidRequest({ message: 'One two three four five six.' })),
    hint: 'Open the page: http://127.0.0.1:4101/checkout/cks_1',
  }
  assert.is(
    formatTextErrorReport(report, PLAIN, 24),
    `Error: One two three
       four five six.
Hint:  Open the page:
       http://127.0.0.1:4101/checkout/cks_1
       some_code ·
       status 400 ·
       req_1
`,
  )
})

test('keeps the indentation of a long line in a hint', () => {
  const report = {
    ...reportOf(new UsageError('app_not_started', 'No.')),
    hint: 'Output:\n    at handle (/srv/app.js:12:3)',
  }
  assert.is(
    formatTextErrorReport(report, PLAIN, 30),
    'Error: No.\nHint:  Output:\n           at handle\n           (/srv/app.js:12:3)\n',
  )
})

test('after a POST without a response, suggests repeating the command with the same idempotency key', () => {
  const error = createTimeoutError(BASE, 1000, "it's mine")
  const { message, hint, idempotency_key } = createErrorReport(error, {
    command: 'paycli customers create',
    flags: ['email', 'idempotency-key'],
  })
  assert.is(message, `${BASE} did not respond within 1 s. The request may have been processed.`)
  assert.is(
    hint,
    "Repeat the command with --idempotency-key 'it'\\''s mine'. The request is then processed only once.",
  )
  assert.is(idempotency_key, "it's mine")
  const other = createErrorReport(error, { command: 'paycli demo' })
  assert.match(other.message, "Repeat it with the idempotency key it's mine")
  assert.is(other.idempotency_key, "it's mine")
})

test('prints all validation errors, the status and the request id', () => {
  const errors = ['First.', 'Second.'].map((message) => ({ code: 'some_code', message, param: null }))
  const report = reportOf(invalidRequest({ message: 'First.', errors }))
  assert.is(
    formatTextErrorReport(report, PLAIN, Infinity),
    'Error: First.\n       Second.\n       some_code · status 400 · req_1\n',
  )
})

test('prints the suggestion of an API error as a hint unless the message contains the suggestion', () => {
  const hintOf = (message: string) => reportOf(invalidRequest({ message, suggestion: 'email' })).hint
  assert.is(hintOf('Unknown parameter: emial.'), "Did you mean 'email'?")
  assert.is(hintOf("Unknown parameter: emial. Did you mean 'email'?"), null)
})

test('prints the URL of the page on which the cardholder approves the payment', () => {
  const url = 'http://127.0.0.1:4101/3ds/py_1'
  const next_action = { type: 'redirect_to_url', redirect_to_url: { url } }
  const payment = { id: 'py_1', invoice: 'in_1', customer: 'cus_1', next_action }
  const error = createApiError(402, 'card_error', { code: 'authentication_required', payment })
  const report = reportOf(error)
  assert.is(report.approve_url, url)
  assert.match(
    formatTextErrorReport(report, PLAIN, Infinity),
    `The cardholder must approve the payment at ${url}, or use paycli payments authenticate py_1`,
  )
  assert.is(JSON.parse(formatJsonErrorReport(report)).error.approve_url, url)
})

test('inserts the id from the error message into the hint', () => {
  for (const [code, message, hint] of [
    [
      'payment_session_unexpected_state',
      "payment_session 'py_sess_1' is",
      'paycli payment-sessions retrieve py_sess_1',
    ],
    ['payment_already_refunded', "Payment 'py_1' has been", 'paycli refunds list --payment py_1'],
    ['payment_not_refundable', 'No.', 'paycli payments list --status succeeded'],
    ['test_clock_advancing', "Test clock 'clock_1' is", 'paycli clock retrieve clock_1'],
    ['invoice_unexpected_state', "It is not 'open'.", 'paycli invoices retrieve <id>'],
  ] as const)
    assert.match(reportOf(invalidRequest({ code, message })).hint ?? '', hint)
})

test('lists only state errors that exist in the error catalog', () => {
  for (const code of [...STATE_ERRORS, 'test_clock_not_forward']) assert.ok(code in ERROR_DEFINITIONS, code)
})

test('prints no raw control characters of API error messages', () => {
  const message = 'No \u001b[31mred\u001b[0m \u202etxet\u202c \u0007 here.'
  const report = reportOf(invalidRequest({ message, request_id: '\u009b2J' }))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern of characters that must not occur
  const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/
  assert.not.match(formatTextErrorReport(report, PLAIN, Infinity), harmful)
  assert.not.match(formatJsonErrorReport(report), harmful)
  assert.is(JSON.parse(formatJsonErrorReport(report)).error.message, message, 'the JSON value is unchanged')
})

test.run()
