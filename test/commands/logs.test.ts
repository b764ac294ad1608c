import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { ask, post } from '../support/wire.ts'
import { paycli } from './paycli.ts'

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
  post(`${daemon.location.api_url}/v1/customers`, daemon.location.api_key, fields)

test('requests are listed and retrieved, and filtered by their status', async () => {
  const refused = await create({ email: 'ada' })
  await create({ email: 'ada@example.com' })
  const listed = await paycli(['logs', 'list', '--status', '4xx', '--path', '/v1/customers'], { env })
  const { data } = JSON.parse(listed.stdout)
  assert.equal([listed.code, data.length, data[0].status], [0, 1, 400])
  const id = String(refused.headers['request-id'])
  const one = await paycli(['logs', 'retrieve', id, '--field', 'error.code'], { env })
  assert.is(one.stdout, 'email_invalid\n')
  const wrong = await paycli(['logs', 'list', '--status', 'bad'], { env })
  assert.equal([wrong.code, wrong.stdout], [2, ''])
})

test('tail prints what comes while it runs, one line of JSON each, and nothing of before', async () => {
  await create({ email: 'before@example.com' })
  const args = [join(ROOT, 'bin', 'run.js'), 'logs', 'tail', '--status', '4xx']
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  // It follows from its first look on, which is the first request with its key.
  const logs: { id: string; path: string }[] = []
  const next = lines.next()
  let isFound = false
  next.then(() => {
    isFound = true
  })
  const ids: string[] = []
  while (!isFound) {
    await create({ email: 'ada@example.com' })
    ids.push(String((await ask(`${daemon.location.api_url}/v1/customers`)).headers['request-id']))
  }
  logs.push(JSON.parse(String((await next).value)))
  assert.ok(ids.includes(logs[0]?.id ?? ''))
  assert.is(logs[0]?.path, '/v1/customers')
  child.kill('SIGINT')
  const [, signal] = await once(child, 'close')
  assert.is(signal, 'SIGINT')
})

test('without a service there it says so', async () => {
  const ended = await paycli(['logs', 'tail'], { env: { PAYCLI_API_BASE: 'http://127.0.0.1:9' } })
  assert.is(ended.code, 3)
})

test.run()
