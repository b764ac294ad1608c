import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUnknownCommandError } from '../../../src/cli/help/command-not-found.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/command-not-found')

const IDS = [
  'customers:create',
  'customers:list',
  'customers:retrieve',
  'fixtures:run',
  'customers:update',
  'payments:list',
  'webhooks:endpoints:create',
  'serve',
]

const STRIPE_COMMANDS: readonly (readonly [stripe: string, command: string])[] = [
  ['subscriptions create', 'paycli checkout create'],
  ['prices list', 'paycli checkout create'],
  ['products create', 'paycli checkout create'],
  ['payment_links create', 'paycli payment-sessions create'],
  ['payment-intents create', 'paycli payments create'],
  ['payment_intents confirm pi_1', 'paycli payments authenticate'],
  ['charges list', 'paycli payments list'],
  ['setup_intents create', 'paycli card-sessions create'],
  ['checkout sessions create', 'paycli checkout create'],
  ['checkout sessions expire cs_1', 'paycli checkout expire'],
  ['billing_portal sessions create', 'paycli portal create'],
  ['test_helpers test_clocks advance clock_1', 'paycli clock advance'],
  ['payment_methods attach pm_1', 'paycli cards update'],
  ['payment_methods list', 'paycli cards list'],
  ['invoiceitems create', 'paycli invoice-items create'],
  ['invoices create', 'paycli invoice-items create'],
  ['invoices finalize_invoice in_1', 'paycli invoices finalize'],
  ['invoices upcoming', 'paycli subscriptions preview'],
  ['webhook_endpoints create', 'paycli webhooks endpoints create'],
  ['webhooks list', 'paycli webhooks endpoints list'],
  ['balance retrieve', 'paycli stats'],
  ['login', 'paycli serve'],
  ['samples create', 'paycli demo'],
  ['faults create', 'paycli faults add'],
]

const ERRORS: readonly (readonly [words: string, message: string, hint: string])[] = [
  ['customers creat', "Unknown command 'customers creat'.", 'Did you mean: paycli customers create'],
  ['costumers list', "Unknown command 'costumers list'.", 'Did you mean: paycli customers list'],
  [
    'webhooks endpoint create',
    "Unknown command 'webhooks endpoint create'.",
    'Did you mean: paycli webhooks endpoints create',
  ],
  [
    'customers frobnicate',
    "Unknown command 'customers frobnicate'.",
    'Commands of customers: create, list, retrieve, update',
  ],
  [
    '--sandbox one customers list',
    'The flag --sandbox is before the command.',
    'Write flags after the command, such as paycli customers list --sandbox one',
  ],
  [
    '--api-base=http://127.0.0.1:4100 webhooks endpoints create --url a',
    'The flag --api-base=http://127.0.0.1:4100 is before the command.',
    'Write flags after the command, such as paycli webhooks endpoints create --url a --api-base=http://127.0.0.1:4100',
  ],
  [
    '--json',
    'The flag --json is before the command.',
    'Write flags after the command, such as paycli customers list --json',
  ],
  ['update cus_1 --name Ada', "Unknown command 'update'.", 'Use: paycli customers update cus_1 --name Ada'],
  ['customers.create', "Unknown command 'customers.create'.", 'Use: paycli customers create'],
  [
    'customers.create --email a@b.co',
    "Unknown command 'customers.create'.",
    'Use: paycli customers create --email a@b.co',
  ],
  ['paymentIntents.list', "Unknown command 'paymentIntents.list'.", 'Use: paycli payments list'],
  ['nothing', "Unknown command 'nothing'.", 'List all commands: paycli help'],
  ['fetch cus_1', "Unknown command 'fetch'.", 'See the object: paycli get cus_1'],
  [
    'customer',
    "Unknown command 'customer'.",
    "Did you mean 'customers'? Its commands: create, list, retrieve, update",
  ],
  ['webhook we_1', "Unknown command 'webhook'.", "Did you mean 'webhooks'? Its commands: endpoints"],
  ['payment_intents list', "Unknown command 'payment_intents list'.", 'Use: paycli payments list'],
  [
    'webhook-endpoint list',
    "Unknown command 'webhook-endpoint list'.",
    "Did you mean 'webhooks endpoints'? Its commands: create",
  ],
  ['webhooks create', "Unknown command 'webhooks create'.", 'Use: paycli webhooks endpoints create'],
  [
    'payment-intents create --amount 500',
    "Unknown command 'payment-intents create'.",
    "For a customer without a saved card: paycli payment-sessions create. Did you mean 'payments'? Its commands: list",
  ],
  ['charges list', "Unknown command 'charges list'.", 'Use: paycli payments list'],
  [
    'login',
    "Unknown command 'login'.",
    'paycli needs no account, and commands find the key of the local server. Use: paycli serve',
  ],
  ['serv --port 1', "Unknown command 'serv'.", 'Did you mean: paycli serve --port 1'],
  [
    'webhook endpoints create 3000/webhooks',
    "Unknown command 'webhook endpoints create'.",
    'Did you mean: paycli webhooks endpoints create 3000/webhooks',
  ],
  ['customers cus_1', "Unknown command 'customers'.", 'Use: paycli customers retrieve cus_1'],
  ['fixtures my shop.json', "Unknown command 'fixtures my'.", 'Commands of fixtures: run'],
  ['fixtures shop.json', "Unknown command 'fixtures'.", 'Use: paycli fixtures run shop.json'],
  ['create customer', "Unknown command 'create customer'.", 'Did you mean: paycli customers create'],
  ['start', "Unknown command 'start'.", 'Use: paycli serve'],
  ['init', "Unknown command 'init'.", 'paycli needs no setup. Use: paycli serve'],
  ['wiat', "Unknown command 'wiat'.", 'List all commands: paycli help'],
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
    const error = createUnknownCommandError(words.split(' '), { ids: IDS })
    assert.is(error.message, message)
    assert.is(error.hint, hint)
  })
}

test('suggests the matching paycli command for common Stripe CLI commands', async () => {
  const { commands }: { commands: Record<string, { examples: string[]; aliases: string[] }> } = JSON.parse(
    readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'),
  )
  const ids = Object.keys(commands)
  const aliases = new Map(
    ids.flatMap((id) => (commands[id]?.aliases ?? []).map((alias) => [alias, id] as const)),
  )
  const examples = new Map(ids.map((id) => [id, `paycli ${id.replaceAll(':', ' ')} …`]))
  const commandOf = (words: string) =>
    /Use: (paycli .*) …$/.exec(
      createUnknownCommandError(words.split(' '), { ids, aliases, examples }).hint ?? '',
    )?.[1]
  for (const [words, command] of STRIPE_COMMANDS) assert.is(commandOf(words), command, words)
})

test('suggests the command of a similar alias, but no command with an unrelated short name', () => {
  const ids = [...IDS, 'customers:delete']
  const aliases = new Map([['customers:rm', 'customers:delete']])
  const hintOf = (words: string) => createUnknownCommandError(words.split(' '), { ids, aliases }).hint
  assert.is(hintOf('customers foo'), 'Commands of customers: create, delete, list, retrieve, update')
  assert.is(hintOf('customers r'), 'Did you mean: paycli customers delete')
  assert.is(hintOf('customers rm cus_1'), 'See paycli customers rm --help')
})

test.run()
