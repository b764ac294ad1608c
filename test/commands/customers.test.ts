import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorResponse, type FakeServer, type Reaction, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { type Ended, paycli } from './paycli.ts'

const ADA = {
  id: 'cus_1',
  object: 'customer',
  created: 1704067200,
  email: 'ada@example.com',
  name: 'Ada\u001b[31m',
}
const LIST = { object: 'list', url: '/v1/customers', data: [ADA, { ...ADA, id: 'cus_2' }], has_more: true }

const SECRET = 'secret'

let server: FakeServer
let home: string
let reaction: Reaction

/** Runs a command with the fake server, which the locator file names. */
function run(...args: string[]): Promise<Ended> {
  return runCommand(args, { PAYCLI_HOME: home })
}

const test = suite('commands/customers')

test.before(async () => {
  server = await startFakeServer(() => reaction, SECRET)
  home = mkdtempSync(join(tmpdir(), 'paycli-commands-'))
  const located = {
    pid: 1,
    api_url: server.url,
    api_key: 'paysk_test_local',
    checkout_url: 'http://x',
    db: null,
  }
  writeFileSync(
    join(home, 'daemon.json'),
    JSON.stringify({ ...located, webhook_secret: 'whsec_x', server_secret: SECRET }),
  )
})

test.before.each(() => {
  reaction = { body: ADA }
  server.seen.length = 0
})

test.after(async () => {
  await server.stop()
  rmSync(home, { recursive: true })
})

test('create prints the idempotency key when the response is lost', async () => {
  reaction = 'cut'
  const { code, stdout, stderr } = await run('customers', 'create', '--email', 'ada@example.com')
  assert.equal([code, stdout], [3, ''])
  const { hint, idempotency_key } = JSON.parse(
    (await run('customers', 'create', '--email', 'a@b', '--json')).stderr,
  ).error
  const keys = server.seen.map(({ headers }) => String(headers['idempotency-key']))
  assert.match(
    stderr,
    `Repeat the command with --idempotency-key ${keys[0]}. The request is then processed only once.`,
  )
  assert.equal([idempotency_key, hint.includes(keys.at(-1))], [keys.at(-1), true])
})

test('create sends the flags to the local daemon with its key, and prints the response', async () => {
  const { code, stdout, stderr } = await run(
    'customers',
    'create',
    '--email',
    'ada@example.com',
    '--metadata',
    'a=1',
  )
  assert.is(stderr, '')
  assert.is(code, 0)
  assert.equal(JSON.parse(stdout), ADA)
  assert.not.ok(stdout.includes('\u001b'))
  const [request] = server.seen
  assert.is(`${request?.method} ${request?.url}`, 'POST /v1/customers')
  assert.equal(JSON.parse(request?.body ?? ''), { email: 'ada@example.com', metadata: { a: '1' } })
  assert.is(request?.headers['authorization'], 'Bearer paysk_test_local')
})

test('prints warnings of the server, with control characters escaped', async () => {
  const warning = 'unknown parameters ignored: nmae\u009b2J'
  reaction = { body: ADA, headers: { 'Paycli-Warning': warning } }
  const plain = await run('customers', 'create', '--email', 'ada@example.com')
  assert.equal([plain.code, JSON.parse(plain.stdout)], [0, ADA])
  assert.is(plain.stderr, 'Warning: unknown parameters ignored: nmae\\u009b2J\n')
  // A process prints each warning once.
  const post = ['post', '/v1/customers', '-d', 'nmae=x', '--json']
  const raw = await paycli(post, { env: { PAYCLI_HOME: home } })
  assert.equal([raw.code, raw.stderr, JSON.parse(raw.stdout)], [0, plain.stderr, ADA])
})

test('create reads the body from standard input, and flags override it', async () => {
  const stdin = JSON.stringify({ email: 'x@example.com', name: 'Ada', phone: null })
  const args = [
    'customers',
    'create',
    '--from-file',
    '-',
    '--email',
    'ada@example.com',
    '--field',
    'id',
    '--field',
    'email',
  ]
  const { code, stdout } = await runCommand(args, { PAYCLI_HOME: home }, { stdin })
  assert.is(code, 0)
  assert.is(stdout, 'cus_1\nada@example.com\n')
  assert.equal(JSON.parse(server.seen[0]?.body ?? ''), { email: 'ada@example.com', name: 'Ada', phone: null })
})

test('list sends its flags as query parameters', async () => {
  reaction = { body: LIST }
  const { code, stdout } = await run(
    'customers',
    'ls',
    '--limit',
    '2',
    '--created-gte',
    '2024-01-01',
    '--field',
    'data[].id',
  )
  assert.is(code, 0)
  assert.is(stdout, 'cus_1\ncus_2\n')
  assert.is(decodeURIComponent(server.seen[0]?.url ?? ''), '/v1/customers?limit=2&created[gte]=1704067200')
})

