import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/old-node')

const OLD_NODE = pathToFileURL(join(ROOT, 'bin', 'old-node.js')).href

/** Starts paycli as an old Node.js version does, simulated by the current version. */
function start(args: readonly string[]): ChildProcess {
  const all = ['-e', `import('${OLD_NODE}')`, join(ROOT, 'bin', 'run.js'), ...args]
  return spawn(process.execPath, all, {
    env: { ...process.env, PAYCLI_HOME: newFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function startServing() {
  const child = start(['serve', '--memory', '--port', '0', '--json', '--log-format', 'silent'])
  const [line] = await once(createInterface({ input: child.stdout ?? process.stdin }), 'line')
  return { child, url: `${JSON.parse(line).api_url}/healthz` }
}

const isResponding = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )

test('the launcher for an old Node returns the exit code of the newer Node', async () => {
  for (const [args, expected] of [
    [['--version'], 0],
    [['customers', 'creat'], 2],
  ] as const) {
    const [code] = await once(start(args), 'close')
    assert.is(code, expected)
  }
})

/** Runs `paycli --version` by the launcher for an old Node, in a project in which a version of Node is installed. */
async function runInProjectWith(
  version: string,
  binary = process.execPath,
): Promise<{ code: number | null; stderr: string }> {
  const project = newFolder()
  const installed = join(project, 'node_modules', 'node')
  mkdirSync(join(installed, 'bin'), { recursive: true })
  symlinkSync(binary, join(installed, 'bin', 'node'))
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'node', version }))
  cpSync(join(ROOT, 'bin'), join(project, 'bin'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const launcher = pathToFileURL(join(project, 'bin', 'old-node.js')).href
  const args = ['-e', `import('${launcher}')`, join(ROOT, 'bin', 'run.js'), '--version']
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, stderr }
}

test('the launcher for an old Node runs the newer Node that is installed in the project', async () => {
  for (const version of ['24.0.0', '22.19.0'])
    assert.equal(await runInProjectWith(version), { code: 0, stderr: '' }, version)
})

test('the launcher for an old Node prints how to install Node 24 when it finds no newer Node', async () => {
  // Without its install script, which pnpm does not run by default, the package has no binary.
  for (const found of [
    await runInProjectWith('20.20.2'),
    await runInProjectWith('22.18.0'),
    await runInProjectWith('24.0.0', '/missing'),
  ]) {
    assert.is(found.code, 1)
    assert.match(found.stderr, /^Error: paycli requires .*\n {7}npm install --save-dev node@24\n$/s)
    assert.ok(found.stderr.split('\n').every((line) => line.length <= 80))
  }
})

test('the launcher for an old Node forwards termination signals to the newer Node', async () => {
  const { child, url } = await startServing()
  assert.ok(await isResponding(url))
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  assert.equal([code, await isResponding(url)], [0, false])
})

test('the newer Node ends when its launcher is killed', async () => {
  const { child, url } = await startServing()
  assert.ok(await isResponding(url))
  child.kill('SIGKILL')
  await once(child, 'close')
  while (await isResponding(url)) await setTimeout(20)
})

test.run()
