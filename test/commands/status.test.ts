import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readProcessStart } from '../../src/cli/service/process-start.ts'
import { isOwnProcessRunning } from '../../src/cli/service/processes.ts'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { type Ended, paycli } from './paycli.ts'
import { startServing } from './serving.ts'

const test = suite('commands/status, wait, stop and serve --detach')

let home: string

/** Starts a server as a process that is not detached. */
const serve = (...flags: string[]) => startServing(flags, { PAYCLI_HOME: home })

/** Runs `serve --detach` as a process, and other commands in this process. */
function run(...args: string[]): Promise<Ended> {
  const env = { PAYCLI_HOME: home }
  return args[0] === 'serve' ? paycli(args, { env }) : runCommand(args, env)
}

test.before.each(() => {
  home = newFolder()
})

test('serve --detach starts a server that status finds and stop ends', async () => {
  const others = 'http://192.0.2.2:4300'
  const started = await run('serve', '--detach', '--port', '0', '--memory', '--json', '--api-url', others)
  assert.is(started.code, 0)
  const location = JSON.parse(started.stdout)
  assert.is(location.public_api_url, others)
  assert.match(started.stderr, `${location.api_url} (public: ${others})`)
  assert.match(started.stderr, `as process ${location.pid}.`)
  assert.match(started.stderr, /Stop it: paycli stop\n/)
  const waited = await run('wait', '--field', 'api_url')
  assert.equal([waited.code, waited.stdout], [0, `${location.api_url}\n`])
  const status = JSON.parse((await run('status')).stdout)
  const { version, database, sandboxes, ...addresses } = status
  assert.match(version, /^\d+\.\d+\.\d+$/)
  assert.equal([addresses, database, sandboxes], [location, 'ok', 0])
  const onTerminal = await runCommand(['status'], { PAYCLI_HOME: home }, { terminal: { columns: 80 } })
  assert.match(onTerminal.stdout, others)
  assert.not.match(onTerminal.stdout, /sandboxes|not set/)
  const made = await run('customers', 'create', '--email', 'ada@example.com', '--field', 'email')
  assert.is(made.stdout, 'ada@example.com\n')
  await run('sandboxes', 'create')
  assert.is((await run('status', '--field', 'sandboxes')).stdout, '1\n')
  const stopped = await run('stop', '--json')
  assert.equal(JSON.parse(stopped.stdout), { stopped: { pid: location.pid, api_url: location.api_url } })
  // The user of this machine may have a server at the default address.
  assert.is((await run('status', '--api-base', location.api_url)).code, 3)
  assert.match(readFileSync(join(home, 'serve.log'), 'utf8'), /Stopped\.\n$/)
  assert.is(statSync(join(home, 'serve.log')).mode & 0o777, 0o600)
})

test('serve --detach prints the reason and exits with an error code when the server cannot start', async () => {
  const { code, stdout, stderr } = await run('serve', '-d', '--port', '0', '--db', '')
  assert.is.not(code, 0)
  assert.is(stdout, '')
  assert.match(stderr, /^Error: /)
})

test('reports a home folder that cannot be created, with instructions', async () => {
  const file = join(home, 'a-file')
  writeFileSync(file, '')
  const env = { PAYCLI_HOME: join(file, 'below') }
  const { code, stderr } = await runCommand(['serve', '-d', '--port', '0'], env)
  assert.is(code, 1)
  assert.match(
    stderr,
    /below\/serve\.log is not writable: ENOTDIR.* Set PAYCLI_HOME to a writable folder\.\n$/,
  )
})

test('stop succeeds when no server runs, and ignores the files of an ended server', async () => {
  const nothing = await run('stop')
  assert.equal([nothing.code, nothing.stdout], [0, ''])
  assert.match(nothing.stderr, 'You have no running server on this machine.')
  record('daemon.json', { pid: process.pid, api_url: 'http://127.0.0.1:9' })
  const stale = await run('stop', '--json')
  assert.equal([stale.code, JSON.parse(stale.stdout)], [0, { stopped: null }])
})