test('update and delete send requests for the customer with the given id', async () => {
  const updated = await run('customers', 'update', 'cus_1', '--name', '', '--metadata', 'tier=')
  assert.is(updated.code, 0)
  const deleted = await run('customers', 'rm', 'cus_1')
  assert.is(deleted.code, 0)
  assert.equal(
    server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`),
    ['POST /v1/customers/cus_1 {"name":null,"metadata":{"tier":""}}', 'DELETE /v1/customers/cus_1 '],
  )
})

test('creates and lists customers on a test clock', async () => {
  assert.is((await run('customers', 'create', '--email', 'a@example.com', '--test-clock', 'clock_1')).code, 0)
  assert.is((await run('customers', 'list', '--test-clock', 'clock_1')).code, 0)
  assert.equal(JSON.parse(server.seen[0]?.body ?? ''), { email: 'a@example.com', test_clock: 'clock_1' })
  assert.is(server.seen[1]?.url, '/v1/customers?test_clock=clock_1')
})

test('list exits with 0 when stdout is closed early', async () => {
  reaction = { body: { ...LIST, data: Array.from({ length: 10_000 }, () => ADA) } }
  const { code, stderr } = await paycli(['customers', 'list'], {
    env: { PAYCLI_HOME: home },
    isImpatient: true,
  })
  assert.is(stderr, '')
  assert.is(code, 0)
})

test('does not send the local key to a server named by the environment', async () => {
  const env = { PAYCLI_HOME: home, PAYCLI_API_BASE: server.url.replace('127.0.0.1', 'localhost') }
  await runCommand(['customers', 'get', 'cus_1'], env)
  assert.is(server.seen[0]?.headers['authorization'], undefined)
  await runCommand(['customers', 'get', 'cus_1'], { ...env, PAYCLI_API_KEY: 'own' })
  assert.is(server.seen[1]?.headers['authorization'], 'Bearer own')
})

test.run()

const failing = suite('commands/customers with errors')

const NOBODY = {
  PAYCLI_HOME: join(tmpdir(), 'paycli-nobody-lives-here'),
  PAYCLI_API_BASE: 'http://127.0.0.1:9',
}

const WRONG: readonly (readonly [args: string, code: number, stderr: RegExp])[] = [
  ['customers create', 2, /^Error: Missing flag: --email\.\nHint: {2}See paycli customers create --help\n$/],
  ['customers create --emial x', 2, /^Error: Unknown flag --emial\.\n/],
  ['customers retrieve', 2, /^Error: Missing argument: id\.\n/],
  ['customers list --json', 3, /"code": "connection_refused"(?:.|\n)*"hint": "Start one: paycli serve"/],
  ['customers list', 3, /^Error: No paycli server at http:\/\/127\.0\.0\.1:9\. Start one: paycli serve\n$/],
  [
    'customers create --from-file /is/not/here.json',
    2,
    /^Error: The file '\/is\/not\/here\.json' cannot be read/,
  ],
]

for (const [args, code, stderr] of WRONG) {
  failing(`paycli ${args} exits with ${code} and prints an error`, async () => {
    const ended = await runCommand(args.split(' '), NOBODY)
    assert.is(ended.stdout, '')
    assert.match(ended.stderr, stderr)
    assert.is(ended.code, code)
  })
}

failing('prints an API error as one JSON document with --json', async () => {
  const refusing = await startFakeServer(() =>
    errorResponse(401, { type: 'authentication_error', code: 'api_key_invalid' }),
  )
  const ended = await runCommand(['customers', 'list', '--json', '--api-base', refusing.url])
  await refusing.stop()
  assert.is(ended.code, 4)
  assert.is(ended.stdout, '')
  const { error } = JSON.parse(ended.stderr)
  assert.is(error.type, 'authentication_error')
  assert.is(error.code, 'api_key_invalid')
  assert.is(error.status, 401)
  assert.match(error.hint, /PAYCLI_API_KEY/)
})

failing('prints no output for an unknown --field and lists the known fields', async () => {
  const answering = await startFakeServer(() => ({ body: ADA }))
  const ended = await runCommand([
    'customers',
    'get',
    'cus_1',
    '--field',
    'id',
    '--field',
    'nme',
    '--api-base',
    answering.url,
  ])
  await answering.stop()
  assert.is(ended.code, 2)
  assert.is(ended.stdout, '')
  assert.match(ended.stderr, /Fields: id, object, created, email, name\./)
})

failing('prints only the error and a hint when NODE_ENV is development', async () => {
  const ended = await runCommand(['customers', 'list', '--foo'], { ...NOBODY, NODE_ENV: 'development' })
  assert.match(ended.stderr, /^Error: Unknown flag --foo\.\nHint:.*\n$/)
})

failing.run()
