import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { findFlag, replaceParams } from '../../../src/cli/parse/error-flags.ts'
import { MESSAGES } from '../../support/messages.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const GLOBAL = Object.keys(BaseCommand.baseFlags)

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
const EVERY_FLAG = Object.values(commands).flatMap((command) => Object.keys(Object(command).flags))

/** Returns the sentence with a flag in a message, up to the flag. */
function shortened(message: string): string {
  return message
    .slice(message.slice(0, message.indexOf('--')).lastIndexOf('. ') + 1)
    .replace(/(.*--[a-z-]+).*/, '$1')
    .trim()
}

const FLAGS = [
  'email',
  'start-date',
  'item',
  'currency',
  'metadata',
  'subscription-metadata',
  'return-url',
  'created-gte',
  'card',
]

/** A parameter and its flag. */
const FOUND: readonly (readonly [param: string, flag: string | null])[] = [
  ['email', 'email'],
  ['return_url', 'return-url'],
  ['subscription_data[start_date]', 'start-date'],
  ['subscription_data[items][0][price_data][amount]', 'item'],
  ['subscription_data[items]', 'item'],
  ['subscription_data[metadata]', 'subscription-metadata'],
  ['metadata', 'metadata'],
  ['payment_method_types', null],
  ['created[gte]', 'created-gte'],
  ['test_card', 'card'],
  ['id', null],
]

/** An API error message, its parameter, and the message on the command line. */
const SAID: readonly (readonly [message: string, param: string | null, told: string])[] = [
  ["email 'x' is no address.", 'email', "--email 'x' is no address."],
  ['Missing required parameter: email.', 'email', 'Missing flag: --email.'],
  [
    'subscription_data[items][0][type] x is not one of: rent.',
    'subscription_data[items][0][type]',
    '--item x is not one of: rent.',
  ],
  ['start_date 9 is too far.', 'subscription_data[start_date]', '--start-date 9 is too far.'],
  [
    "'return_url' and 'email' stay what was typed.",
    'customer',
    "'return_url' and 'email' stay what was typed.",
  ],
  ['Give a return_url or a collection_method.', null, 'Give a --return-url or a collection_method.'],
  ["No such customer: 'cus_email'.", 'customer', "No such customer: 'cus_email'."],
]

/** API error messages on the command line of a command with these flags and the global ones. */
const OF_COMMANDS: readonly (readonly [
  flags: string,
  message: string,
  param: string | null,
  told: string,
])[] = [
  ['', "No such api_key: 'key_nope'. List them.", 'id', "No such api_key: 'key_nope'. List them."],
  ['', "Cannot roll api_key 'key_1': it is expired.", 'id', "Cannot roll api_key 'key_1': it is expired."],
  ['payment', "No such payment: 'py_nope'.", 'payment', "No such payment: 'py_nope'."],
  ['customer', "No such customer: 'cus_nope'.", 'customer', "No such customer: 'cus_nope'."],
  [
    'payment-method',
    "No such payment_method: 'pm_nope'.",
    'payment_method',
    "No such payment_method: 'pm_nope'.",
  ],
  ['test-clock', "No such test_clock: 'nope'.", 'test_clock', "No such test_clock: 'nope'."],
  [
    'default-payment-method',
    "No such payment_method: 'pm_1'.",
    'default_payment_method',
    "No such payment_method: 'pm_1'.",
  ],
  [
    'payment',
    "Payment 'py_1' is failed, and only succeeded payments can be refunded.",
    'payment',
    "Payment 'py_1' is failed, and only succeeded payments can be refunded.",
  ],
  [
    'amount',
    "Refund of 9 exceeds the remaining 5 of payment 'py_1'. Use at most 5, in minor units.",
    'amount',
    "Refund of 9 exceeds the remaining 5 of payment 'py_1'. Use at most 5, in minor units.",
  ],
  [
    'amount',
    'amount must be from 1 to 9, but 0 was given.',
    'amount',
    '--amount must be from 1 to 9, but 0 was given.',
  ],
  [
    'customer',
    "Customer 'cus_1' was deleted. Create a new customer and use its id.",
    'customer',
    "Customer 'cus_1' was deleted. Create a new customer and use its id.",
  ],
  [
    'checkout-session',
    "A payment of checkout_session 'cks_1' is still processing.",
    null,
    "A payment of checkout_session 'cks_1' is still processing.",
  ],
  [
    'description',
    'Give `description` on the session.',
    'description',
    'Give `--description` on the session.',
  ],
  ['profile', 'profile is not known.', 'profile', 'profile is not known.'],
  [
    'endpoint',
    "No enabled webhook endpoint is subscribed to 'x'. Set webhook_endpoint.",
    null,
    "No enabled webhook endpoint is subscribed to 'x'. Set --endpoint.",
  ],
  ['on-session', 'off_session must be true or false.', 'off_session', 'off_session must be true or false.'],
  ['at', 'frozen_time 5 is too early.', 'frozen_time', '--at 5 is too early.'],
  // These messages contain the name of a variable parameter, so MESSAGES does not contain them.
  ...(
    [
      ['at', 'frozen_time', 'frozen_time'],
      ['start-date', 'start_date', 'subscription_data[start_date]'],
      ['expires-at', 'expires_at', 'expires_at'],
    ] as const
  ).map(
    ([flag, name, param]) =>
      [flag, `${name} 17 looks like milliseconds.`, param, `--${flag} 17 looks like milliseconds.`] as const,
  ),
]

