import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/keys')

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
})

test.after(() => daemon?.stop())

const run = (args: string, key = daemon.location.api_key) =>
  paycli(args.split(' '), { env: { PAYCLI_API_BASE: daemon.location.api_url, PAYCLI_API_KEY: key } })

test('a key is created, used, rolled and revoked', async () => {
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
  test(`a secret that '${create}' did not print, for a field it lacks, is another one by '${roll}'`, async () => {
    const { code, stdout, stderr } = await run(`${create} --field nope`)
    assert.equal([code, stdout], [2, ''])
    const [, id = '', next = ''] =
      /The answer was (\w+), and its secret is not shown again\.\nHint: {2}Fields: .*, secret.* Another secret: paycli (.*)\n/.exec(
        stderr,
      ) ?? []
    assert.is(next, `${roll} ${id}`, stderr)
    assert.is((await run(`${next} --field id`)).code, 0)
  })
}

test('what shows no secret is shown again', async () => {
  const { stderr } = await run('customers create --email ada@example.com --field nope')
  assert.match(stderr, /The answer was (cus_\w+)\.\nHint: {2}.* All of it: paycli get \1\n/)
})

test('a restricted key is told what it lacks, and which to give', async () => {
  const created = await run('keys create --scopes customers:read,events:read --field secret')
  const secret = created.stdout.trim()
  assert.is((await run('events list', secret)).code, 0)
  const refused = await run('customers create --email ada@example.com --json', secret)
  assert.is(refused.code, 4)
  const { error } = JSON.parse(refused.stderr)
  assert.is(error.code, 'insufficient_scope')
  assert.match(error.message, 'customers:write')
})

test('a list shows no secrets, and which keys are still good for something', async () => {
  const { stdout } = await run('keys ls --status active')
  const { data } = JSON.parse(stdout)
  assert.ok(data.length >= 2)
  assert.not.match(stdout, '"secret":')
  assert.is((await run(`keys get ${data[0].id} --field last4`)).stdout, `${data[0].last4}\n`)
})

test.run()
