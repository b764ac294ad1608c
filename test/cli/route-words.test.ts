import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/api/index.ts'
import { commandFor, inCommandWords } from '../../src/cli/route-words.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

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

test.run()
