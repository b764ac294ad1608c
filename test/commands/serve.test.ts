import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import Serve from '../../commands/serve.ts'
import { customers } from '../../src/api/operations/customers.ts'
import { createClient } from '../../src/client/client.ts'
import { quoteForShell } from '../../src/domain/text/shell-quote.ts'
import { newFolder } from '../support/folders.ts'
import { postJson, sendRawText, sendRequest } from '../support/raw-http.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'
import type { Ended } from './paycli.ts'
import { type Serving, startServing } from './serving.ts'

const KEYS = ['pid', 'api_url', 'public_api_url', 'checkout_url', 'api_key', 'webhook_secret', 'db']

const test = suite('commands/serve')

const home = newFolder()
const env = { PAYCLI_HOME: home }
const readyFile = join(newFolder(), 'made', 'ready.json')

let serving: Serving
let handler: Awaited<ReturnType<typeof openWebhookServer>>

test.before(async () => {
  handler = await openWebhookServer()
  serving = await startServing(['--ready-file', readyFile, '--forward-to', `${handler.port}/hook`], env)
})

test.after(async () => {
  serving?.kill('SIGKILL')
  await handler?.close()
})

const portOf = (url: string) => new URL(url).port

/** Runs `paycli serve` with invalid flags. */
function failing(...args: string[]): Promise<Ended> {
  return runCommand(['serve', '--log-format', 'silent', ...args], { PAYCLI_HOME: newFolder() })
}

test('rejects a directory as the database and writes nothing', async () => {
  const folder = join(newFolder(), 'payments')
  mkdirSync(folder)
  const { code, stderr } = await failing('--port', '0', '--db', folder)
  assert.is(code, 2)
  assert.match(
    stderr,
    `${folder} is a folder, but a file is required. Name a file, such as ${folder}/paycli.json.`,
  )
  assert.equal(readdirSync(dirname(folder)), ['payments'])
})

test('reports a missing fixture file', async () => {
  const { code, stderr } = await failing('--port', '0', '--memory', '--seed-file', '/nowhere.json')
  assert.is(code, 2)
  assert.match(stderr, /^Error: There is no file '\/nowhere\.json'\.\nHint: {2}Check the path\./)
})

test('the serve guide lists every flag of serve', () => {
  const guide = readFileSync(join(ROOT, '.github', 'guides', 'serve.md'), 'utf8')
  const flags = Object.entries(Serve.flags).filter(([, { hidden }]) => hidden !== true)
  assert.equal(
    flags.map(([name]) => `--${name}`).filter((name) => !new RegExp(`${name}(?![\\w-])`).test(guide)),
    [],
  )
})

test('prints only the addresses, keys and secrets on stdout, as one JSON line', async () => {
  const { location, pid } = serving
  assert.equal(Object.keys(location), KEYS)
  assert.is(location.pid, pid)
  assert.match(location.api_key, /^paysk_test_[0-9A-Za-z]{32}$/)
  assert.match(location.webhook_secret, /^whsec_/)
  assert.is(location.db, join(home, 'paycli.json'))
  const health = await sendRequest(`${location.api_url}/healthz`)
  assert.is(health.text, JSON.stringify({ status: 'ok', pid, version: '0.1.0' }))
  assert.is((await sendRequest(`${location.checkout_url}/checkout/cks_none`)).status, 404)
})

test('forwards the selected events to each target, signed with --webhook-secret', async () => {
  const [all, some, routed] = [
    await openWebhookServer(),
    await openWebhookServer(),
    await openWebhookServer(),
  ]
  const secret = `whsec_${Buffer.alloc(24, 'mine').toString('base64')}`
  const flags = ['--memory', '-f', String(all.port), '--webhook-secret', secret]
  const other = await startServing(
    [
      ...flags,
      '-f',
      `${some.port}/some`,
      '-e',
      '!customer.updated',
      '--route',
      `customer.up*=${routed.port}/up`,
    ],
    { PAYCLI_HOME: newFolder() },
  )
  assert.is(other.location.webhook_secret, secret)
  const { api_url, api_key } = other.location
  const { call } = createClient({ apiBase: api_url, apiKey: api_key })
  const { id } = await call(customers.create, { email: 'ada@example.com' })
  await call(customers.update, { id, name: 'Ada' })
  await call(customers.delete, { id })
  await Promise.all([all.waitFor(2), some.waitFor(2), routed.waitFor(1)])
  const types = (receiver: typeof all) => receiver.received.map(({ body }) => JSON.parse(body).type)
  assert.equal(types(all), ['customer.created', 'customer.deleted'])
  assert.equal(types(some), types(all))
  assert.equal(types(routed), ['customer.updated'])
  const [{ body, headers } = { body: '', headers: {} }] = routed.received
  new Webhook(secret).verify(body, headers as Record<string, string>)
  other.kill('SIGTERM')
  assert.is(await other.ended, 0)
  for (const receiver of [all, some, routed]) await receiver.close()
})

