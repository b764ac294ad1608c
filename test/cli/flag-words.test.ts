import { flagFor, inFlagWords } from '../../src/cli/flag-words.ts'
import { assert, suite } from '../support/suite.ts'

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

const test = suite('cli/flag-words')

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
