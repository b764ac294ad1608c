import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { paycli } from './paycli.ts'

/** Node would store its compile cache in the temporary folder otherwise. */
const NODE_COMPILE_CACHE = newFolder()

const test = suite('commands/explore', {}, 120_000)

const APP = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'explore', 'tiny-app.js')]
const BUY = 'curl -s --retry 20 --retry-delay 0 --retry-all-errors -f localhost:$PORT/buy'
const OBSERVE = 'curl -sf localhost:$PORT/orders'

/** Creates the folder and the environment of one exploration. */
function createPlace(traits: string) {
  const folder = newFolder()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const [database, starts] = [join(folder, 'rows.txt'), join(folder, 'starts.txt')]
  const env = {
    ...{ PAYCLI_HOME: join(folder, 'home'), TMPDIR: temporary, TINY_APP: traits },
    ...{ DATABASE: database, STARTS: starts, NODE_COMPILE_CACHE },
  }
  const flags = ['--forward-to', '/webhooks', '--observe', OBSERVE, '--reset', `rm -f ${database}`]
  return { folder, temporary, starts, env, flags }
}

test('exits with 0 when the app has the same outcome in every run', async () => {
  const { env, flags, folder } = createPlace('')
  const args = ['explore', BUY, ...flags, '--json', '--time', '1s', '--', ...APP]
  const { code, stdout, stderr } = await paycli(args, { env, cwd: folder })
  assert.is(code, 0, stderr)
  assert.match(
    stderr,
    /^Running the scenario without faults, then with faults…\nNo problems found(?: in |, but only )/,
  )
  const { object, findings, explored } = JSON.parse(stdout)
  assert.equal([object, findings], ['exploration', []])
  assert.ok(explored.length > 0)
  assert.is(existsSync(join(folder, 'paycli-schedule.json')), false)
})

test('exits with 2 when the app acknowledges no webhook because the path is wrong', async () => {
  const { env, folder } = createPlace('')
  const args = ['explore', BUY, '--forward-to', '/elsewhere', '--json', '--', ...APP]
  const { code, stdout, stderr } = await paycli(args, { env, cwd: folder })
  assert.equal([code, stdout], [2, ''], stderr)
  assert.match(stderr, /The app did not acknowledge .*\/elsewhere: the last response was 404\./s)
})

test('exits with 2 when no state of the app is compared, although its handler has a bug', async () => {
  const explore = async (observe: readonly string[]) => {
    const { env, folder } = createPlace('ignores-ids')
    const args = ['explore', BUY, '--forward-to', '/webhooks', ...observe, '--', ...APP]
    return paycli(args, { env, cwd: folder })
  }
  const [missing, empty, kept] = await Promise.all([
    explore([]),
    explore(['--observe', 'true']),
    explore(['--observe', OBSERVE]),
  ])
  for (const { code, stdout, stderr } of [missing, empty, kept]) assert.equal([code, stdout], [2, ''], stderr)
  assert.match(missing.stderr, "--observe 'curl -sf localhost:$PORT/orders' -- ")
  assert.match(empty.stderr, /does not change the observed state \(nothing\).* --allow-unchanged -- /s)
  // Without --reset, the orders of the first run are still there in the second.
  assert.match(kept.stderr, /\(orders\).* --reset 'rm -f <database of the app>' -- /s)
})

test('compares the tables of --database, without the rows of earlier runs', async () => {
  const explore = async (traits: string) => {
    const { env, folder } = createPlace(`sqlite ${traits}`)
    const flags = ['--forward-to', '/webhooks', '--database', `sqlite:${env.DATABASE}.sqlite`, '--time', '1s']
    return paycli(['explore', BUY, ...flags, '--', ...APP], { env, cwd: folder })
  }
  const [correct, wrong] = await Promise.all([explore(''), explore('ignores-ids')])
  assert.is(correct.code, 0, correct.stderr)
  assert.is(wrong.code, 8, wrong.stderr)
  assert.match(wrong.stderr, 'orders: 2 entries instead of 1')
  assert.match(wrong.stderr, /--database .*sqlite:.*--replay /s)
})

