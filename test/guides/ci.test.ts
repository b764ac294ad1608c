import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { paycli } from '../commands/paycli.ts'
import { openDaemon } from '../support/daemon.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { codeBlocks, exampleFiles } from './code-blocks.ts'
import { exampleFolder } from './example-process.ts'

const test = suite('guides/ci.md')

const GUIDE = '.github/guides/ci.md'
/** Vitest is not installed here: its examples run with the two functions that they import. */
const VITEST = `
import assert from 'node:assert/strict'
export { test } from 'node:test'
export const expect = (value) => ({ toMatch: (pattern) => assert.match(value, pattern) })
`
/** Runs a configuration as Vitest does: the global setup, the tests, and the returned teardown. */
const VITEST_RUN = `
import { after } from 'node:test'
import config from './vitest.config.js'
const { default: setup } = await import(config.test.globalSetup)
after(await setup())
await import('./customers.spec.js')
`
const files = new Map([
  ...exampleFiles(GUIDE),
  ['shop.json', codeBlocks(GUIDE).find(({ language }) => language === 'json')?.code ?? ''] as const,
  [
    'node_modules/vitest/package.json',
    '{"type":"module","exports":{".":"./index.js","./config":"./config.js"}}',
  ],
  ['node_modules/vitest/index.js', VITEST],
  ['node_modules/vitest/config.js', 'export const defineConfig = (config) => config'],
  ['vitest-run.js', VITEST_RUN],
] as const)

/** Returns the arguments of `paycli exec` that run Node in the folder of the examples without a shell. */
function inFolder(folder: string, args: readonly string[]): string[] {
  const run = `process.chdir(${JSON.stringify(folder)});process.exitCode=require('node:child_process').spawnSync(process.execPath,${JSON.stringify(args)},{stdio:'inherit'}).status`
  return ['--', process.execPath, '-e', run]
}

test('the node:test example passes with paycli exec', async () => {
  const folder = exampleFolder(files, ['paycli', 'standardwebhooks'])
  const { code, stdout } = await paycli([
    'exec',
    ...inFolder(folder, ['--test', '--test-reporter', 'tap', 'checkout.test.js']),
  ])
  assert.match(stdout, /# pass 2\n# fail 0/)
  assert.is(code, 0)
})

test('the Vitest example starts a daemon, passes and stops the daemon', () => {
  const folder = exampleFolder(files, ['paycli'])
  const [, command = '', ...args] = inFolder(folder, ['--test-reporter', 'tap', 'vitest-run.js'])
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.is(status, 0)
  assert.match(stderr, /\nStopped\.\n$/)
  assert.match(stdout, /# pass 1\n# fail 0/)
})

test('the fixture file creates its objects and variables', async () => {
  const folder = exampleFolder(files, [])
  const env = join(folder, '.env.local')
  const daemon = await openDaemon()
  const words = ['fixtures', 'run', join(folder, 'shop.json'), '--write', env]
  const { code, stderr } = await runCommand(words, { PAYCLI_HOME: daemon.home })
  await daemon.stop()
  assert.equal([code, stderr], [0, ''])
  assert.match(readFileSync(env, 'utf8'), /^CUSTOMER=cus_\w+\nCHECKOUT="?http:.*\/sessions\/py_sess_\w+"?\n$/)
})

test.run()
