import { unknownCommandError } from '../../../src/cli/help/command-not-found.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/command-not-found')

const IDS = ['customers:create', 'customers:list', 'payments:list', 'webhooks:endpoints:create', 'serve']

const ERRORS: readonly (readonly [words: string, message: string, hint: string])[] = [
  ['customers creat', "Unknown command 'customers creat'.", "Did you mean 'customers create'?"],
  ['costumers list', "Unknown command 'costumers list'.", "Did you mean 'customers list'?"],
  [
    'webhooks endpoint create',
    "Unknown command 'webhooks endpoint create'.",
    "Did you mean 'webhooks endpoints create'?",
  ],
  ['customers frobnicate', "Unknown command 'customers frobnicate'.", 'Commands of customers: create, list'],
  [
    '--sandbox one customers list',
    "Unknown command '--sandbox one customers list'.",
    'Write flags after the command, such as paycli customers list --sandbox',
  ],
  ['nothing', "Unknown command 'nothing'.", 'Commands: customers, payments, serve, webhooks'],
  ['retrieve cus_1', "Unknown command 'retrieve cus_1'.", 'See the object: paycli get cus_1'],
  ['customer', "Unknown command 'customer'.", "Did you mean 'customers'? Its commands: create, list"],
  ['webhook we_1', "Unknown command 'webhook we_1'.", "Did you mean 'webhooks'? Its commands: endpoints"],
  [
    'payment_intents list',
    "Unknown command 'payment_intents list'.",
    "Did you mean 'payments'? Its commands: list",
  ],
  [
    'webhook-endpoint list',
    "Unknown command 'webhook-endpoint list'.",
    "Did you mean 'webhooks endpoints'? Its commands: create",
  ],
  ['serv --port 1', "Unknown command 'serv --port 1'.", "Did you mean 'serve'?"],
  [
    'webhooks endpoints x',
    "Unknown command 'webhooks endpoints x'.",
    'Commands of webhooks endpoints: create',
  ],
  [
    'customers create foo bar',
    "Unexpected argument 'foo bar': customers create has no such argument.",
    'See paycli customers create --help',
  ],
]

for (const [words, message, hint] of ERRORS) {
  test(`reports "${message}" for the command line '${words}'`, () => {
    const error = unknownCommandError(words.split(' '), IDS)
    assert.is(error.message, message)
    assert.is(error.hint, hint)
  })
}

test('suggests the command of a similar alias, but no command with an unrelated short name', () => {
  const ids = [...IDS, 'customers:delete']
  const aliases = new Map([['customers:rm', 'customers:delete']])
  const hintOf = (words: string) => unknownCommandError(words.split(' '), ids, aliases).hint
  assert.is(hintOf('customers foo'), 'Commands of customers: create, delete, list')
  assert.is(hintOf('customers r'), "Did you mean 'customers delete'?")
  assert.is(hintOf('customers rm cus_1'), 'See paycli customers rm --help')
})

test.run()