test('a second detached server reports that it is not the default, responds to requests and can be stopped', async () => {
  const a = (await serve('--db', join(home, 'a.json'))).location
  const second = await run('serve', '-d', '--json', '--port', '0', '--db', join(home, 'b.json'))
  const b = JSON.parse(second.stdout)
  assert.match(
    second.stderr,
    `Another of your servers runs at ${a.api_url}. Commands use that server by default.`,
  )
  assert.match(second.stderr, `--api-base ${b.api_url}`)
  assert.match(second.stderr, `Stop it: paycli stop --pid ${b.pid}\n`)
  const listed = JSON.parse((await run('status', '--all')).stdout)
  const toRow = ({ pid, db, is_default }: Record<string, unknown>) => [pid, db, is_default]
  assert.equal(listed.map(toRow), [
    [a.pid, a.db, true],
    [b.pid, b.db, false],
  ])
  // The key of this user's own server is found automatically.
  const made = await run('customers', 'create', '--email', 'ada@example.com', '--api-base', b.api_url)
  assert.is(made.code, 0, made.stderr)
  const stopped = await run('stop')
  assert.match(
    stopped.stderr,
    `Stopped the server at ${a.api_url}.\nStill running: ${b.api_url} (process ${b.pid})`,
  )
  const wrong = await run('stop', '--pid', String(a.pid))
  assert.match(wrong.stderr, `You have no server with process id ${a.pid}.\nStill running: ${b.api_url}`)
  const rest = await run('stop', '--all', '--json')
  assert.equal(JSON.parse(rest.stdout), { stopped: [{ pid: b.pid, api_url: b.api_url }] })
  assert.is((await run('status', '--all')).stdout, '[]\n')
})

test('stop and doctor use the server that is set in the environment', async () => {
  const start = async (file: string) => (await serve('--db', join(home, file))).location
  const [a, b] = [await start('a.json'), await start('b.json')]
  const at = (base: string) => ({ PAYCLI_HOME: home, PAYCLI_API_BASE: base })
  const examined = await runCommand(['doctor', '--json'], at(b.api_url))
  assert.is(JSON.parse(examined.stdout).database, b.db)
  const elsewhere = await runCommand(['doctor'], at('http://127.0.0.1:9'))
  assert.is(elsewhere.code, 2)
  assert.match(
    elsewhere.stderr,
    'the server at http://127.0.0.1:9 is not one of your servers on this machine.',
  )
  const stopped = await runCommand(['stop', '--json'], at(b.api_url))
  assert.equal(JSON.parse(stopped.stdout).stopped.pid, b.pid)
  const again = await runCommand(['stop'], at(b.api_url))
  assert.match(
    again.stderr,
    `You have no server at ${b.api_url} on this machine.\nStill running: ${a.api_url}`,
  )
  const wrong = await run('customers', 'list', '--api-base', b.api_url)
  assert.is(wrong.code, 3)
  assert.match(wrong.stderr, `\nHint:  A server runs at ${a.api_url}. Use it with --api-base ${a.api_url}.`)
  process.kill(a.pid, 'SIGKILL')
  // The killed server remains the default one until its process has ended.
  while (isOwnProcessRunning(a.pid)) await setTimeout(20)
  const killed = await runCommand(['doctor', '--json'], { PAYCLI_HOME: home, PAYCLI_DB: b.db ?? '' })
  assert.is(JSON.parse(killed.stdout).database, b.db)
  const empty = await run('doctor', '--db', '')
  assert.is(empty.code, 2)
  assert.match(empty.stderr, 'The path of the database is empty.')
})

/** A server that ignores SIGTERM. It prints its port. */
const STUBBORN = `
  const report = (_request, response) => response.end(JSON.stringify({ status: 'ok', pid: process.pid }))
  process.on('SIGTERM', () => {})
  const server = require('node:http').createServer(report).listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** Writes a file that names a server. */
function record(name: string, server: Readonly<Record<string, unknown>>): void {
  writeFileSync(join(home, name), JSON.stringify({ api_key: 'k', ...server }), { mode: 0o600 })
}

test('stop reports a server that does not stop, and kills it with --force, even if the server does not respond', async () => {
  if (process.platform === 'win32') return
  const server = spawn(process.execPath, ['-e', STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { pid = 0 } = server
  const [port] = await once(server.stdout, 'data')
  const api_url = `http://127.0.0.1:${Number(port)}`
  record('daemon.json', { pid, api_url, process_start: readProcessStart(pid) })
  const left = await run('stop', '--timeout', '1s')
  assert.equal([left.code, left.stdout], [7, ''])
  assert.match(
    left.stderr,
    `Still running after 1s: process ${pid}. Increase --timeout, or kill it with --force.`,
  )
  assert.ok(isOwnProcessRunning(pid))
  process.kill(pid, 'SIGSTOP')
  const killed = await run('stop', '--timeout', '1s', '--force', '--json')
  assert.equal([killed.code, JSON.parse(killed.stdout).stopped.pid], [0, pid])
  assert.match(killed.stderr, `Killed process ${pid}: it was still running after 1s.`)
  assert.not(isOwnProcessRunning(pid))
})

