import { deleteSandboxSecrets, readStoredSandboxes } from '../../src/cli/service/sandbox-keys.ts'
import {
  errorResponse,
  type FakeServer,
  type Reaction,
  type SeenRequest,
  startFakeServer,
} from '../client/fake-server.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const test = suite('commands/sandboxes')

const ID = 'sbx_000000000000000000000001'
const KEY = `paysk_test_${ID.slice(4)}_${'k'.repeat(32)}`
const SANDBOX = {
  ...{
    id: ID,
    object: 'sandbox',
    created: 1_800_000_000,
    livemode: false,
    name: 'worker 1',
    status: 'active',
  },
  ...{ storage: 'memory', from: null, expires_at: null, reset_at: null, objects: 0, events: 0 },
  checkout_url: `http://127.0.0.1:4101/${ID}`,
}
const CREATED = { ...SANDBOX, object: 'new_sandbox', api_key: KEY, webhook_secret: 'whsec_x' }

let server: FakeServer
let react: (seen: SeenRequest) => Reaction
let env: Record<string, string>

function reactAsServer({ method, url }: SeenRequest): Reaction {
  if (method === 'POST' && url === '/v1/sandboxes') return { body: CREATED }
  if (method === 'POST' && url === `/v1/sandboxes/${ID}`) return { body: { ...SANDBOX, name: 'worker 2' } }
  if (method === 'DELETE') return { body: { id: ID, object: 'sandbox', deleted: true } }
  return { body: url.startsWith('/v1/sandboxes/') ? SANDBOX : { object: 'list', data: [], has_more: false } }
}

test.before(async () => {
  server = await startFakeServer((seen) => react(seen))
})

test.before.each(() => {
  react = reactAsServer
  server.seen.length = 0
  env = { PAYCLI_HOME: newFolder(), PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'owner' }
})

test.after(() => server?.stop())

function run(line: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runCommand(line.split(' '), { ...env, ...more })
}

function stored() {
  return readStoredSandboxes(env, server.url)
}

/** Returns the last request as `method path key`. */
function lastRequest(): string {
  const seen = server.seen.at(-1)
  return `${seen?.method} ${seen?.url} ${String(seen?.headers['authorization']).replace('Bearer ', '')}`
}

test('create prints the response, and stores the key for --sandbox and PAYCLI_SANDBOX', async () => {
  const { code, stdout } = await run('sandboxes create --storage memory')
  assert.equal([code, JSON.parse(stdout)], [0, CREATED])
  assert.equal(
    stored().map(({ id, api_key }) => [id, api_key]),
    [[ID, KEY]],
  )
  await run(`customers list --sandbox ${ID}`)
  assert.is(lastRequest(), `GET /v1/customers ${KEY}`)
  await runCommand(['customers', 'list', '--sandbox', 'worker 1'], env)
  assert.is(lastRequest(), `GET /v1/customers ${KEY}`)
  await run('customers list', { PAYCLI_API_KEY: '', PAYCLI_SANDBOX: 'worker 1' })
  assert.is(lastRequest(), `GET /v1/customers ${KEY}`)
  await run('customers list --sandbox default')
  assert.is(lastRequest(), 'GET /v1/customers owner')
})

test('adds --sandbox to suggested commands unless PAYCLI_SANDBOX selects the sandbox', async () => {
  await run('sandboxes create')
  react = () => ({ body: { id: 'clk_1', object: 'test_clock', status: 'ready' } })
  const next = async (args: string[], more: Readonly<Record<string, string>> = {}) => {
    const { stderr } = await runCommand(
      args,
      { ...env, PAYCLI_API_KEY: '', ...more },
      { terminal: { columns: 200 } },
    )
    return /paycli (.*)/.exec(stderr)?.[1]
  }
  const selected = ['--sandbox', 'worker 1']
  const get = ['get', 'clk_1']
  assert.is(await next([...get, ...selected]), "clock advance clk_1 1mo --sandbox 'worker 1'")
  assert.is(
    await next(['clock', 'create', '--at', '1800000000', ...selected]),
    "customers create --email <address> --test-clock clk_1 --sandbox 'worker 1'",
  )
  assert.is(await next(get, { PAYCLI_SANDBOX: 'worker 1' }), 'clock advance clk_1 1mo')
})

test('create and list send their flags', async () => {
  await run('sandboxes create --name Tests --expires-at 2099-01-01')
  assert.is(server.seen[0]?.body, `{"name":"Tests","expires_at":${Date.UTC(2099, 0, 1) / 1000}}`)
  await run('sandboxes list --status active')
  assert.is(lastRequest(), 'GET /v1/sandboxes?status=active owner')
})

test('reset exits with 6 for the default sandbox', async () => {
  react = () => errorResponse(400, { type: 'invalid_request_error', code: 'sandbox_protected' })
  assert.is((await run('sandboxes reset default')).code, 6)
  assert.is(lastRequest(), 'POST /v1/sandboxes/default/reset owner')
})

test('create stores no key for a dry run or after an error', async () => {
  assert.is((await run('sandboxes create --dry-run')).code, 0)
  react = () => errorResponse(400, { type: 'invalid_request_error', code: 'sandbox_storage_unavailable' })
  assert.is.not((await run('sandboxes create')).code, 0)
  assert.equal(stored(), [])
})