const INVALID_FLAGS: readonly (readonly [flags: readonly string[], expected: RegExp])[] = [
  [['-e', 'invoice.*'], /selects the events of --forward-to, which is missing/],
  [['--public-webhooks-only', '-f', '3000'], /127\.0\.0\.1 is a loopback address.*--allow-webhooks-to/],
  [['--public-webhooks-only', '--allow-webhooks-to', 'home'], /Invalid network 'home'/],
  [['--retry-schedule', '1x', '-f', '3000'], /Invalid delay '1x' in retry schedule '1x'/],
  [['--webhook-secret', 'mine'], /expected whsec_ followed by base64/],
  [['--forward-to', 'bad url'], /Error: Invalid webhook target 'bad url'\.\nHint: {2}Give a port/],
  [['--retry-schedule', 'soon', '--json'], /"param": ?"retry-schedule"/],
  [['--on-exhausted', 'forgive'], /cancel, unpaid, past_due/],
]

for (const [flags, expected] of INVALID_FLAGS) {
  test(`serve ${flags.join(' ')} is a usage error`, async () => {
    const { code, stderr, stdout } = await failing('--memory', '--port', '0', ...flags)
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, expected)
  })
}

test('the ready file and the locator are private and have the same contents; only the locator contains server_secret', () => {
  for (const file of [readyFile, join(home, 'daemon.json')]) {
    // The locator also records when the process started.
    const { process_start: _start, server_secret, ...location } = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(location, serving.location)
    assert.is(server_secret !== undefined, file !== readyFile)
    assert.is((statSync(file).mode & 0o777).toString(8), '600')
  }
})

test('prints the addresses and the next command on stderr', async () => {
  const { location } = serving
  const output = await serving.waitForStderr(/Requests are logged below/)
  assert.match(output, /^paycli Ready in \d+ ms\n/)
  for (const value of [location.api_url, location.checkout_url, location.db ?? '']) {
    assert.match(output, value)
  }
  assert.match(output, 'paycli customers create --email ada@example.com')
  assert.match(
    output,
    `  Secrets         ${join(home, 'daemon.json')} contains the API key and the webhook secret\n`,
  )
})

test('commands use the running server without connection flags, and the target of the server receives their events', async () => {
  const { code, stdout, stderr } = await runCommand(
    ['customers', 'create', '--email', 'ada@example.com'],
    env,
  )
  assert.equal([code, stderr], [0, ''])
  const customer = JSON.parse(stdout)
  assert.equal([customer.object, customer.email], ['customer', 'ada@example.com'])
  await handler.waitFor(1)
  assert.is(JSON.parse(handler.received[0]?.body ?? '').data.object.id, customer.id)
  await serving.waitForStderr(/\d\d:\d\d:\d\d\.\d{3} {2}200 {2}POST {3}\/v1\/customers {2}\d+ ms {2}req_/)
})

test('a second server on the same port exits with 6 and suggests another port or the running server', async () => {
  const { api_url } = serving.location
  const { code, stdout, stderr } = await runCommand(
    ['serve', '--memory', '--port', portOf(api_url), '--json'],
    env,
  )
  assert.equal([code, stdout], [6, ''])
  const { error } = JSON.parse(stderr)
  assert.equal([error.type, error.code], ['startup_error', 'port_taken'])
  const { pid } = serving.location
  assert.is(error.message, `Port ${portOf(api_url)} on 127.0.0.1 is already in use.`)
  assert.is(
    error.hint,
    `Process ${pid} is the server at ${api_url}, with the database ${home}/paycli.json. Use that server, choose another port with --port, or stop it: paycli stop --pid ${pid}`,
  )
})

