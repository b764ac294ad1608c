import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_DEFINITIONS } from '../../../src/api/schema/errors.ts'
import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { createErrorReport, formatTextErrorReport } from '../../../src/cli/output/error-report.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import type { ApiError } from '../../../src/client/api-error.ts'
import { createApiError } from '../../support/api-errors.ts'
import { ROOT } from '../../support/root.ts'
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

test('does not suggest waiting when a sandbox is full', () => {
  const error = createApiError(429, 'rate_limit_error', { code: 'sandbox_quota_exceeded' })
  const { hint } = createErrorReport(error, { command: 'paycli' })
  assert.match(hint ?? '', /--sandbox default.*paycli sandboxes delete <id>/)
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
    'Ids that start with py_ belong to payments. Give an id that starts with cus_. See the object: paycli get py_4bT9',
  )
  assert.match(hintOf('sub_abc') ?? '', /^Ids that start with sub_ belong to subscriptions\./)
  assert.is(hintOf('cus_4bT9'), 'List them: paycli customers list')
  assert.is(hintOf('2026-01-31'), 'Give an id that starts with cus_. List them: paycli customers list')
})

test('suggests the same command for the resource of an id', () => {
  const hintOf = (id: string) => {
    const message = `No such checkout_session: '${id}'.`
    const error = createApiError(404, 'invalid_request_error', {
      code: 'resource_missing',
      message,
      param: 'id',
    })
    const findCommandOf = (topic: string, given: string) =>
      topic === 'customers' ? null : `paycli ${topic} complete ${given}`
    return createErrorReport(error, { command: 'paycli checkout complete', findCommandOf })
  }
  assert.match(hintOf('py_sess_1').hint ?? '', /Use: paycli payment-sessions complete py_sess_1$/)
  assert.match(
    hintOf('cus_1').hint ?? '',
    /starts with cks_\. List the checkout sessions of the customer: paycli checkout list --customer cus_1$/,
  )
  assert.is(hintOf('cus_1').message, "No such checkout session: 'cus_1'.")
})

const MESSAGES: readonly (readonly [param: string, message: string, printed: string, hint: string | null])[] =
  [
    [
      'amount',
      'amount must be from 1 to 9, but 0 was given.',
      '--amount must be from 1 to 9, but 0 was given.',
      null,
    ],
    [
      'frozen_time',
      'The target is too far. Advance at most to 2082758400 (2036-01-01T00:00:00Z).',
      'The target is too far. Advance at most to 2036-01-01T00:00:00Z.',
      null,
    ],
    [
      'currency',
      "currency 'euro' is invalid. Use 'eur'.",
      "--currency 'euro' is invalid. Use --currency eur.",
      null,
    ],
    [
      'email',
      "email 'foo' is not an address such as a@b.co.",
      "--email 'foo' is not an address such as a@b.co.",
      'For instance: --email a@b.co',
    ],
    [
      'test_card',
      "It has no card. Give test_card, such as 'visa', or a number.",
      "It has no card. Give --card, such as 'visa', or a number.",
      null,
    ],
    [
      'limit',
      'limit must be from 1 to 100, but 500 was given.',
      '--limit must be from 1 to 100, but 500 was given.',
      'Use --limit 100, or --all for all pages.',
    ],
    [
      'enabled_events[0]',
      "Unknown event type 'invoice.payd'. There are invoice.created.",
      "Unknown event type 'invoice.payd'.",
      'Did you mean invoice.paid?',
    ],
  ]

for (const [param, message, printed, hint] of MESSAGES) {
  test(`names flags instead of parameters in '${message}'`, () => {
    const flags = ['amount', 'currency', 'email', 'card', 'limit', 'all', 'enabled-events']
    const error = createApiError(400, 'invalid_request_error', { code: 'x', param, message })
    const report = createErrorReport(error, { command: 'paycli', flags })
    assert.equal([report.message, report.hint], [printed, hint])
  })
}

const COMMANDS: Readonly<Record<string, { readonly examples?: readonly string[] }>> = JSON.parse(
  readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'),
).commands

/** Returns every error with a hint of its own: errors of the API, and missing input of each command. */
function reportsWithHints() {
  const ofCodes = Object.keys(ERROR_DEFINITIONS).map((code) => {
    const message =
      "No such customer: 'cus_4bT9rWqLx2NcVzKd8Yh3JmPa'. List existing objects with GET /v1/customers."
    const error = createApiError(404, 'invalid_request_error', { code, message })
    return createErrorReport(error, { command: 'paycli', flags: ['payment-method', 'paid-out-of-band'] })
  })
  const ofCommands = Object.entries(COMMANDS).map(([id, { examples = [] }]) => {
    const command = `paycli ${id.replaceAll(':', ' ')}`
    const example = examples[0]?.replace('<%= config.bin %> <%= command.id %>', command)
    return createErrorReport(new UsageError('argument_missing', 'Missing argument: id.'), {
      command,
      example,
    })
  })
  return [...ofCodes, ...ofCommands]
}

test('every error fits 80 columns, except URLs on lines of their own', () => {
  const [path] = [process.env['PATH']]
  process.env['PATH'] = ''
  for (const report of reportsWithHints()) {
    const lines = formatTextErrorReport(report, createStyle(false), 80).split('\n')
    const tooLong = lines.filter((line) => line.length > 80 && line.trim().includes(' '))
    assert.equal(tooLong, [], report.hint ?? report.message)
  }
  process.env['PATH'] = path
})

test.run()