test('finds a handler that counts a duplicate twice, and repeats the finding from its file', async () => {
  const { env, flags, folder, temporary } = createPlace('ignores-ids')
  const schedules = join(folder, 'schedules')
  mkdirSync(schedules)
  const [file, report] = [join(schedules, 'faults.json'), join(folder, 'report.xml')]
  const explore = (...more: string[]) =>
    paycli(['explore', BUY, ...flags, ...more, '--', ...APP], { env, cwd: folder })
  const found = await explore('--json', '--write', file, '--junit', report)
  assert.is(found.code, 8, found.stderr)
  assert.match(readFileSync(report, 'utf8'), /^<\?xml .*<testsuite/s)
  const [finding] = JSON.parse(found.stdout).findings
  assert.match(JSON.stringify(finding), 'customer.created')
  assert.match(found.stderr, /\nDifference after [\d.]+ s, to be reduced and confirmed: .+\nProblem 1\n/s)
  assert.match(found.stderr, `--replay ${file}`)
  // The result is printed although the report cannot be written. Without --json, it is only text on stderr.
  const again = await explore('--replay', schedules, '--junit', join(report, 'report.xml'))
  assert.is(again.stdout, '')
  assert.is.not(again.code, 0)
  assert.match(again.stderr, 'The replay found the problem again.')
  assert.match(again.stderr, 'Error: ')
  assert.equal(readdirSync(temporary), [])
})

for (const [args, message] of [
  [['--', 'true'], 'Missing argument: scenario.'],
  [['buy', 'twice', '--', 'true'], 'Expected one scenario: a fixture file or a shell command.'],
  [['buy'], 'The command after -- that starts the app is missing.'],
  [['buy', '--replay', 'missing.json', '--', 'true'], "The file 'missing.json' does not exist."],
  [['missing.json', '--', 'true'], "There is no file 'missing.json' in "],
  [['buy', '--time', 'soon', '--', 'true'], "Invalid --time 'soon': expected a duration."],
] as const) {
  test(`rejects '${args.join(' ')}'`, async () => {
    const { code, stderr } = await runCommand(['explore', ...args], createPlace('').env)
    assert.match(stderr, message)
    assert.is(code, 2)
  })
}

/** Returns the processes that were started with an environment variable. Linux only. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(text)
    } catch {
      // The process has ended, or belongs to another user.
      return false
    }
  })
}

function startsIn(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGKILL: null }

const INTERRUPTIONS = [
  ['SIGINT', 1, 'temporary'],
  ['SIGKILL', 2, 'temporary'],
  ['SIGTERM', 2, 'running'],
  ['SIGKILL', isFullRun() ? 4 : 2, 'running'],
] as const

/** Explores with a temporary or a running server, and sends the signal after a number of starts of the app. */
async function interrupt([signal, starts, server]: (typeof INTERRUPTIONS)[number]) {
  const daemon = server === 'running' ? await openDaemon() : null
  const { folder, env, flags, temporary, starts: file } = createPlace('')
  const { api_url = '', api_key = '' } = daemon?.location ?? {}
  const connection = daemon === null ? [] : ['--sandbox', '--api-base', api_url, '--api-key', api_key]
  const words = ['explore', `${BUY}; sleep 0.3`, ...flags, ...connection, '--', ...APP]
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), ...words], {
    env: { ...process.env, ...env },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = text(child.stderr)
  const ended = once(child, 'exit')
  while (startsIn(file) < starts && child.exitCode === null && child.signalCode === null) await setTimeout(5)
  child.kill(signal)
  const [code] = await ended
  const findRest = async () => {
    const { data = [] } = Object(await daemon?.client.send({ method: 'GET', path: '/v1/sandboxes' }, {}))
    const sandboxes = data.filter(({ name }: { name: string }) => name === 'paycli explore')
    return [...readdirSync(temporary), ...sandboxes]
  }
  const atEnd = await findRest()
  // Killed processes do not end at once, nor does the guard, which cleans up after SIGKILL.
  while (processesWith(folder).length > 0) await setTimeout(50)
  const rest = signal === 'SIGKILL' ? (await findRest()).filter((one) => !isExpiring(one)) : atEnd
  await daemon?.stop()
  return { code, rest, output: await output }
}

/** Returns whether a sandbox is empty and expires: after SIGKILL during its creation, the guard does not know its id. */
function isExpiring({ objects, expires_at }: { objects?: number; expires_at?: number | null }): boolean {
  return objects === 0 && typeof expires_at === 'number'
}

test('leaves no process, folder or sandbox after a signal, with a temporary or a running server', async () => {
  if (process.platform !== 'linux') return
  // An exploration mostly waits, so the interruptions run concurrently.
  const ended = await Promise.all(INTERRUPTIONS.map(interrupt))
  for (const [index, { code, rest, output }] of ended.entries()) {
    const [signal, starts, server] = INTERRUPTIONS[index] ?? []
    assert.equal(rest, [], `${signal} in run ${starts} with the ${server} server`)
    assert.is(code, signal && EXIT_CODES[signal], output)
  }
})

test.run()
