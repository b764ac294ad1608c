import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { isOwnProcessRunning } from '../../src/cli/service/processes.ts'
import {
  errorResponse,
  type FakeServer,
  type Reaction,
  type SeenRequest,
  startFakeServer,
} from '../client/fake-server.ts'
import { newFolder } from '../support/folders.ts'
import { freePort } from '../support/ports.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { type Ended, paycli, spawnPaycli } from './paycli.ts'

const test = suite('commands/exec.sandbox')

/** The time of a server that was started with --freeze-time, in Unix seconds. */
const FROZEN_TIME = Date.UTC(2090, 0, 1) / 1000
const DAY_SECONDS = 86_400
const CREATED = {
  ...{ id: 'sbx_1', object: 'new_sandbox', api_key: 'paysk_test_sandbox', webhook_secret: 'whsec_x' },
  checkout_url: 'http://127.0.0.1:4101/sbx_1',
}

/** Prints the variables with which a program finds the server, and exits with 7. */
const PRINTING = `
  const names = ['API_BASE', 'API_KEY', 'CHECKOUT_URL', 'WEBHOOK_SECRET', 'PROFILE', 'SANDBOX']
  console.log(JSON.stringify(names.map((name) => process.env['PAYCLI_' + name])))
  process.exit(7)
`

/** Prints its process id and runs until it is ended. */
const LASTING = 'console.log(process.pid); setInterval(() => {}, 1000)'

let server: FakeServer
let react: (seen: SeenRequest) => Reaction

function reactAsServer({ method, url }: SeenRequest): Reaction {
  if (url === '/healthz')
    return { body: { status: 'ok' }, headers: { Date: new Date(FROZEN_TIME * 1000).toUTCString() } }
  return method === 'POST' ? { body: CREATED } : { body: { id: 'sbx_1', deleted: true } }
}

test.before(async () => {
  // The guard processes of sandboxes run this script.
  process.argv[1] = join(ROOT, 'bin', 'run.js')
  server = await startFakeServer((seen) => react(seen))
})

test.before.each(() => {
  react = reactAsServer
  server.seen.length = 0
})

test.after(() => server?.stop())

/** Returns the environment of a user whose variables select another profile and another sandbox. */
function environment(): Record<string, string> {
  const selection = { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'owner', PAYCLI_SANDBOX: 'worker-9' }
  return { PAYCLI_HOME: newFolder(), ...selection }
}

/** Runs a shell command, which prints nothing, in a new sandbox. */
function exec(command: string): Promise<Ended> {
  return runCommand(['exec', '--sandbox', '--', 'sh', '-c', command], environment())
}

/** Returns the requests that the server received, without `/healthz`. */
function requests(): string[] {
  return server.seen
    .filter(({ url }) => url !== '/healthz')
    .map(({ method, url, headers, body }) => `${method} ${url} ${headers['authorization']} ${body}`.trimEnd())
}

const DELETION = 'DELETE /v1/sandboxes/sbx_1 Bearer owner'

test('runs the command in a new sandbox, deletes the sandbox, and exits with the code of the command', async () => {
  const { code, stdout, stderr } = await paycli(
    ['exec', '--sandbox', '--from', 'shop', '--', process.execPath, '-e', PRINTING],
    { env: environment() },
  )
  assert.equal([code, stderr], [7, ''])
  assert.equal(JSON.parse(stdout), [
    ...[server.url, CREATED.api_key, CREATED.checkout_url, CREATED.webhook_secret],
    ...['', ''],
  ])
  const [creation = '', ...others] = requests()
  const params = { name: 'paycli exec', from: 'shop', storage: 'memory' }
  const { expires_at, ...sent } = JSON.parse(creation.replace('POST /v1/sandboxes Bearer owner ', ''))
  assert.equal(sent, params)
  const secondsLeft = expires_at - Date.now() / 1000
  assert.ok(secondsLeft > DAY_SECONDS - 60 && secondsLeft <= DAY_SECONDS, String(secondsLeft))
  assert.equal(others, [DELETION])
})

/** Returns the response to a request with invalid parameters. */
function rejection(...params: readonly string[]): Reaction {
  const response = errorResponse(400, { type: 'invalid_request_error', code: 'parameter_invalid' })
  const errors = params.map((param) => ({ code: 'parameter_invalid', message: 'No.', param }))
  return { ...response, body: { error: { ...Object(response.body).error, param: params[0], errors } } }
}

/** Returns the parameters of the requests that create a sandbox. */
function creations(): { storage?: string; expires_at: number }[] {
  return server.seen
    .filter(({ url, method }) => method === 'POST' && url === '/v1/sandboxes')
    .map(({ body }) => JSON.parse(body))
}

