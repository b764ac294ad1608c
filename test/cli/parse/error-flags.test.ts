import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseCommand } from '../../../src/cli/command/base-command.ts'
import { flagFor, inFlagWords } from '../../../src/cli/parse/error-flags.ts'
import { MESSAGES } from '../../support/messages.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const GLOBAL = Object.keys(BaseCommand.baseFlags)

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
const EVERY_FLAG = Object.values(commands).flatMap((command) => Object.keys(Object(command).flags))

/** A sentence of a message as far as its last flag. */
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

/** parameter, its flag */
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

/** what the service says, of which parameter, what a person reads */
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

/** What the service says in the words of a command that has these flags beside its global ones. */
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
    "Payment 'py_1' is failed; only a succeeded payment can be refunded.",
    'payment',
    "Payment 'py_1' is failed; only a succeeded payment can be refunded.",
  ],
  [
    'amount',
    "A refund of 9 is more than what is left of payment 'py_1'. Give 5 or less: an amount is in minor units.",
    'amount',
    "A refund of 9 is more than what is left of payment 'py_1'. Give 5 or less: an amount is in minor units.",
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
    "A payment of checkout_session 'cks_1' is still being processed.",
    null,
    "A payment of checkout_session 'cks_1' is still being processed.",
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
    "No enabled webhook endpoint wants 'x'. Name one in webhook_endpoint.",
    null,
    "No enabled webhook endpoint wants 'x'. Name one in --endpoint.",
  ],
  ['on-session', 'off_session must be true or false.', 'off_session', 'off_session must be true or false.'],
  ['at', 'frozen_time 5 is too early.', 'frozen_time', '--at 5 is too early.'],
  // A message with the name of its parameter put in is not among those that are read from the sources.
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

/** The sentences of the service that come to name flags, were all flags those of one command, up to the last flag. */
const TOLD: readonly string[] = [
  '--days-until-due x_1 is only for --collection-method',
  '--expires-at',
  '--expires-at',
  '--interval-count',
  '--start-date',
  'Create a new customer with --test-clock',
  'Create another customer with --test-clock',
  'Give --at',
  'Give --card',
  'Give --payment-method or --paid-out-of-band',
  'Give --starting-after or --ending-before',
  'Give card or --card',
  'Name one in --endpoint',
  'Save one with a checkout session, name another card with --payment-method, or give --paid-out-of-band',
  'Say where the clock goes: --at',
  'Settle it with --paid-out-of-band',
]

const test = suite('cli/flag-words')

for (const [flags, message, param, told] of OF_COMMANDS) {
  test(`with --${flags}: ${message}`, () => {
    assert.is(inFlagWords(message, param, [...GLOBAL, ...flags.split(' ')]), told)
  })
}

test('of all messages of the service only those that name parameters come to name flags', () => {
  const told = MESSAGES.map((message) => inFlagWords(message, null, EVERY_FLAG))
  const changed = told.filter((text, at) => text !== MESSAGES[at] && text.length < 300)
  assert.equal(changed.map(shortened).toSorted(), TOLD)
})

for (const [param, flag] of FOUND) {
  test(`${param} is ${flag === null ? 'no flag' : `--${flag}`}`, () => assert.is(flagFor(param, FLAGS), flag))
}

for (const [message, param, told] of SAID) {
  test(message, () => assert.is(inFlagWords(message, param, FLAGS), told))
}

test('without flags a message stays as it is', () => {
  const message = 'Missing required parameter: email.'
  assert.is(inFlagWords(message, 'email', []), message)
})

test.run()