test('commands accept the name of a stored sandbox as its id', async () => {
  await run('sandboxes create')
  for (const [command, request] of [
    ['retrieve', `GET /v1/sandboxes/${ID} owner`],
    ['reset', `POST /v1/sandboxes/${ID}/reset owner`],
  ] as const) {
    await runCommand(['sandboxes', command, 'worker 1'], env)
    assert.is(lastRequest(), request)
  }
  await run('sandboxes retrieve worker-9')
  assert.is(lastRequest(), 'GET /v1/sandboxes/worker-9 owner')
})

test('update stores the new name of the sandbox, and delete deletes the stored key', async () => {
  await run('sandboxes create')
  await runCommand(['sandboxes', 'update', ID, '--name', 'worker 2'], env)
  assert.equal(
    stored().map(({ name, api_key }) => [name, api_key]),
    [['worker 2', KEY]],
  )
  const { code } = await runCommand(['sandboxes', 'delete', 'worker 2'], env)
  assert.is(lastRequest(), `DELETE /v1/sandboxes/${ID} owner`)
  assert.equal([code, stored()], [0, []])
})

test('delete keeps the stored key when the server cannot delete the sandbox, and deletes the key of an unknown sandbox', async () => {
  await run('sandboxes create')
  react = () => errorResponse(503, { type: 'api_error', code: 'unavailable' })
  assert.is.not((await run(`sandboxes delete ${ID}`)).code, 0)
  assert.is(stored().length, 1)
  react = () => errorResponse(404, { type: 'invalid_request_error', code: 'resource_missing' })
  assert.is.not((await run(`sandboxes delete ${ID}`)).code, 0)
  assert.is(stored().length, 0)
})

const KEY_REJECTED = errorResponse(401, { type: 'authentication_error', code: 'api_key_invalid' })

test('prints how to create the sandbox of a rejected key again', async () => {
  await run('sandboxes create')
  react = () => KEY_REJECTED
  const { code, stderr } = await run(`customers list --sandbox ${ID}`)
  assert.is(code, 4)
  assert.match(stderr, "Create a new sandbox: paycli sandboxes create --name 'worker 1'. List")
})

test('prints how to create a sandbox when another command deleted the stored key during the request', async () => {
  await run('sandboxes create')
  react = () => {
    deleteSandboxSecrets(env, server.url, ID)
    return KEY_REJECTED
  }
  const { code, stderr } = await run('customers list', { PAYCLI_API_KEY: '', PAYCLI_SANDBOX: ID })
  assert.is(code, 4)
  assert.match(stderr, 'Create a new sandbox: paycli sandboxes create --sandbox default. List')
})

test('suggests the id of a stored sandbox when --from contains its name', async () => {
  await run('sandboxes create')
  const from = { type: 'invalid_request_error', code: 'resource_missing', param: 'from' } as const
  react = () => errorResponse(400, from)
  for (const line of ['sandboxes create --from=worker\n1', 'exec --sandbox --from=worker\n1 -- true']) {
    const words = line.split(' ').map((word) => word.replace('\n', ' '))
    const { stderr } = await runCommand(words, env)
    assert.match(stderr, `To copy the sandbox of this name: --from ${ID}`, line)
  }
})

test('status prints the address of the pages and the webhook secret of the sandbox', async () => {
  await run('sandboxes create')
  const { stdout } = await run(`status --sandbox ${ID} --output env`)
  assert.equal(stdout.trim().split('\n'), [
    `PAYCLI_API_BASE=${server.url}`,
    `PAYCLI_API_KEY=${KEY}`,
    `PAYCLI_CHECKOUT_URL=${CREATED.checkout_url}`,
    `PAYCLI_WEBHOOK_SECRET=${CREATED.webhook_secret}`,
  ])
})

test('with only the key of a sandbox, status prints no webhook secret of the server', async () => {
  const { stdout } = await run('status --json', { PAYCLI_API_KEY: KEY })
  const { sandbox, checkout_url, webhook_secret } = JSON.parse(stdout)
  assert.equal([sandbox, checkout_url, webhook_secret], [ID, null, null])
})

test('status prints the pages and webhook secret of the sandbox from the variables of exec --sandbox', async () => {
  const more = {
    PAYCLI_API_KEY: KEY,
    PAYCLI_CHECKOUT_URL: SANDBOX.checkout_url,
    PAYCLI_WEBHOOK_SECRET: 'whsec_y',
  }
  const { stdout } = await run('status --json', more)
  const { checkout_url, webhook_secret } = JSON.parse(stdout)
  assert.equal([checkout_url, webhook_secret], [SANDBOX.checkout_url, 'whsec_y'])
})

test('sandboxes create and update reject the name of the default sandbox', async () => {
  const error = "Error: The name 'default' stands for the default sandbox.\nHint:  Choose another name"
  for (const words of [['create'], ['update', 'sbx_1']]) {
    const run = await runCommand(['sandboxes', ...words, '--name', 'default'], env)
    assert.equal([run.code, run.stdout], [2, ''])
    assert.match(run.stderr, error)
  }
})

test.run()
