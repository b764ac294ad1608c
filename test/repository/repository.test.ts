import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { RESOURCES } from '../../src/api/resources/catalog.ts'
import { commandReferenceProblems } from '../support/repository/command-reference.ts'
import { missingDocComments } from '../support/repository/doc-comments.ts'
import { daemonTexts, documentPaths, missingTests } from '../support/repository/documents.ts'
import { withEventTable } from '../support/repository/event-table.ts'
import { folderCycles } from '../support/repository/folder-cycles.ts'
import { testsWithoutSource, topLevel } from '../support/repository/layout.ts'
import {
  bundledPackages,
  lockEngines,
  lockGaps,
  lockHosts,
  lockIntegrity,
  newerEngines,
  pins,
} from '../support/repository/lock-file.ts'
import { compiledWithoutSource, currentManifest, manifestProblems } from '../support/repository/manifest.ts'
import { restrictedCode } from '../support/repository/restricted-code.ts'
import { pathsIn, readOptional, readSources } from '../support/repository/source-files.ts'
import { suitesNotRun } from '../support/repository/suites.ts'
import { brokenWalks } from '../support/repository/walks.ts'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('repository')

const DOCUMENTS = [
  'README.md',
  '.github/ARCHITECTURE.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...pathsIn(ROOT, '.github/guides', ['.md']),
]
const files = readSources(ROOT)

function none(problems: string[]): void {
  if (problems.length === 0) return
  const error = new Error(`${problems.length} found:\n    ${problems.join('\n    ')}`)
  // The stack would only repeat the list.
  error.stack = ''
  throw error
}

test('has source files', () => assert.ok(files.length > 500, `${files.length} files found in ${ROOT}`))
test('has no import cycles between folders', () => none(folderCycles(files)))
test('uses clocks, randomness, timers, network and output only where allowed', () =>
  none(restrictedCode(files)))
test('documents every exported value', () => none(missingDocComments(files)))
test('exports each name from one module', () => {
  // Their functions are read with a prefix, as in p.id, or named after a kind of flag.
  const builders = [
    'src/domain/core/params.ts',
    'src/domain/core/schema.ts',
    'src/cli/parse/flag-builders.ts',
  ]
  const sources = files.filter(({ path }) => path.startsWith('src/') && !builders.includes(path))
  const exported = sources.flatMap(({ path, text }) =>
    Array.from(
      text.matchAll(/^export (?:async |abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm),
      ([, name = '']) => ({ name, path }),
    ),
  )
  const modules = Map.groupBy(exported, ({ name }) => name)
  const paths = Array.from(modules, ([name, all]) => [name, new Set(all.map(({ path }) => path))] as const)
  none(paths.filter(([, all]) => all.size > 1).map(([name, all]) => `${name}: ${[...all].join(', ')}`))
})
test('runs every test suite', () => none(suitesNotRun(files)))
test('keeps tests in the folder of their source', () => none(testsWithoutSource(files)))

test('has only the expected names at the top level', () => {
  const ignored = (readOptional(ROOT, '.gitignore') ?? '').split('\n').filter((line) => line !== '')
  none(topLevel(readdirSync(ROOT), ignored))
})

test('has documents that name existing paths only', () => {
  const documents = DOCUMENTS.map((path) => ({ path, text: readOptional(ROOT, path) ?? '' }))
  none(documents.filter(({ text }) => text === '').map(({ path }) => `${path} is missing`))
  none(documentPaths(documents, (path) => existsSync(join(ROOT, path))))
})

test('the steps for a request, a renewal and an advance name files that import each other in that order', () => {
  const headings = ['How a request is executed', 'How a renewal happens', 'How a test clock advances']
  const architecture = readOptional(ROOT, '.github/ARCHITECTURE.md') ?? ''
  none(brokenWalks(architecture, headings, (path) => readOptional(ROOT, path) ?? null))
})

test('every printed string and guide calls the running process a server', () => {
  const product = files.filter(({ path }) => path.startsWith('src/') || path.startsWith('commands/'))
  const guides = ['README.md', ...pathsIn(ROOT, '.github/guides', ['.md'])]
  none(daemonTexts([...product, ...guides.map((path) => ({ path, text: readOptional(ROOT, path) ?? '' }))]))
})

test('has a test for every security rule', () => {
  const table = readOptional(ROOT, '.github/SECURITY.md') ?? ''
  assert.is(table.match(/^\| \d+ \|/gm)?.length, 29)
  none(missingTests(table, (path) => readOptional(ROOT, path)))
})

test('exports the type of the objects of every resource from src/api/index.ts', () => {
  const index = readOptional(ROOT, 'src/api/index.ts') ?? ''
  const exported = String(index.match(/^export type [^']*'[^']*'/gm))
  const expected = RESOURCES.map(({ name }) => `/${name.replaceAll('_', '-')}.ts'`)
  none(expected.filter((file) => !exported.includes(file)))
})

for (const folder of ['', '.ci/tools'])
  test(`has exact versions and a complete lock file that names no host in /${folder}`, () => {
    none(pins(readOptional(ROOT, join(folder, 'package.json')) ?? ''))
    const lock = readOptional(ROOT, join(folder, 'package-lock.json')) ?? ''
    none([...lockHosts(lock), ...lockGaps(lock), ...lockIntegrity(lock), ...lockEngines(lock)])
  })

test('the engines in package.json include Node.js 20.16, so that npx prints no warning', () =>
  none(newerEngines('20.16', new Map([['package.json', readOptional(ROOT, 'package.json') ?? '']]))))

test('bundles only packages that run on the oldest Node.js that the launcher accepts', () => {
  const [, oldest = ''] = /Node\.js ([\d.]+) or newer/.exec(readOptional(ROOT, 'bin/old-node.js') ?? '') ?? []
  assert.match(oldest, /^\d+\.\d+$/)
  const licenses = readOptional(ROOT, 'dist/bundle/THIRD-PARTY-LICENSES') ?? ''
  const paths = bundledPackages(licenses, readOptional(ROOT, 'package-lock.json') ?? '{"packages":{}}')
  assert.ok(paths.length > 50, `${paths.length} packages found`)
  const bundled = new Map(paths.map((path) => [path, readOptional(ROOT, join(path, 'package.json')) ?? '{}']))
  none(newerEngines(oldest, bundled))
})

test('has a source for every compiled file', () => {
  const compiled = ['src', 'commands'].flatMap((folder) => pathsIn(join(ROOT, 'dist'), folder, ['.js']))
  const sources = files.map(({ path }) => path)
  none(compiledWithoutSource(compiled, sources))
})

test('has a current command manifest', async () => {
  none(manifestProblems(readOptional(ROOT, 'oclif.manifest.json'), await currentManifest(ROOT)))
})

test('has a current command reference', () => {
  const manifest = readOptional(ROOT, 'oclif.manifest.json') ?? ''
  none(commandReferenceProblems(manifest, readOptional(ROOT, '.github/COMMANDS.md')))
})

test('webhooks.md has the description of every event type', () => {
  const guide = readOptional(ROOT, '.github/guides/webhooks.md') ?? ''
  assert.is(guide, withEventTable(guide))
})

test.run()
