import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { BROWSER_FLAGS, findBrowser } from '../support/chromium.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { exampleFiles } from './code-blocks.ts'
import { exampleFolder, runExample } from './example-process.ts'

const test = suite('guides/sandboxes.md', {}, 180_000)

/** Copies of the example of each tool, which run in different workers concurrently. */
const WORKERS = 2
/** The folder of the packages that only a full run installs. */
const TOOLS = join(ROOT, '.ci', 'tools')
const files = exampleFiles('.github/guides/sandboxes.md')
let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
  if (isFullRun()) execFileSync('npm', ['ci', '--prefix', TOOLS, '--ignore-scripts', '--silent'])
})

test.after(() => daemon?.stop())

/** Creates a folder with the files of the guide, and with copies of the example named `example` for each worker. */
function workersFolder(example: string, packages: readonly string[]): string {
  const copies = Array.from(
    { length: WORKERS },
    (_, index) => [example.replace('.', `-${index}.`), files.get(example) ?? ''] as const,
  )
  const others = [...files].filter(([name]) => name !== example)
  return exampleFolder(new Map([...others, ...copies]), ['paycli', ...packages], join(TOOLS, 'node_modules'))
}

/** Runs a tool in a folder, and resolves with its output. The tool must exit with code 0. */
async function runTool(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { api_url, api_key } = daemon.location
  const own = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key, ...env }
  const { code, output } = await runExample(process.execPath, args, { folder, env: own })
  assert.is(code, 0, output)
  return output
}

async function sandboxesLeft(): Promise<number> {
  return (await daemon.call(sandboxes.list, {})).data.length
}

/** Defines a test of the full run only: the tools are 280 packages, and call the same functions as node:test. */
function testTool(title: string, work: () => Promise<void>): void {
  if (isFullRun()) test(title, work)
}

const packageFile = (...path: string[]) => join(TOOLS, 'node_modules', ...path)

test('node:test gives each file a sandbox and deletes it', async () => {
  const folder = workersFolder('customers.test.js', [])
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.js'))
  const output = await runTool(folder, [
    '--test',
    '--test-reporter',
    'tap',
    '--test-concurrency',
    String(WORKERS),
    ...names,
  ])
  assert.match(output, new RegExp(`# pass ${WORKERS}\n# fail 0`))
  assert.is(await sandboxesLeft(), 0)
})

testTool('Vitest copies the template for each worker and resets it for each test', async () => {
  const folder = workersFolder('customers.spec.js', ['vitest'])
  const cli = packageFile('vitest', 'vitest.mjs')
  const output = await runTool(folder, [
    cli,
    'run',
    '--reporter',
    'tap-flat',
    '--maxWorkers',
    String(WORKERS),
  ])
  assert.is(output.match(/^ok /gm)?.length, 2 * WORKERS, output)
  assert.is(await sandboxesLeft(), 0)
})

testTool('Jest gives each worker a sandbox that each test resets', async () => {
  const folder = workersFolder('customers.jest.js', ['jest'])
  const cli = packageFile('jest', 'bin', 'jest.js')
  const args = ['--experimental-vm-modules', '--no-warnings', cli, '--maxWorkers', String(WORKERS)]
  assert.match(await runTool(folder, args), new RegExp(`Tests:\\s+${WORKERS} passed`))
  assert.is(await sandboxesLeft(), 0)
})

testTool('Playwright pays on the hosted pages of a sandbox for each worker', async () => {
  const { executablePath, env } = await findBrowser()
  const folder = workersFolder('checkout.pw.js', ['@playwright/test'])
  const launchOptions = { executablePath, args: BROWSER_FLAGS }
  writeFileSync(
    join(folder, 'with-browser.config.js'),
    `import config from './playwright.config.js'\nexport default { ...config, use: { launchOptions: ${JSON.stringify(launchOptions)} } }\n`,
  )
  const cli = packageFile('@playwright', 'test', 'cli.js')
  const args = [
    cli,
    'test',
    '--config',
    'with-browser.config.js',
    '--workers',
    String(WORKERS),
    '--reporter',
    'line',
  ]
  assert.match(await runTool(folder, args, env), `${WORKERS} passed`)
  assert.is(await sandboxesLeft(), 0)
})

test.run()
