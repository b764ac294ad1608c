import { misspelt } from '../../../src/cli/launch/command-not-found.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/command-not-found')

const IDS = ['customers:create', 'customers:list', 'webhooks:endpoints:create', 'serve']

const SAID: readonly (readonly [words: string, message: string, hint: string])[] = [
  ['customers creat', "There is no command 'customers creat'.", "Did you mean 'customers create'?"],
  ['costumers list', "There is no command 'costumers list'.", "Did you mean 'customers list'?"],
  [
    'webhooks endpoint create',
    "There is no command 'webhooks endpoint create'.",
    "Did you mean 'webhooks endpoints create'?",
  ],
  ['customers frobnicate', "There is no command 'customers frobnicate'.", 'customers has: create, list'],
  ['nothing', "There is no command 'nothing'.", 'There are: customers, serve, webhooks'],
  ['serv --port 1', "There is no command 'serv --port 1'.", "Did you mean 'serve'?"],
  ['webhooks endpoints x', "There is no command 'webhooks endpoints x'.", 'webhooks endpoints has: create'],
  [
    'customers create foo bar',
    "customers create takes no argument 'foo bar'.",
    'See paycli customers create --help',
  ],
]

for (const [words, message, hint] of SAID) {
  test(words, () => {
    const error = misspelt(words.split(' '), IDS)
    assert.is(error.message, message)
    assert.is(error.hint, hint)
  })
}

test('a name is not taken for a short one that is another, and another name stands for its command', () => {
  const ids = [...IDS, 'customers:delete']
  const aliases = new Map([['customers:rm', 'customers:delete']])
  const hintOf = (words: string) => misspelt(words.split(' '), ids, aliases).hint
  assert.is(hintOf('customers foo'), 'customers has: create, delete, list')
  assert.is(hintOf('customers r'), "Did you mean 'customers delete'?")
  assert.is(hintOf('customers rm cus_1'), 'See paycli customers rm --help')
})

test.run()
