import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { postJson } from '../support/raw-http.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/logs')

let daemon: TestDaemon
let env: Record<string, string>

test.before(async () => {
  daemon = await openDaemon()
  const { api_url, api_key } = daemon.location
  env = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
})

test.after(() => daemon?.stop())

const create = (fields: object) =>
  postJson(`${daemon.location.api_url}/v1/customers`, daemon.location.api_key, fields)

test('lists, retrieves and filters requests', async () => {
  const refused = await create({ email: 'ada' })
  await create({ email: 'ada@example.com' })
  const listed = await runCommand(['logs', 'list', '--status', '4xx', '--path', '/v1/customers'], env)
  const { data } = JSON.parse(listed.stdout)
  assert.equal([listed.code, data.length, data[0].status], [0, 1, 400])
  const id = String(refused.headers['request-id'])
  const one = await runCommand(['logs', 'retrieve', id, '--field', 'error.code'], env)
  assert.is(one.stdout, 'email_invalid\n')
  const wrong = await runCommand(['logs', 'list', '--status', 'bad'], env)
  assert.equal([wrong.code, wrong.stdout], [2, ''])
})

test('list --all reads every page', async () => {
  for (let count = 0; count < 12; count += 1) await create({ email: 'ada@example.com' })
  const { stdout } = await runCommand(['logs', 'list', '--all', '--limit', '5', '--method', 'POST'], env)
  const { data, has_more } = JSON.parse(stdout)
  assert.ok(data.length >= 12, `${data.length} requests`)
  assert.is(has_more, false)
})

/** A running `paycli logs tail` with its output. */
function startTail(args: readonly string[]) {
  const all = [join(ROOT, 'bin', 'run.js'), 'logs', 'tail', ...args]
  const child = spawn(process.execPath, all, { env: { ...process.env, ...env } })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

test('tail prints new requests as JSON lines, but no earlier ones', async () => {
  await create({ email: 'before' })
  const { child, lines } = startTail(['--status', '4xx', '--method', 'POST'])
  const next = lines.next()
  let isFound = false
  next.then(() => {
    isFound = true
  })
  const ids: string[] = []
  while (!isFound) {
    await create({ email: 'ada@example.com' })
    ids.push(String((await create({ email: 'ada' })).headers['request-id']))
    await daemon.tick()
  }
  const log = JSON.parse(String((await next).value))
  assert.ok(ids.includes(log.id))
  assert.equal([log.path, log.status], ['/v1/customers', 400])
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  assert.is(code, 130)
})

test('tail prints an empty line for a --field that is null and stays connected', async () => {
  const { child, lines } = startTail([
    '--field',
    'status',
    '--field',
    'error.code',
    '--path',
    '/v1/customers',
  ])
  const first = lines.next()
  let isFound = false
  first.then(() => {
    isFound = true
  })
  while (!isFound) {
    await create({ email: 'ada@example.com' })
    await daemon.tick()
  }
  const entries = [await first, await lines.next()]
  child.kill('SIGINT')
  assert.equal(
    entries.map(({ value }) => value),
    ['200', ''],
  )
})

test('tail excludes requests whose path matches a pattern with a leading !', async () => {
  const { child, lines } = startTail(['--field', 'path', '--path', '!/v1/cust*'])
  const first = lines.next()
  let isFound = false
  first.then(() => {
    isFound = true
  })
  while (!isFound) {
    await create({ email: 'ada@example.com' })
    await postJson(`${daemon.location.api_url}/v1/nowhere`, daemon.location.api_key, {})
    await daemon.tick()
  }
  child.kill('SIGINT')
  assert.is((await first).value, '/v1/nowhere')
})

test('fails when no server runs', async () => {
  const ended = await runCommand(['logs', 'tail'], { PAYCLI_API_BASE: 'http://127.0.0.1:9' })
  assert.is(ended.code, 3)
})

test.run()
