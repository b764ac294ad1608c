import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../../src/api/index.ts'
import { commandFor, inCommandWords } from '../../../src/cli/output/error-commands.ts'
import { MESSAGES } from '../../support/messages.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))

const test = suite('cli/route-words')

for (const { name, operation } of operations) {
  const route = `${operation.method} ${operation.path}`

  test(`${route} is a command there is`, () => {
    const words = (commandFor(route) ?? '').replace(/^paycli /, '').replace(/ <id>$/, '')
    assert.ok(words.replaceAll(' ', ':') in commands, `'${words}' for ${name}`)
  })
}

test('messages name commands, with their ids', () => {
  assert.is(
    inCommandWords("No such customer: 'x'. List the ones there are with GET /v1/customers."),
    "No such customer: 'x'. List the ones there are with paycli customers list.",
  )
  assert.is(
    inCommandWords('Look at it with GET /v1/invoices/in_1.'),
    'Look at it with paycli invoices retrieve in_1.',
  )
  assert.is(
    inCommandWords('Begin one with POST /v1/invoices/in_1/pay, now'),
    'Begin one with paycli invoices pay in_1, now',
  )
  assert.is(inCommandWords('It is at GET /v1/nowhere.'), 'It is at GET /v1/nowhere.')
})

for (const message of MESSAGES.filter((text) => / with \{"/.test(text))) {
  test(`what '${message}' advises can be run`, () => {
    const told = inCommandWords(message)
    const [, words = '', flags = ''] = /paycli ([a-z -]+?) x_1((?: --[a-z-]+(?: [a-z]+)?)+)/.exec(told) ?? []
    const command = commands[words.replaceAll(' ', ':')]
    assert.ok(command, told)
    for (const [, flag = ''] of flags.matchAll(/--([a-z-]+)/g)) assert.ok(flag in command.flags, told)
    assert.not.match(told, 'with {')
  })
}

test('a body becomes flags', () => {
  assert.is(
    inCommandWords('Enable it first: POST /v1/webhook_endpoints/we_1 with {"status":"enabled"}.'),
    'Enable it first: paycli webhooks endpoints update we_1 --status enabled.',
  )
  assert.is(
    inCommandWords('Begin one with POST /v1/invoices/in_1/pay with {"off_session":false} and a card.'),
    'Begin one with paycli invoices pay in_1 --on-session and a card.',
  )
  assert.is(
    inCommandWords('POST /v1/subscriptions/sub_1 with {"cancel_at_period_end":false}'),
    'paycli subscriptions update sub_1 --no-cancel-at-period-end',
  )
})

test('a route that is only an example of a path stays one', () => {
  const message = 'All of them start with /v1, such as POST /v1/customers.'
  assert.is(inCommandWords(message), message)
})

test.run()
