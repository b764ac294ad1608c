import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/sandboxes.server')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

const run = (args: string, key = daemon.location.api_key) =>
  runCommand(args.split(' '), { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: key })

test('creates, updates, resets and deletes a sandbox, whose customers no other sandbox has', async () => {
  const created = await run('sandboxes create --name Tests --expires-at 2099-01-01')
  const { id, api_key, expires_at } = JSON.parse(created.stdout)
  assert.is(expires_at, Date.UTC(2099, 0, 1) / 1000)
  const customer = await run('customers create --email ada@example.com --field id', api_key)
  assert.is((await run(`get ${customer.stdout.trim()}`)).code, 5)
  assert.is((await run(`sandboxes retrieve ${id} --field objects`)).stdout, '1\n')
  assert.is((await run(`sandboxes update ${id} --name New --field name`)).stdout, 'New\n')
  assert.is((await run('sandboxes reset current --field objects', api_key)).stdout, '0\n')
  assert.match((await run('sandboxes list --status active')).stdout, id)
  assert.is((await run(`sandboxes delete ${id} --field deleted`)).stdout, 'true\n')
  assert.is((await run('customers list', api_key)).code, 4)
})

test('reports the key of a sandbox that may not create another one', async () => {
  const { stdout } = await run('sandboxes create --field api_key')
  const { code, stderr } = await run('sandboxes create --json', stdout.trim())
  assert.equal([code, JSON.parse(stderr).error.code], [4, 'sandbox_key_not_allowed'])
})

test('exits with 6 for a change of the default sandbox', async () => {
  const { code, stderr } = await run('sandboxes reset default')
  assert.is(code, 6)
  assert.match(stderr, 'serve --reset')
})

test.run()
