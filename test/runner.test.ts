import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from './support/root.ts'
import { ENDLESS, GOOD, HAZARDS, UVU } from './support/runner-samples.ts'
import { assert, suite } from './support/suite.ts'

const roots: string[] = []

/** Creates a checkout with the given compiled tests by name; it is removed after the suite. */
function checkout(compiled: Record<string, string>, sources: string[] = Object.keys(compiled)): string {
  const root = mkdtempSync(join(tmpdir(), 'paycli-runner-'))
  roots.push(root)
  mkdirSync(join(root, 'dist', 'test'), { recursive: true })
  mkdirSync(join(root, 'test'))
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  for (const name of sources) writeIn(join(root, 'test', `${name}.test.ts`), '')
  for (const [name, code] of Object.entries(compiled)) {
    writeIn(join(root, 'dist', 'test', `${name}.test.js`), code)
  }
  return root
}

function writeIn(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function runner(root: string, ...filters: string[]) {
  return runnerWith({}, root, ...filters)
}

function runnerWith(variables: Record<string, string>, root: string, ...filters: string[]) {
  const args = [join(ROOT, 'test', 'run.mjs'), '--root', root, ...filters]
  const env = { ...process.env, CI: '', NODE_ENV: 'test', PAYCLI_STRAY: 'yes', ...variables }
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  return { status, stdout, lastLine: stdout.trimEnd().split('\n').at(-1) }
}

const test = suite('runner')

test.after(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

test('counts the tests of passing files and prints the totals on the last line', () => {
  const { status, stdout, lastLine } = runner(checkout(GOOD))
  assert.is(lastLine, '5 passed, 0 failed, 1 skipped', stdout)
  assert.is(status, 0)
  assert.match(stdout, /^✓ good {2}2 passed, 0 failed, 1 skipped {2}\d+\.\d\d s$/m)
  assert.not.match(stdout, 'Total:', 'the output of a passing file is not printed')
})

test('prints the notes of a test file beside its result', () => {
  const endOfFile = JSON.stringify(import.meta.resolve('./support/end-of-file.js'))
  const noting = `${UVU}import { atEndOfFile } from ${endOfFile}
    atEndOfFile(() => process.stdout.write('# 12 operations, seed 7\\n'))
    test('one', () => {}); test.run()`
  const { stdout } = runner(checkout({ noting }))
  assert.match(stdout, /^✓ noting {2}1 passed, 0 failed {2}\d+\.\d\d s {2}12 operations, seed 7$/m)
})

test('fails every broken file and prints the reason', () => {
  const compiled = Object.fromEntries(Object.entries(HAZARDS).map(([name, { code }]) => [name, code]))
  const { status, stdout, lastLine } = runner(checkout({ ...compiled, good: GOOD['good'] ?? '' }))
  for (const [name, { says }] of Object.entries(HAZARDS)) {
    assert.match(stdout, new RegExp(`^✗ ${name} `, 'm'), name)
    const own = stdout.slice(stdout.lastIndexOf(`✗ ${name} `)).split(/\n[✓✗] /)[0] ?? ''
    assert.match(own, says, `${name}: ${own}`)
    assert.match(stdout, `  test/${name}.test.ts`, 'the list of failing files')
  }
  assert.match(stdout, /^✓ good /m)
  assert.is(status, 1)
  assert.match(lastLine ?? '', /^\d+ passed, \d+ failed, \d+ skipped$/)
})

/** Runs so many files with this code that at least two of them share a process. */
function runMany(code: string) {
  const names = Array.from({ length: 4 * availableParallelism() }, (_, at) => `file${at}`)
  return runner(checkout(Object.fromEntries(names.map((name) => [name, code]))))
}

test('gives each file of a shared process its own environment', () => {
  const { status, stdout } = runMany(`${UVU}import { readdirSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    test('does not see globals of other files', () => {
      const { PAYCLI_HOME, MARK } = process.env
      globalThis.folder ??= process.cwd()
      const seen = [MARK, process.cwd(), readdirSync(PAYCLI_HOME), readdirSync(tmpdir())]
      if (JSON.stringify(seen) !== JSON.stringify([undefined, folder, [], []])) throw new Error(JSON.stringify(seen))
      for (const one of [PAYCLI_HOME, tmpdir()]) writeFileSync(one + '/mark', '')
      process.env = { ...process.env, MARK: 'yes' }
      process.chdir('/')
    })
    test.run()`)
  assert.is(status, 0, stdout)
})

test('fails a file that passes when it runs again alone, and prints both runs', () => {
  const leak = `${UVU}test('one', () => { if (globalThis.isUsed) throw new Error('used') })
    test('two', () => { globalThis.isUsed = true }); test.run()`
  const { status, stdout, lastLine } = runMany(leak)
  assert.match(stdout, /^✗ file\d+ {2}1 passed, 1 failed .*\(exit code 1\)$/m)
  assert.match(stdout, /^runs again what failed, one file at a time:\n✓ file/m)
  assert.match(
    stdout,
    /^flaky: failed beside other files and passed when it ran again alone:\n {2}test\/file\d+\.test\.ts$/m,
  )
  assert.not.match(stdout, /^failing:/m)
  assert.match(lastLine ?? '', /, [1-9]\d* failed$/)
  assert.is(status, 1)
})

test('runs replay files after all other files, with the store calls that those files recorded', () => {
  const recording = `${UVU}import '../support/test-store.js'
    import { writeFileSync } from 'node:fs'
    test('one', () => writeFileSync(process.env.PAYCLI_TEST_RECORD, '')); test.run()`
  const other = `${UVU}test('one', () => { if ('PAYCLI_TEST_RECORD' in process.env) throw new Error('records') }); test.run()`
  const repeating = `${UVU}import { readdirSync } from 'node:fs'
    test('one', () => { if (readdirSync(process.env.PAYCLI_TEST_RECORDED).join() !== 'api-b,engine-c') throw new Error('early') })
    test.run()`
  const root = checkout({
    'a.replay': repeating,
    'api/b': recording,
    'engine/c': recording,
    'property/d': `import '../support/test-store.js'\n${other}`,
    e: other,
  })
  writeIn(join(root, 'dist', 'test', 'support', 'test-store.js'), '')
  const { status, stdout } = runner(root)
  assert.is(status, 0, stdout)
})

test('prints the slowest files and the time per folder and per store, and writes the time of each file', () => {
  const names = Array.from({ length: 21 }, (_, at) => `api/file${at}`)
  const root = checkout(Object.fromEntries(names.map((name) => [name, GOOD['good'] ?? ''])))
  const times = join(root, 'times.json')
  const { stdout } = runner(root, '--times', times)
  const list = (title: string) => stdout.split(`\n${title}:\n`)[1]?.split('\n\n')[0]?.split('\n') ?? []
  assert.is(list('slowest files').length, 20, stdout)
  assert.match(list('slowest files')[0] ?? '', /^ +\d+\.\d\d s {2}test\/api\/file\d+\.test\.ts memory$/)
  assert.match(list('time per folder').join(), /^ +\d+\.\d\d s {2}test\/api$/)
  assert.match(list('time per store').join(), /^ +\d+\.\d\d s {2}memory$/)
  const written = JSON.parse(readFileSync(times, 'utf8')).map(({ file }: { file: string }) => file)
  assert.equal(written.sort(), names.map((name) => `test/${name}.test.ts`).sort())
})

test('runs a file again with the same random seed', () => {
  const failing = `${UVU}test('one', () => { throw new Error('seed ' + process.env.PAYCLI_SEED) }); test.run()`
  const { stdout } = runnerWith({ PAYCLI_RUNS: '9', PAYCLI_SEED: '' }, checkout({ failing }))
  const seeds = [...stdout.matchAll(/seed (\d+)/g)].map(([, seed]) => seed)
  assert.ok(seeds.length >= 2, stdout)
  assert.is(new Set(seeds).size, 1)
})

test('runs no file again when more than thirty files failed', () => {
  const broken = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`broken${at}`, '!']))
  const { status, stdout, lastLine } = runner(checkout(broken))
  assert.not.match(stdout, 'runs again')
  assert.is(lastLine, '0 passed, 31 failed')
  assert.is(status, 1)
})

