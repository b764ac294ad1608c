import { misspelt } from '../../src/cli/command-not-found.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/command-not-found')

const IDS = ['customers:create', 'customers:list', 'webhooks:endpoints:create', 'serve']

const SAID: readonly (readonly [words: string, message: string, hint: string])[] = [
  ['customers creat', "There is no command 'customers creat'.", 'customers has: create, list'],
  ['costumers list', "There is no command 'costumers list'.", 'There are: customers, serve, webhooks'],
  ['webhooks endpoint create', "There is no command 'webhooks endpoint create'.", 'webhooks has: endpoints'],
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

test.run()