test('stop does not signal another process with the id of an ended server', async () => {
  if (process.platform === 'win32') return
  const silent = createServer(() => {})
  await once(silent.listen(0), 'listening')
  const { port } = Object(silent.address())
  const unrelated = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(unrelated, 'exit')
  const { pid } = unrelated
  const [one, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  mkdirSync(join(home, 'services'))
  record('daemon.json', { pid, api_url: one })
  record(join('services', 'other.json'), { pid, api_url: other, process_start: 'an earlier one' })
  const left = await run('stop', '--all', '--timeout', '1s', '--force', '--json')
  assert.equal([left.code, left.stdout], [7, ''], left.stderr)
  for (const api_url of [one, other])
    assert.match(left.stderr, `Process ${pid} was not signalled: it may not be the server at ${api_url}`)
  assert.match(left.stderr, `kill ${pid}`)
  assert.equal([unrelated.exitCode, unrelated.signalCode], [null, null])
  unrelated.stdin.end()
  assert.equal(await ended, [0, null])
  silent.closeAllConnections()
  silent.close()
})

test('finds a server despite records of killed servers with a reused process id or the same address', async () => {
  record('daemon.json', { pid: process.pid, api_url: 'http://127.0.0.1:9' })
  const started = (await serve('--memory')).location
  const status = await run('status', '--field', 'api_url')
  assert.equal([status.code, status.stdout], [0, `${started.api_url}\n`])
  record(join('services', 'zzz.json'), { ...started, pid: process.pid })
  const listed = JSON.parse((await run('status', '--all')).stdout)
  assert.equal(
    listed.map(({ pid, is_default }: Record<string, unknown>) => [pid, is_default]),
    [[started.pid, true]],
  )
  assert.is(JSON.parse((await run('stop', '--json')).stdout).stopped.pid, started.pid)
})

test('status --write keeps other variables of an .env file', async () => {
  const daemon = await openDaemon({ home })
  const { api_url, api_key, checkout_url, webhook_secret } = daemon.location
  const nowhere = join(home, 'none', '.env')
  const unwritten = await run('status', '--write', nowhere)
  assert.equal([unwritten.code, unwritten.stdout], [2, ''])
  assert.match(
    unwritten.stderr,
    `Error: '${nowhere}' cannot be written: folder '${join(home, 'none')}' does not exist.`,
  )
  const file = join(home, '.env')
  writeFileSync(file, 'OTHER=1\nexport PAYCLI_API_KEY=old\n# note')
  const written = await run('status', '--output', 'env', '--write', file)
  await daemon.stop()
  const lines = `PAYCLI_API_BASE=${api_url}\nPAYCLI_API_KEY=${api_key}\nPAYCLI_CHECKOUT_URL=${checkout_url}\n`
  assert.is(written.code, 0)
  assert.match(written.stdout, lines)
  const text = readFileSync(file, 'utf8')
  assert.is(text.startsWith(`OTHER=1\n# note\n${lines}PAYCLI_WEBHOOK_SECRET=`), true)
  assert.match(text, webhook_secret.replace('whsec_', ''))
})

test('status --all ignores the key and address of the environment', async () => {
  const daemon = await openDaemon({ home })
  const env = {
    PAYCLI_HOME: home,
    PAYCLI_API_KEY: 'paysk_test_exported',
    PAYCLI_API_BASE: 'http://127.0.0.1:9',
  }
  const listed = await runCommand(['status', '--all', '--field', '[].pid'], env)
  assert.equal([listed.code, listed.stdout, listed.stderr], [0, `${process.pid}\n`, ''])
  for (const flag of ['--api-base=http://127.0.0.1:9', '--api-key=paysk_test_given', '--profile=staging']) {
    const refused = await runCommand(['status', '--all', flag], env)
    assert.is(refused.code, 2)
    assert.match(refused.stderr, `${flag.replace(/=.*/, '')} and --all cannot both be given.`)
  }
  for (const flags of [['--output', 'env'], ['--write', '.env'], ['--nonsense'], ['extra']]) {
    const refused = await runCommand(['status', '--all', ...flags], env)
    assert.equal([refused.code, refused.stdout], [2, ''])
    for (const text of ['\u001b', 'paysk_']) assert.not.match(refused.stderr, text)
  }
  await daemon.stop()
})

test('status --write and wait report an invalid key and write no file, but accept a restricted key', async () => {
  const daemon = await openDaemon({ home })
  const made = await run('keys', 'create', '--scopes', 'customers:read', '--field', 'secret')
  const withKey = (key: string, ...args: string[]) =>
    runCommand(args, { PAYCLI_HOME: home, PAYCLI_API_KEY: key })
  const file = join(home, '.env')
  for (const args of [['status', '--write', file], ['wait']]) {
    const refused = await withKey('bad', ...args)
    assert.equal([refused.code, refused.stdout], [4, ''])
    assert.match(refused.stderr, /^Error: Invalid API key\.\nHint: .*PAYCLI_API_KEY/)
    assert.is(existsSync(file), false)
    assert.is((await withKey(made.stdout.trim(), ...args)).code, 0)
    rmSync(file, { force: true })
  }
  const unknown = await runCommand(['status', '--api-base', daemon.location.api_url], {
    PAYCLI_HOME: newFolder(),
  })
  assert.equal([unknown.code, JSON.parse(unknown.stdout).api_key], [0, null])
  await daemon.stop()
})

test.run()
