import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { paycli } from './paycli.ts'

const test = suite('commands/explore')

const APP = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'explore', 'tiny-app.js')]
const BUY = 'curl -s --retry 20 --retry-delay 0 --retry-all-errors -f localhost:$PORT/buy'
const OBSERVE = 'curl -sf localhost:$PORT/orders'

/** The folder and the environment of one exploration. */
function createPlace(traits: string) {
  const folder = newFolder()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const [database, starts] = [join(folder, 'rows.txt'), join(folder, 'starts.txt')]
  const env = {
    ...{ PAYCLI_HOME: join(folder, 'home'), TMPDIR: temporary, TINY_APP: traits },
    ...{ DATABASE: database, STARTS: starts },
  }
  const flags = ['--forward-to', '/webhooks', '--observe', OBSERVE, '--reset', `rm -f ${database}`]
  return { folder, temporary, starts, env, flags }
}

test('exits with 0 when the app always ends in the same way', async () => {
  const { env, flags, folder } = createPlace('')
  const report = join(folder, 'report.xml')
  const args = ['explore', BUY, ...flags, '--time', '8s', '--junit', report, '--', ...APP]
  const { code, stdout, stderr } = await paycli(args, { env, cwd: folder })
  assert.is(code, 0, stderr)
  assert.is(stderr, 'Running the scenario without faults, then with faults…\n')
  const { object, findings, explored } = JSON.parse(stdout)
  assert.equal([object, findings], ['exploration', []])
  assert.ok(explored.length > 0)
  assert.match(readFileSync(report, 'utf8'), /^<\?xml .*<testsuite/s)
  assert.is(existsSync(join(folder, 'paycli-schedule.json')), false)
})

test('finds a handler that counts a duplicate twice, and repeats the finding from its file', async () => {
  const { env, flags, folder, temporary } = createPlace('forgets-ids')
  const file = join(folder, 'faults.json')
  const found = await paycli(['explore', BUY, ...flags, '--write', file, '--', ...APP], { env, cwd: folder })
  assert.is(found.code, 8, found.stderr)
  const [finding] = JSON.parse(found.stdout).findings
  assert.match(JSON.stringify(finding), 'customer.created')
  assert.match(found.stderr, /Error: The app ends differently after a fault: /)
  assert.match(found.stderr, `--replay '${file}'`)
  const again = await paycli(['explore', BUY, ...flags, '--replay', file, '--', ...APP], { env, cwd: folder })
  assert.is(again.code, 8, again.stderr)
  assert.equal(JSON.parse(again.stdout).findings[0].schedule, finding.schedule)
  assert.equal(readdirSync(temporary), [])
})

test('prints the result before it fails to write a file', async () => {
  const { env, flags, folder } = createPlace('')
  const [schedule, blocked] = [join(folder, 'faults.json'), join(folder, 'file')]
  writeFileSync(blocked, '')
  const at = { kind: 'delivery', event_type: 'customer.created', occurrence: 1 }
  writeFileSync(schedule, JSON.stringify({ version: 1, schedule: [{ fault: 'duplicate', at }] }))
  const args = ['explore', BUY, ...flags, '--replay', schedule, '--junit', join(blocked, 'report.xml')]
  const { code, stdout, stderr } = await paycli([...args, '--', ...APP], { env })
  assert.is.not(code, 0)
  assert.match(stderr, 'Error: ')
  assert.is(JSON.parse(stdout).replay, true)
})

for (const [args, message] of [
  [['--', 'true'], 'Missing argument: scenario.'],
  [['buy', 'twice', '--', 'true'], 'Expected one scenario: a fixture file or a shell command.'],
  [['buy'], 'The command after -- that starts the app is missing.'],
  [['buy', '--replay', 'missing.json', '--', 'true'], "The file 'missing.json' does not exist."],
  [['missing.json', '--', 'true'], "The file 'missing.json' cannot be read"],
  [['buy', '--time', 'soon', '--', 'true'], "Invalid --time 'soon': expected a duration."],
] as const) {
  test(`rejects '${args.join(' ')}'`, async () => {
    const { code, stderr } = await paycli(['explore', ...args], { env: createPlace('').env })
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
      // It has ended, or belongs to another user.
      return false
    }
  })
}

function startsIn(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGKILL: null }

for (const [signal, starts, server] of [
  ['SIGINT', 1, 'temporary'],
  ['SIGTERM', 4, 'temporary'],
  ['SIGKILL', 2, 'temporary'],
  ['SIGKILL', 4, 'running'],
  ['SIGINT', 3, 'running'],
] as const) {
  const title = `leaves no process, folder or sandbox of the ${server} server after ${signal} in run ${starts}`
  test(title, async () => {
    if (process.platform !== 'linux') return
    const daemon = server === 'running' ? await openDaemon() : null
    const { folder, env, flags, temporary, starts: file } = createPlace('works-later')
    const { api_url = '', api_key = '' } = daemon?.location ?? {}
    const connection = daemon === null ? [] : ['--sandbox', '--api-base', api_url, '--api-key', api_key]
    const words = ['explore', `${BUY}; sleep 0.3`, ...flags, ...connection, '--', ...APP]
    const child = spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), ...words], {
      env: { ...process.env, ...env },
      cwd: folder,
      stdio: 'ignore',
    })
    const ended = once(child, 'close')
    while (startsIn(file) < starts) await setTimeout(5)
    child.kill(signal)
    const [code] = await ended
    assert.is(code, EXIT_CODES[signal])
    // After SIGKILL, the guard cleans up. Otherwise nothing may be left.
    const isClean = async () =>
      processesWith(folder).length === 0 &&
      readdirSync(temporary).length === 0 &&
      (await countSandboxes()) === 0
    const countSandboxes = async () => {
      const { data } = Object(await daemon?.client.send({ method: 'GET', path: '/v1/sandboxes' }, {})) ?? {}
      return (data ?? []).filter(({ name }: { name: string }) => name === 'paycli explore').length
    }
    while (signal === 'SIGKILL' && !(await isClean())) await setTimeout(50)
    assert.equal([processesWith(folder), readdirSync(temporary), await countSandboxes()], [[], [], 0])
    await daemon?.stop()
  })
}

test.run()
