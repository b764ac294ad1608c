import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/keys')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

const run = (args: string, key = daemon.location.api_key) =>
  runCommand(args.split(' '), { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: key })

test('creates, uses, rolls and revokes an API key', async () => {
  const created = await run('keys create --name Tests --expires-at 2099-01-01')
  const { id, secret, expires_at } = JSON.parse(created.stdout)
  assert.is(expires_at, Date.UTC(2099, 0, 1) / 1000)
  assert.is((await run('customers list', secret)).code, 0)
  const rolled = await run(`keys roll ${id} --grace-seconds 3600 --field secret`)
  const next = rolled.stdout.trim()
  assert.equal([(await run('customers list', secret)).code, (await run('customers list', next)).code], [0, 0])
  assert.is((await run(`keys revoke ${id} --field status`)).stdout, 'revoked\n')
  const refused = await run('customers list --json', secret)
  assert.equal([refused.code, JSON.parse(refused.stderr).error.code], [4, 'api_key_invalid'])
  assert.is((await run(`keys revoke ${id}`)).code, 6)
})

for (const [create, roll] of [
  ['keys create', 'keys roll'],
  ['webhooks endpoints create --url http://127.0.0.1:9/hook', 'webhooks endpoints roll-secret'],
] as const) {
  test(`suggests '${roll}' for another secret after '${create}' with an unknown --field`, async () => {
    const { code, stdout, stderr } = await run(`${create} --field nope`)
    assert.equal([code, stdout], [2, ''])
    const [, id = '', next = ''] =
      /The response was (\w+)\. Its secret is not shown again\.\nHint: {2}Fields: .*, secret.* Create another secret: paycli (.*)\n/.exec(
        stderr,
      ) ?? []
    assert.is(next, `${roll} ${id}`, stderr)
    assert.is((await run(`${next} --field id`)).code, 0)
  })
}

test("suggests 'paycli get' for the created object after an unknown --field", async () => {
  const { stderr } = await run('customers create --email ada@example.com --field nope')
  assert.match(stderr, /The response was (cus_\w+)\.\nHint: {2}.* See the whole object: paycli get \1\n/)
})

test('reports the missing scope of a restricted key', async () => {
  const created = await run('keys create --scopes customers:read,events:read --field secret')
  const secret = created.stdout.trim()
  assert.is((await run('events list', secret)).code, 0)
  const refused = await run('customers create --email ada@example.com --json', secret)
  assert.is(refused.code, 4)
  const { error } = JSON.parse(refused.stderr)
  assert.is(error.code, 'insufficient_scope')
  assert.match(error.message, 'customers:write')
})

test('lists keys with their status and without secrets', async () => {
  const { stdout } = await run('keys ls --status active')
  const { data } = JSON.parse(stdout)
  assert.ok(data.length >= 2)
  assert.not.match(stdout, '"secret":')
  assert.is((await run(`keys get ${data[0].id} --field last4`)).stdout, `${data[0].last4}\n`)
})

test.run()