for (const [code, limit, says] of ENDLESS) {
  test(`kills a file that does not end within ${limit} and prints the reason`, () => {
    const { status, stdout } = runner(checkout({ endless: code }), limit)
    assert.match(stdout, says)
    assert.is(status, 1)
  })
}

test('with another store, runs only files that use the store of the run', () => {
  const root = checkout({
    'api/stored': `${UVU}import { backend } from '../support/between.js'
      test('receives its store', () => { if (!['memory', 'lowdb', 'postgres'].includes(backend)) throw new Error(backend) })
      test.run()`,
    'api/pure': GOOD['good'] ?? '',
    'api/several.shared': `${UVU}import '../support/between.js'\ntest('one', () => {}); test.run()`,
    'elsewhere/stored': `${UVU}import '../support/between.js'\ntest('one', () => {}); test.run()`,
  })
  const support = join(root, 'dist', 'test', 'support')
  mkdirSync(support)
  writeFileSync(join(support, 'between.js'), "export * from './test-store.js'\n")
  writeFileSync(join(support, 'test-store.js'), 'export const backend = process.env.PAYCLI_TEST_STORE\n')
  const server = `export const startPostgres = async () => ({ url: '', env: {}, stop: async () => {} })\n`
  writeFileSync(join(support, 'postgres.js'), server)
  const once = ['api/pure', 'api/several.shared', 'elsewhere/stored']
  for (const [level, ...stored] of [
    ['--store=lowdb', 'api/stored on lowdb'],
    ['--full', 'api/stored', 'api/stored on lowdb', 'api/stored on postgres'],
    ['--linger=20000', 'api/stored'],
  ]) {
    const { stdout } = runner(root, level ?? '')
    const lines = [...stdout.matchAll(/^✓ (.*?) {2}/gm)].map(([, line]) => line)
    assert.equal(lines.sort(), [...once, ...stored].sort(), level)
  }
})