test('uses durable storage on a server that does not support sandboxes in memory', async () => {
  react = (seen) => (seen.body.includes('"memory"') ? rejection('storage') : reactAsServer(seen))
  const { code } = await exec('exit 3')
  assert.is(code, 3)
  assert.equal(
    creations().map(({ storage }) => storage),
    ['memory', undefined],
  )
  assert.is(requests().at(-1), DELETION)
})

test('uses the time of the server when the clock of this machine differs', async () => {
  react = (seen) =>
    seen.method === 'POST' && !seen.body.includes(String(FROZEN_TIME + DAY_SECONDS))
      ? rejection('expires_at', 'storage')
      : reactAsServer(seen)
  const { code } = await exec('exit 3')
  assert.is(code, 3)
  const { name: _name, ...second } = Object(creations()[1])
  assert.equal(second, { expires_at: FROZEN_TIME + DAY_SECONDS })
})

test('deletes the sandbox of a command that does not exist', async () => {
  const { code, stderr } = await runCommand(['exec', '--sandbox', '--', 'no-such-command'], environment())
  assert.match(stderr, "Cannot run 'no-such-command': command not found.")
  assert.is(code, 2)
  assert.is(requests().at(-1), DELETION)
})

test('deletes the sandbox of a command that a signal ended', async () => {
  const { code } = await exec('kill -s KILL $$')
  assert.is(code, 137)
  assert.is(requests().at(-1), DELETION)
})

test('keeps the exit code and prints a note when the sandbox cannot be deleted', async () => {
  const failure = errorResponse(503, { type: 'api_error', code: 'unavailable' })
  react = (seen) => (seen.method === 'DELETE' ? failure : reactAsServer(seen))
  const { code, stderr } = await exec('exit 4')
  assert.is(code, 4)
  assert.match(stderr, /^The sandbox sbx_1 was not deleted\. It expires within a day\. /)
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  test(`ends the command and deletes the sandbox after ${signal}`, async () => {
    // Windows has no POSIX shell and no signals.
    if (process.platform === 'win32') return
    const args = ['exec', '--sandbox', '--', process.execPath, '-e', LASTING]
    const child = spawnPaycli(args, environment())
    const ended = once(child, 'close')
    const [pid] = await once(createInterface({ input: child.stdout }), 'line')
    child.kill(signal)
    const [code] = await ended
    assert.is(code, { SIGINT: 130, SIGTERM: 143, SIGKILL: null }[signal])
    // After SIGKILL, the guard process deletes the sandbox.
    while (isOwnProcessRunning(Number(pid)) || requests().at(-1) !== DELETION) await setTimeout(20)
  })
}

test('deletes the sandbox when exec is killed as soon as the command runs', async () => {
  if (process.platform === 'win32') return
  const kill = ['sh', '-c', 'kill -s KILL "$PPID"']
  await once(spawnPaycli(['exec', '--sandbox', '--', ...kill], environment()), 'close')
  while (requests().at(-1) !== DELETION) await setTimeout(20)
})

test('does not run the command when a sandbox cannot be created', async () => {
  const ran = join(newFolder(), 'ran')
  react = () => errorResponse(403, { type: 'permission_error', code: 'insufficient_scope' })
  const { code, stdout } = await exec(`touch '${ran}'`)
  assert.is.not(code, 0)
  assert.is(stdout, '')
  assert.not(existsSync(ran))
})

test('without a running server, suggests starting a server or omitting --sandbox', async () => {
  const env = { PAYCLI_HOME: newFolder(), PAYCLI_API_BASE: `http://127.0.0.1:${await freePort()}` }
  const { code, stderr } = await runCommand(['exec', '--sandbox', '--', 'true'], env)
  assert.is(code, 3)
  assert.match(stderr, /^Error: No paycli server at http:/)
  assert.match(stderr, 'Start one: paycli serve. Without --sandbox, exec starts a temporary server.')
})

for (const [flags, message] of [
  [['--from', 'shop'], '--from requires --sandbox.'],
  [['--sandbox', '--memory'], 'Unknown flag --memory.'],
  [['--sandbox', 'worker-1'], "Unexpected argument 'worker-1'"],
] as const) {
  test(`rejects ${flags.join(' ')}`, async () => {
    const { code, stderr } = await runCommand(['exec', ...flags, '--', 'true'], environment())
    assert.match(stderr, message)
    assert.is(code, 2)
    assert.equal(server.seen, [])
  })
}

test.run()