test('SIGTERM stops the server with exit code 0, even with open connections', async () => {
  // A request whose headers never end.
  const open = sendRawText(serving.location.api_url, 'GET / HTTP/1.1\r\nHost: ').catch(() => null)
  await sendRequest(`${serving.location.api_url}/healthz`)
  serving.kill('SIGTERM')
  assert.is(await serving.ended, 0)
  await open
  assert.not(existsSync(join(home, 'daemon.json')))
  assert.equal(readdirSync(home).sort(), ['credentials.json', 'paycli.json', 'paycli.json.lock', 'services'])
})

test('makes an existing ready file private, and exits with 130 on ^C', async () => {
  const folder = newFolder()
  const file = join(folder, 'ready.json')
  writeFileSync(file, 'old', { mode: 0o644 })
  const second = await startServing(['--ready-file', file, '--memory', '--log-format', 'silent'], env)
  // Both servers use the same home folder, so they have the same key.
  assert.is(second.location.api_key, serving.location.api_key)
  assert.is(second.location.db, null)
  second.kill('SIGINT')
  assert.is(await second.ended, 130)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')), second.location)
  assert.is((statSync(file).mode & 0o777).toString(8), '600')
})

test('an exposed server sends no webhooks to private addresses', async () => {
  const exposed = await startServing(
    ['--memory', '--log-format', 'silent', '--host', '127.0.0.1', '--dangerously-expose'],
    env,
  )
  const { api_url, api_key } = exposed.location
  const made = await postJson(`${api_url}/v1/webhook_endpoints`, api_key, { url: 'http://127.0.0.1:9/' })
  exposed.kill('SIGTERM')
  await exposed.ended
  assert.is(made.status, 400)
  assert.match(made.text, 'webhook_target_blocked')
})

test('--reset empties the database, but rejects a file that is not a database', async () => {
  const own = { PAYCLI_HOME: newFolder() }
  const db = join(newFolder(), 'shop.json')
  const keys: string[] = []
  for (const flags of [[], ['--reset']]) {
    const one = await startServing(['--db', db, '--log-format', 'silent', ...flags], own)
    const { api_url, api_key } = one.location
    keys.push(api_key)
    await postJson(`${api_url}/v1/customers`, api_key, { email: 'ada@example.com' })
    const listed = await sendRequest(`${api_url}/v1/customers`, {
      headers: { Authorization: `Bearer ${api_key}` },
    })
    assert.is(JSON.parse(listed.text).data.length, 1)
    // The journal of a killed server is deleted as well.
    one.kill('SIGKILL')
    await one.ended
  }
  assert.equal(new Set(keys).size, 1)
  const foreign = join(newFolder(), 'package.json')
  writeFileSync(foreign, '{"name":"shop"}')
  const refused = await failing('--db', foreign, '--port', '0', '--reset')
  assert.is(refused.code, 2)
  assert.match(refused.stderr, 'is not a paycli database')
  assert.is(readFileSync(foreign, 'utf8'), '{"name":"shop"}')
  assert.is((await failing('--memory', '--reset')).code, 2)
})

test('--open opens the API reference when the server is ready', async () => {
  // Only Linux selects the browser by an environment variable.
  if (process.platform !== 'linux') return
  const folder = newFolder()
  const seen = join(folder, 'seen')
  // BROWSER is split at spaces, so it names a program of PATH, whose folders may have spaces.
  const PATH = `${folder}${delimiter}${process.env['PATH']}`
  writeFileSync(join(folder, 'test-browser'), `#!/bin/sh\necho "$@" > ${quoteForShell(seen)}\n`, {
    mode: 0o755,
  })
  const flags = ['--memory', '--log-format', 'silent', '--open']
  const one = await startServing(flags, { ...env, BROWSER: 'test-browser', PATH })
  while (!existsSync(seen) || readFileSync(seen, 'utf8') === '') await setTimeout(20)
  assert.is(readFileSync(seen, 'utf8'), `${one.location.api_url}/docs\n`)
  one.kill('SIGTERM')
  await one.ended
})

test('stops when the ready file cannot be written', async () => {
  const folder = newFolder()
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
  const { code, stderr } = await failing('--memory', '--port', '0', '--ready-file', join(folder, 'link'))
  assert.is(code, 1)
  assert.match(stderr, 'is a symbolic link')
  assert.not(existsSync(join(folder, 'elsewhere')))
})

test.run()
