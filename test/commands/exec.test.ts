import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { isOwnProcessRunning } from '../../src/cli/service/processes.ts'
import { quoteForShell } from '../../src/domain/text/shell-quote.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { type Ended, paycli, spawnPaycli } from './paycli.ts'

const test = suite('commands/exec')

/** A program that calls the server of its environment and exits with its own code. */
const JOB = `
  const { PAYCLI_API_BASE: base, PAYCLI_API_KEY: key, PAYCLI_HOME: home } = process.env
  const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
  const post = (email) => fetch(base + '/v1/customers', { method: 'POST', headers, body: JSON.stringify({ email }) })
  await post(process.argv[1])
  const { data } = await (await fetch(base + '/v1/customers', { headers })).json()
  console.log(JSON.stringify({ base, home, emails: data.map(({ email }) => email) }))
  process.exit(7)
`

function homesOfExec(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('paycli-run-'))
}

function exec(words: readonly string[], flags: readonly string[] = []): Promise<Ended> {
  const env = { PAYCLI_HOME: newFolder(), PAYCLI_API_KEY: 'elsewhere', PAYCLI_PROFILE: 'elsewhere' }
  return paycli(['exec', ...flags, '--', ...words], { env })
}

test('starts separate servers for two parallel commands, and exits with the codes of the commands', async () => {
  const job = (email: string) => exec([process.execPath, '--input-type=module', '-e', JOB, email])
  const both = await Promise.all([job('ada@example.com'), job('bob@example.com')])
  assert.equal(
    both.map(({ code, stderr }) => [code, stderr]),
    [
      [7, ''],
      [7, ''],
    ],
  )
  const [ada, bob] = both.map(({ stdout }) => JSON.parse(stdout))
  assert.equal([ada.emails, bob.emails], [['ada@example.com'], ['bob@example.com']])
  assert.is.not(ada.base, bob.base)
  assert.equal([existsSync(ada.home), existsSync(bob.home)], [false, false])
})

for (const [flags, lasting] of [
  [['--detach'], '--detach'],
  [['-d'], '--detach'],
  [['--open'], '--open'],
  [['--json'], '--json'],
  [['--log-format', 'silent'], '--log-format silent'],
  [['--port', '0', '--log-format=json'], '--log-format=json'],
  [['--log-format'], '--log-format pretty'],
] as const) {
  test(`rejects ${flags.join(' ')}, which has no effect with exec`, async () => {
    const { code, stdout, stderr } = await runCommand(['exec', ...flags, '--', 'true'])
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, /--(detach|open|json|log-format) has no effect/)
    assert.match(stderr, new RegExp(`start a long-running server: paycli serve ${lasting}"?\n`))
  })
}

test('paycli as the executed command uses the server of exec', async () => {
  const create = ['customers', 'create', '--email', 'x@example.com', '--field', 'email']
  const line = [join(ROOT, 'bin', 'run.js'), ...create]
  const { code, stdout } = await exec([process.execPath, ...line], ['--db', join(newFolder(), 'kept.json')])
  assert.equal([code, stdout], [0, 'x@example.com\n'])
})

test('exits with 143 when SIGTERM ended the command', async () => {
  const { code } = await exec([process.execPath, '-e', "process.kill(process.pid, 'SIGTERM')"])
  assert.is(code, 143)
})

/** Calls the server on ^C, as a test that cleans up does, and exits with its own code. */
const CLEANING = `
  const { PAYCLI_API_BASE: base } = process.env
  process.on('SIGINT', async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    const answer = await fetch(base + '/healthz').then(({ status }) => status, String)
    console.log('cleaned up: ' + answer)
    process.exit(7)
  })
  setTimeout(() => {}, 20_000)
  console.log('running at ' + base + ' as ' + process.pid)
`

/** Suspends the server and starts a process that sends ^C while the server exists. */
const PESTERING = `
  const { spawn } = require('node:child_process')
  const { pid: server } = require(process.env.PAYCLI_HOME + '/daemon.json')
  const pester = \`
    const { setTimeout } = require('node:timers/promises')
    const isThere = (pid) => { try { return process.kill(pid, 0) } catch { return false } }
    const pesterOn = async () => {
      while (isThere(\${process.pid})) await setTimeout(50)
      for (; isThere(\${server}); await setTimeout(50)) process.kill(\${process.ppid}, 'SIGINT')
    }
    pesterOn()
  \`
  process.kill(server, 'SIGSTOP')
  spawn(process.execPath, ['-e', pester], { stdio: 'ignore', detached: true }).once('spawn', () => process.exit(7))
`

