import type { Reaction } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/customers')

const ADA = { id: 'cus_1', object: 'customer', email: 'ada@example.com' }
const LIST = { object: 'list', url: '/v1/customers', data: [ADA, { ...ADA, id: 'cus_2' }], has_more: true }

let reaction: Reaction

const api = openFakeApi(test, () => reaction)

test.before.each(() => {
  reaction = { body: ADA }
})

api.testCalls([
  [
    'customers create --email ada@example.com --metadata a=1 --test-clock clock_1',
    'POST /v1/customers {"email":"ada@example.com","metadata":{"a":"1"},"test_clock":"clock_1"}',
  ],
  ['customers list --test-clock clock_1', 'GET /v1/customers?test_clock=clock_1'],
  [
    'customers ls --limit 2 --created-gte 2024-01-01',
    'GET /v1/customers?limit=2&created%5Bgte%5D=1704067200',
  ],
  [
    'customers update cus_1 --name= --metadata tier=',
    'POST /v1/customers/cus_1 {"name":null,"metadata":{"tier":""}}',
  ],
  ['customers rm cus_1', 'DELETE /v1/customers/cus_1'],
])

test('create prints the idempotency key when the response is lost', async () => {
  reaction = 'cut'
  const { code, stdout, stderr } = await api.run('customers', 'create', '--email', 'a@b', '--json')
  const { hint, idempotency_key } = JSON.parse(stderr).error
  const key = api.seen()[0]?.headers['idempotency-key']
  assert.equal([code, stdout, idempotency_key], [3, '', key])
  assert.is(
    hint,
    `Repeat the command with --idempotency-key ${key}. The request is then processed only once.`,
  )
})

/** The address of the fake API and a key. */
const connection = () => ({ PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k' })

test('prints warnings of the server once, with control characters escaped', async () => {
  reaction = { body: ADA, headers: { 'Paycli-Warning': 'unknown parameters ignored: nmae\u009b2J' } }
  // A process prints each warning once.
  const post = ['post', '/v1/customers', '-d', 'nmae=x', '--json']
  const { code, stdout, stderr } = await paycli(post, { env: connection() })
  assert.equal([code, JSON.parse(stdout)], [0, ADA])
  assert.is(stderr, 'Warning: unknown parameters ignored: nmae\\u009b2J\n')
})

test('create reads the body from standard input, and flags override it', async () => {
  const stdin = JSON.stringify({ email: 'x@example.com', name: 'Ada', phone: null })
  const create = ['customers', 'create', '--from-file', '-', '--email', 'ada@example.com']
  const { code, stdout } = await runCommand([...create, '--field', 'id', '--field', 'email'], connection(), {
    stdin,
  })
  assert.equal([code, stdout], [0, 'cus_1\nada@example.com\n'])
  assert.equal(api.requests(), ['POST /v1/customers {"email":"ada@example.com","name":"Ada","phone":null}'])
})

test('list exits with 0 when stdout is closed early', async () => {
  reaction = { body: { ...LIST, data: Array.from({ length: 10_000 }, () => ADA) } }
  const { code, stderr } = await paycli(['customers', 'list'], { env: connection(), isImpatient: true })
  assert.equal([code, stderr], [0, ''])
})

test('prints the example of the command when the id is missing', async () => {
  const { code, stderr } = await runCommand(['customers', 'retrieve', '--json'])
  const { hint } = JSON.parse(stderr).error
  assert.is(code, 2)
  assert.match(
    hint,
    /: (?:npx )?paycli customers list\. For instance: (?:npx )?paycli customers retrieve cus_4bT9…$/,
  )
})

test('prints only the error and a hint when NODE_ENV is development', async () => {
  const { stderr } = await runCommand(['customers', 'list', '--foo'], { NODE_ENV: 'development' })
  assert.match(stderr, /^Error: Unknown flag --foo\.\nHint:.*\n$/)
})

test.run()