/** The sentences with flags, up to the flag, if one command had all flags. */
const REPLACED: readonly string[] = [
  'Create a new customer with --test-clock',
  'Create another customer with --test-clock',
  'Give --card',
  'Give --payment-method or --paid-out-of-band',
  'Give --starting-after or --ending-before',
  'Give `by` or `--at',
  'Give `card` or `--card',
  'Give card or --card',
  'Invalid --days-until-due x_1: it requires --collection-method',
  'Invalid --expires-at',
  'Invalid --expires-at x_1: it must be in the future. The current time is x_1 in Unix seconds. Give a later time or omit --expires-at',
  'Invalid --interval-count',
  'Invalid --start-date',
  'Missing target time: set --at',
  'Pay the invoice with --paid-out-of-band',
  'Save a card with a checkout session, pass a saved card as --payment-method, or set --paid-out-of-band',
  'Set --endpoint',
  'Set either --at',
  'To keep the subscription until the end of the paid period, update `--cancel-at-period-end',
  'To keep the subscription until the end of the paid period, update `--cancel-at-period-end',
]

const test = suite('cli/error-flags')

for (const [flags, message, param, told] of OF_COMMANDS) {
  test(`rewrites '${message}' to '${told}' for a command with the flags '${flags}'`, () => {
    assert.is(replaceParams(message, param, [...GLOBAL, ...flags.split(' ')]), told)
  })
}

test('replaces only parameter names by flags in API messages', () => {
  const told = MESSAGES.map((message) => replaceParams(message, null, EVERY_FLAG))
  const changed = told.filter((text, at) => text !== MESSAGES[at] && text.length < 300)
  assert.equal(changed.map(shortened).toSorted(), REPLACED)
})

for (const [param, flag] of FOUND) {
  test(`maps the parameter ${param} to ${flag === null ? 'no flag' : `--${flag}`}`, () =>
    assert.is(findFlag(param, FLAGS), flag))
}

for (const [message, param, told] of SAID) {
  test(`rewrites '${message}' to '${told}'`, () => assert.is(replaceParams(message, param, FLAGS), told))
}

test('keeps a message unchanged for a command without flags', () => {
  const message = 'Missing required parameter: email.'
  assert.is(replaceParams(message, 'email', []), message)
})

test.run()