test('keeps the exit code and removes the home folder after ^C while the server stops', async () => {
  const before = new Set(homesOfExec())
  const { code, stderr } = await exec([process.execPath, '-e', PESTERING])
  assert.equal([code, stderr], [7, ''])
  assert.equal(
    homesOfExec().filter((name) => !before.has(name)),
    [],
  )
})

/** Returns whether an address does not respond. */
async function isGone(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  )
}

test('after ^C on a terminal, ends the command, then the server, and exits with the code of the command', async () => {
  // Only the util-linux `script` provides a terminal with piped input.
  if (process.platform !== 'linux') return
  const line = [process.execPath, join(ROOT, 'bin', 'run.js'), 'exec', '--', process.execPath, '-e', CLEANING]
  const quoted = line.map(quoteForShell).join(' ')
  // `exec` replaces the shell, because some shells remain and end on the same ^C.
  const child = spawn('script', ['-qec', `exec ${quoted}`, '/dev/null'], {
    env: { ...process.env, PAYCLI_HOME: newFolder() },
  })
  let output = ''
  let isTyped = false
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (isTyped || !/running at .* as \d+\s/.test(output)) return
    isTyped = true
    child.stdin.write('\u0003')
  })
  const [code] = await once(child, 'close')
  const [, base = ''] = /running at (\S+)/.exec(output) ?? []
  assert.match(output, 'cleaned up: 200')
  assert.is(code, 7)
  assert.ok(await isGone(`${base}/healthz`))
})

test('stops the server when both exec and the command are killed', async () => {
  const args = ['exec', '--', process.execPath, '-e', CLEANING]
  const child = spawnPaycli(args, { PAYCLI_HOME: newFolder() })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const [, base = '', pid = ''] = /running at (\S+) as (\d+)/.exec(line) ?? []
  child.kill('SIGKILL')
  process.kill(Number(pid), 'SIGKILL')
  while (!(await isGone(`${base}/healthz`))) await setTimeout(20)
})

/** Prints its address and starts a child process; neither process ends without a signal. */
const LASTING = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  setInterval(() => {}, 1000)
  child.once('spawn', () => {
    const { PAYCLI_API_BASE: base, PAYCLI_HOME: home } = process.env
    console.log(JSON.stringify({ base, home, pids: [process.pid, child.pid] }))
  })
`

test('stops the command, its child process and the server, and removes the home folder, when exec is killed', async () => {
  // Windows has no POSIX shell.
  if (process.platform === 'win32') return
  const args = ['exec', '--', process.execPath, '-e', LASTING]
  const child = spawnPaycli(args, { PAYCLI_HOME: newFolder() })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { base, home, pids } = JSON.parse(line)
  assert.ok(existsSync(join(home, 'credentials.json')))
  child.kill('SIGKILL')
  while (pids.some(isOwnProcessRunning) || existsSync(home) || !(await isGone(`${base}/healthz`)))
    await setTimeout(20)
})

test('reports a missing command, even when the system reports EACCES', async () => {
  const folder = newFolder()
  // A folder with the name of the program causes EACCES, even for root.
  mkdirSync(join(folder, 'no-such-command'))
  const env = { PAYCLI_HOME: newFolder(), PATH: `${folder}${delimiter}${process.env['PATH']}` }
  const { code, stderr } = await paycli(['exec', '--', 'no-such-command'], { env })
  assert.match(stderr, /^Error: Cannot run 'no-such-command': command not found\.\n/)
  assert.is(code, 2)
})

test('a missing command and an invalid flag of the server are usage errors', async () => {
  const missing = await runCommand(['exec', '--'])
  assert.match(missing.stderr, /^Error: The command after -- is missing\.\n/)
  const invalid = await exec(['true'], ['--frobnicate'])
  assert.match(
    invalid.stderr,
    /^Error: The server did not start: Unknown flag --frobnicate\.\nHint: {2}See paycli serve --help\n/,
  )
  for (const { code, stdout } of [missing, invalid]) assert.equal([code, stdout], [2, ''])
})

test.run()
