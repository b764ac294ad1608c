import { missingDocComments } from '../support/repository/doc-comments.ts'
import { daemonTexts, documentPaths, missingTests } from '../support/repository/documents.ts'
import { folderCycles } from '../support/repository/folder-cycles.ts'
import { testsWithoutSource, topLevel } from '../support/repository/layout.ts'
import { compiledWithoutSource, manifestProblems, manifestText } from '../support/repository/manifest.ts'
import { reports } from '../support/repository/reports.ts'
import { restrictedCode } from '../support/repository/restricted-code.ts'
import type { SourceFile } from '../support/repository/source-files.ts'
import { suitesNotRun } from '../support/repository/suites.ts'
import { brokenWalks } from '../support/repository/walks.ts'
import { suite } from '../support/suite.ts'

const test = suite('repository/checks')

function file(path: string, ...lines: string[]): SourceFile {
  return { path, text: `${lines.join('\n')}\n` }
}

/** Code that only a few files may contain, each in a file that may not contain it. */
const RESTRICTED: [feature: string, path: string, line: string][] = [
  ['wall clock', 'src/engine/commit.ts', 'const at = Date.now()'],
  ['wall clock', 'src/engine/commit.ts', 'const clock = Date.now'],
  ['wall clock', 'commands/serve.ts', 'const at = new Date( )'],
  ['wall clock', 'src/cli/output/output.ts', 'const at = new Date'],
  ['monotonic clock', 'src/engine/commit.ts', 'const at = performance.now()'],
  ['randomness', 'src/domain/core/money.ts', 'const id = Math.random()'],
  ['randomness', 'src/webhooks/sign.ts', 'const id = randomBytes(16)'],
  ['randomness', 'src/daemon/app.ts', 'const id = crypto.randomUUID()'],
  ['timer', 'src/daemon/start.ts', 'setTimeout(work, 9)'],
  ['timer', 'src/daemon/start.ts', 'globalThis.setInterval(work, 9)'],
  ['timer', 'src/webhooks/worker.ts', 'const later = { wait: setImmediate }'],
  ['outbound HTTP', 'src/cli/service/service-discovery.ts', 'await fetch(url)'],
  ['outbound HTTP', 'src/daemon/app.ts', 'http.request(url)'],
  ['HTTP server', 'src/client/stream.ts', 'createServer()'],
  ['standard output', 'commands/events/list.ts', 'process.stdout.write(text)'],
]

for (const [feature, path, line] of RESTRICTED) {
  test(`restrictedCode reports \`${line}\` in ${path}`, () => {
    reports(restrictedCode([file(path, line)]), new RegExp(`^${path}:1 uses .*\\(${feature}\\): `))
  })
}

test('restrictedCode ignores comments, strings, types and similar names', () => {
  const lines = [
    '// Date.now()',
    "const said = 'call fetch(url) or new Date() or Math.random()'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a template
    'const page = `setTimeout( ${nested(`createServer()`, { a: 1 })} new Date()`',
    'const pattern = /process.stdout("[/\'"]/.test(said) && 4 / 2 / 1',
    'const at = new Date(seconds * 1000)',
    'let timer: ReturnType<typeof setTimeout>',
    'socket.setTimeout(9); repository.fetch(id)',
  ]
  reports(restrictedCode([file('src/engine/commit.ts', ...lines)]))
})

test('restrictedCode ignores files that may use the feature, and tests', () => {
  reports(
    restrictedCode([
      file('src/daemon/system/clock.ts', 'new Date(); Date.now()'),
      file('test/support/suite.ts', 'setTimeout(f)'),
    ]),
  )
})

test('daemonTexts reports strings and documents, but no code, comments and file names', () => {
  const code = [
    "import { stop } from './daemon.ts'",
    '// The daemon',
    'daemon.stop()',
    "const a = 'daemon.json'",
  ]
  const texts = ["const b = 'Start a daemon.'", 'const c = `the daemon`']
  reports(daemonTexts([file('src/cli/a.ts', ...code, ...texts)]), /^src\/cli\/a.ts:5 /, /^src\/cli\/a.ts:6 /)
  reports(daemonTexts([file('a.md', 'The record `daemon.json` of a daemon')]), /^a.md:1 calls/)
})

test('folderCycles reports folders that import each other, also by type and import()', () => {
  reports(
    folderCycles([
      file('src/api/a.ts', 'import {', '  b,', "} from '../engine/b.ts'"),
      file('src/engine/b.ts', "import type { C } from './c.ts'"),
      file('src/engine/c.ts', "export * from '../store/d.ts'"),
      file('src/store/d.ts', "const e = () => import('../api/e.ts')"),
    ]),
    /: src\/api → src\/engine → src\/store → src\/api$/,
  )
})

test('folderCycles accepts imports in one direction', () => {
  const files = [file('src/api/a.ts', "import '../engine/b.ts'"), file('src/engine/b.ts', "import './c.ts'")]
  reports(folderCycles(files))
})

test('brokenWalks reports steps without a file or in the wrong order, and missing sections', () => {
  const sources: Readonly<Record<string, string>> = {
    'src/a.ts': "import { b } from './b.ts'",
    'src/b.ts': "export const load = () => import('./sub/c.ts')",
    'src/sub/c.ts': '',
  }
  const read = (path: string) => sources[path] ?? null
  const walk = (...steps: string[]) =>
    `# D\n\n## Walk\n\n${steps.map((step, at) => `${at + 1}. ${step}`).join('\n')}\n\n## Next\n\n1. text\n`
  const check = (...steps: string[]) => brokenWalks(walk(...steps), ['Walk'], read)
  reports(check('`src/a.ts` calls', '`src/b.ts` which loads', '`src/sub/c.ts`.'))
  reports(check('`src/a.ts`', '`src/sub/c.ts`', '`src/b.ts`'), /^src\/sub\/c\.ts: imported by no file/)
  reports(check('`src/a.ts`', '`src/b.ts`', 'a step without a file'), /: no such file$/)
  reports(brokenWalks('# D\n', ['Walk'], read), /^Walk: 0 steps$/)
})

