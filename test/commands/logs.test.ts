import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { postJson } from '../support/raw-http.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { spawnPaycli } from './paycli.ts'

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

/**
 * Starts `paycli logs tail` and repeats the requests until it prints a line. Returns that line and the next `more` lines, and
 * the exit code after ^C.
 */
async function tail(args: readonly string[], sendRequests: () => Promise<unknown>, more = 0) {
  const child = spawnPaycli(['logs', 'tail', ...args], env)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let isFound = false
  const first = lines.next().finally(() => {
    isFound = true
  })
  while (!isFound) {
    await sendRequests()
    await daemon.tick()
  }
  const printed = [String((await first).value)]
  for (let count = 0; count < more; count += 1) printed.push(String((await lines.next()).value))
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  return { printed, code }
}

test('tail prints only new requests, as JSON lines', async () => {
  await create({ email: 'before' })
  const ids: string[] = []
  const { printed, code } = await tail(['--status', '4xx', '--method', 'POST'], async () => {
    await create({ email: 'ada@example.com' })
    ids.push(String((await create({ email: 'ada' })).headers['request-id']))
  })
  const log = JSON.parse(printed.join())
  assert.ok(ids.includes(log.id))
  assert.equal([log.path, log.status, code], ['/v1/customers', 400, 130])
})

test('tail prints an empty line when the --field is null, and stays connected', async () => {
  const flags = ['--field', 'status', '--field', 'error.code', '--path', '/v1/customers']
  const { printed } = await tail(flags, () => create({ email: 'ada@example.com' }), 1)
  assert.equal(printed, ['200', ''])
})

test('tail excludes requests whose path matches a pattern with a leading !', async () => {
  const { printed } = await tail(['--field', 'path', '--path', '!/v1/cust*'], async () => {
    await create({ email: 'ada@example.com' })
    await postJson(`${daemon.location.api_url}/v1/nowhere`, daemon.location.api_key, {})
  })
  assert.equal(printed, ['/v1/nowhere'])
})

test.run()