test('--quick runs each store test once, and no test that starts a process or belongs to a slow folder', () => {
  const one = `${UVU}test('one', () => {}); test.run()`
  const root = checkout({
    'api/stored': `import '../support/test-store.js'\n${one}`,
    'api/started': `import '../commands/paycli.js'\n${one}`,
    'store/shared': `import '../support/postgres.js'\n${one}`,
    'store/file/journal': one,
    'domain/core/money': one,
  })
  for (const folder of ['support', 'commands']) mkdirSync(join(root, 'dist', 'test', folder))
  writeFileSync(join(root, 'dist', 'test', 'support', 'test-store.js'), "import './postgres.js'\n")
  writeFileSync(join(root, 'dist', 'test', 'support', 'postgres.js'), '')
  writeFileSync(join(root, 'dist', 'test', 'commands', 'paycli.js'), '')
  const { stdout } = runner(root, '--quick')
  const lines = [...stdout.matchAll(/^✓ (.*?) {2}/gm)].map(([, line]) => line)
  assert.equal(lines.sort(), ['api/stored', 'domain/core/money'])
})

/** Creates a checkout with two files that need Chromium, one of them indirectly, and a prerequisite check that throws. */
function browserCheckout(thrown: string): string {
  const root = checkout({
    'browser/direct': `import '../support/chromium.js'\n${GOOD['good']}`,
    'browser/indirect': `import '../support/between.js'\n${GOOD['good']}`,
    good: GOOD['good'] ?? '',
  })
  const support = join(root, 'dist', 'test', 'support')
  mkdirSync(support)
  writeFileSync(join(support, 'between.js'), "export * from './chromium.js'\n")
  writeFileSync(join(support, 'chromium.js'), `export async function checkBrowser() { throw ${thrown} }\n`)
  return root
}

const MISSING = `Object.assign(new Error('Chromium lacks libx.so. Install x.'), { code: 'MISSING_PREREQUISITE' })`

test('skips files with a missing prerequisite, and prints once how to install the prerequisite', () => {
  for (const CI of ['', 'false']) {
    const { status, stdout, lastLine } = runnerWith({ CI }, browserCheckout(MISSING))
    assert.match(
      stdout,
      /^skipped 2 test files that need Chromium: Chromium lacks libx\.so\. Install x\. .*: browser\/direct, browser\/indirect$/m,
    )
    assert.not.match(stdout, /[✓✗] browser/)
    assert.is(lastLine, '2 passed, 0 failed, 3 skipped')
    assert.is(status, 0)
  }
})

test('fails on a missing prerequisite in CI', () => {
  const { status, stdout, lastLine } = runnerWith({ CI: 'true' }, browserCheckout(MISSING))
  assert.match(stdout, /^failed 2 test files that need Chromium: Chromium lacks libx\.so\. Install x\. /m)
  assert.match(
    stdout,
    /^failing:\n {2}test\/browser\/direct\.test\.ts\n {2}test\/browser\/indirect\.test\.ts$/m,
  )
  assert.is(lastLine, '2 passed, 2 failed, 1 skipped')
  assert.is(status, 1)
})

test('fails only the files that need a prerequisite that does not start', () => {
  const { status, stdout, lastLine } = runner(browserCheckout("new Error('no memory')"))
  assert.match(stdout, /^failed 2 test files that need Chromium: Error: no memory\n/m)
  assert.match(stdout, /^✓ good /m)
  assert.is(lastLine, '2 passed, 2 failed, 1 skipped')
  assert.is(status, 1)
})

test('fails when no file matches the filter', () => {
  const { status, stdout, lastLine } = runner(checkout({ good: GOOD['good'] ?? '' }), 'nothing-like-it')
  assert.match(stdout, 'no test file matches nothing-like-it')
  assert.is(lastLine, '0 passed, 1 failed')
  assert.is(status, 1)
})

test('runs only files whose path contains the filter', () => {
  for (const filter of ['wrap', 'test/wrapped.test.ts']) {
    const { status, lastLine } = runner(checkout(GOOD), filter)
    assert.is(lastLine, '1 passed, 0 failed')
    assert.is(status, 0)
  }
})

test('fails for a test that is not compiled or has no source', () => {
  const root = checkout({ kept: GOOD['good'] ?? '', orphan: GOOD['good'] ?? '' }, ['kept', 'fresh'])
  const { status, stdout, lastLine } = runner(root)
  assert.match(stdout, /✗ fresh .*not compiled: run npm run build/)
  assert.match(stdout, /✗ orphan .*its source does not exist/)
  assert.is(lastLine, '2 passed, 2 failed, 1 skipped')
  assert.is(status, 1)
})

test.run()