test('missingDocComments reports exported values without a doc comment', () => {
  const source = file(
    'src/domain/core/money.ts',
    '// not a doc comment',
    'export function add() {}',
    '/** Too far away. */',
    '',
    'export const MOST = 1',
    '/** Of something else. */',
    'const inner = 2',
    'export async function later() {}',
    'function listed() {}',
    'export { listed }',
    'export class ApiError {}',
  )
  const expected = [/:2 exports add /, /:5 exports MOST /, /:8 exports later /, /:11 exports ApiError /]
  reports(missingDocComments([source]), ...expected, /:9 exports listed /)
})

test('missingDocComments accepts documented values, further overloads and types', () => {
  const source = file(
    'src/domain/core/money.ts',
    '/** Adds two amounts in minor units. */',
    'export function add(a: number, b: number): number',
    'export function add(a: bigint, b: bigint): bigint',
    'export type Money = { amount: number }',
    '/**',
    ' * The most one payment may be, in minor units.',
    ' */',
    'export const MOST = 99_999_999',
  )
  reports(missingDocComments([source]))
})

test('suitesNotRun reports suites without run() and tests with only()', () => {
  const suites = [
    file(
      'test/a.test.ts',
      "const test = suite('a')",
      "const b = suite<{ a: 1 }>('b')",
      '// test.run()',
      'b.run()',
    ),
    file('test/b.test.ts', "suite('b')('c', () => {})"),
    file('test/c.test.ts', "test.only('d', e)"),
  ]
  reports(
    suitesNotRun(suites),
    /^test\/a\.test\.ts .* never calls test\.run\(\)/,
    /^test\/b\.test\.ts makes a suite without keeping it/,
    /^test\/c\.test\.ts:1 skips every other test/,
  )
})

test('testsWithoutSource reports tests and test folders without a source file of the same name', () => {
  const paths = [
    'src/domain/core/money.ts',
    'commands/customers/create.ts',
    'commands/serve.ts',
    'test/domain/core/money.test.ts',
    'test/domain/core/money.rounding.test.ts',
    'test/domain/core/vectors.ts',
    'test/commands/customers.test.ts',
    'test/commands/serve.test.ts',
    'test/browser/a.test.ts',
    'test/domain/core/mon.test.ts',
    'test/gone/a.ts',
    'test/commands/create.test.ts',
  ]
  const files = paths.map((path) => file(path))
  reports(
    testsWithoutSource(files),
    /^test\/domain\/core\/mon\.test\.ts .*src\/domain\/core\/mon\.ts/,
    /src\/gone\//,
    /create\.ts/,
  )
})

test('topLevel reports unexpected and missing names at the root', () => {
  const names = ['bin', 'src', 'commands', 'test', 'oclif.manifest.json', 'package.json', 'README.md']
  const problems = topLevel([...names, 'docs', '.ci', 'dist', 'a.tgz'], ['dist/', '*.tgz'])
  reports(problems, /^docs does not belong/, /^tsconfig\.json is missing/)
})

test('documentPaths reports paths in backticks that do not exist', () => {
  const text =
    'See `src/gone.ts`, `src/there.ts`, `src/*.ts`, `src/<folder>/x.ts`, `npm test`, src/no-ticks.ts'
  reports(
    documentPaths([file('README.md', text)], (path) => path === 'src/there.ts'),
    /^README\.md names src\/gone\.ts/,
  )
})

test('missingTests reports table rows whose test does not exist', () => {
  const table =
    '| 1 | a | `test/a.test.ts`: kept |\n| 2 | b | `test/a.test.ts`: broken |\n| 3 | c | `test/gone.test.ts`: kept |\n'
  const read = (path: string) => (path === 'test/a.test.ts' ? "test('it is kept', …)" : undefined)
  reports(missingTests(table, read), /^test\/a\.test\.ts has no test titled: broken/, /^test\/gone\.test\.ts/)
})

test('manifestProblems reports a missing and a stale manifest', () => {
  const current = { version: '1.0.0', commands: { a: { flags: {} }, b: {} } }
  reports(manifestProblems(undefined, current), /run npm run manifest$/)
  const stale = '{"version":"0.9.0","commands":{"a":{"flags":{"x":1}},"c":{}}}'
  reports(
    manifestProblems(stale, current),
    /stale for 'a'/,
    /stale for 'c'/,
    /stale for 'b'/,
    /another version/,
  )
})

test('manifestProblems reports a manifest that is not formatted as npm pack writes it', () => {
  const current = { version: '1.0.0', commands: { b: {}, a: { flags: {} } } }
  reports(manifestProblems(manifestText(current), current))
  const unsorted = '{"commands":{"b":{},"a":{"flags":{}}},"version":"1.0.0"}'
  reports(manifestProblems(unsorted, current), /not written as npm pack writes it: run npm run manifest/)
})

test('compiledWithoutSource reports compiled files whose source was removed', () => {
  const problems = compiledWithoutSource(
    ['src/a.js', 'commands/b.js', 'src/tui/c.js'],
    ['src/a.ts', 'src/tui/c.tsx'],
  )
  reports(problems, /^dist\/commands\/b\.js has no source/)
})

test.run()
