import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../../src/api/api.ts'
import { commandForRoute, replaceRoutes } from '../../../src/cli/output/error-commands.ts'
import { MESSAGES } from '../../support/messages.ts'
import { ROOT } from '../../support/root.ts'
import { assert, suite } from '../../support/suite.ts'

const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))

const test = suite('cli/error-commands')

for (const { name, operation } of operations) {
  const route = `${operation.method} ${operation.path}`

  test(`maps the route ${route} to an existing command`, () => {
    const words = (commandForRoute(route) ?? '').replace(/^paycli /, '').replace(/ <id>$/, '')
    assert.ok(words.replaceAll(' ', ':') in commands, `'${words}' for ${name}`)
  })
}

test('replaces API routes in messages by commands with the same ids', () => {
  assert.is(
    replaceRoutes("No such customer: 'x'. List the existing ones with GET /v1/customers."),
    "No such customer: 'x'. List the existing ones with paycli customers list.",
  )
  assert.is(
    replaceRoutes('Look at it with GET /v1/invoices/in_1.'),
    'Look at it with paycli invoices retrieve in_1.',
  )
  assert.is(
    replaceRoutes('Begin one with POST /v1/invoices/in_1/pay, now'),
    'Begin one with paycli invoices pay in_1, now',
  )
  assert.is(replaceRoutes('It is at GET /v1/nowhere.'), 'It is at GET /v1/nowhere.')
})

for (const message of MESSAGES.filter((text) => / with \{"/.test(text))) {
  test(`replaces the route in '${message}' by a valid command line`, () => {
    const replaced = replaceRoutes(message)
    const [, words = '', flags = ''] =
      /paycli ([a-z -]+?) x_1((?: --[a-z-]+(?: [a-z]+)?)+)/.exec(replaced) ?? []
    const command = commands[words.replaceAll(' ', ':')]
    assert.ok(command, replaced)
    for (const [, flag = ''] of flags.matchAll(/--([a-z-]+)/g)) assert.ok(flag in command.flags, replaced)
    assert.not.match(replaced, 'with {')
  })
}

test('replaces a request body in a message by flags', () => {
  assert.is(
    replaceRoutes('Enable it first: POST /v1/webhook_endpoints/we_1 with {"status":"enabled"}.'),
    'Enable it first: paycli webhooks endpoints update we_1 --status enabled.',
  )
  assert.is(
    replaceRoutes('Begin one with POST /v1/invoices/in_1/pay with {"off_session":false} and a card.'),
    'Begin one with paycli invoices pay in_1 --on-session and a card.',
  )
  assert.is(
    replaceRoutes('POST /v1/subscriptions/sub_1 with {"cancel_at_period_end":false}'),
    'paycli subscriptions update sub_1 --no-cancel-at-period-end',
  )
})

test('keeps a route in a message that is only an example of a path', () => {
  const message = 'All of them start with /v1, such as POST /v1/customers.'
  assert.is(replaceRoutes(message), message)
})

test.run()
