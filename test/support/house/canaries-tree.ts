import { type Canary, file } from './canary.ts'
import { manifestProblems, manifestText, orphans } from './manifest.ts'
import {
  documentPaths,
  lockEngines,
  lockGaps,
  lockHosts,
  lockIntegrity,
  mirrors,
  missingProofs,
  pins,
  topLevel,
} from './tree.ts'

const ENGINES = {
  packages: {
    '': { engines: { node: '>=22.13' } },
    'node_modules/a': { engines: { node: '>=22.19.0' } },
    'node_modules/b': { engines: { node: '^20.1 || >=24' } },
    'node_modules/c': { engines: { node: '>= 18' } },
    'node_modules/d': { engines: { node: '18 || 20 || >=22' } },
    'node_modules/e': { engines: { node: '^22.12.0' } },
    'node_modules/f': { dev: true, engines: { node: '>=24' } },
  },
}

const LOCK = {
  packages: {
    'node_modules/a': { optionalDependencies: { b: '1.0.0', c: '1.0.0', d: '1.0.0' } },
    'node_modules/a/node_modules/b': {},
    'node_modules/d': {},
  },
}

const INTEGRITIES = {
  packages: {
    '': {},
    'node_modules/a': { integrity: `sha512-${'A'.repeat(86)}==` },
    'node_modules/b': { version: '1.0.0', optional: true },
    'node_modules/c': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    'node_modules/d': { link: true },
    'node_modules/a/node_modules/e': { inBundle: true },
  },
}

const MANIFEST = { version: '1.0.0', commands: { a: { flags: {} }, b: {} } }

/** What the rules about the tree, its documents and the manifest must find and leave alone. */
export const TREE_CANARIES: Canary[] = [
  {
    rule: 'tests mirror sources',
    finds: mirrors([
      ...['src/domain/money.ts', 'commands/customers/create.ts', 'commands/serve.ts'].map((path) =>
        file(path),
      ),
      ...['test/domain/money.test.ts', 'test/domain/money.rounding.test.ts', 'test/domain/vectors.ts'].map(
        (path) => file(path),
      ),
      ...['test/commands/customers.test.ts', 'test/commands/serve.test.ts', 'test/browser/a.test.ts'].map(
        (path) => file(path),
      ),
      ...['test/domain/mon.test.ts', 'test/gone/a.ts', 'test/commands/create.test.ts'].map((path) =>
        file(path),
      ),
    ]),
    says: [
      /^test\/domain\/mon\.test\.ts mirrors nothing: there is no src\/domain\/mon\.ts/,
      /no src\/gone\//,
      /no commands\/create\.ts/,
    ],
  },
  {
    rule: 'the top level is fixed',
    finds: topLevel(
      [
        'bin',
        'src',
        'commands',
        'test',
        'oclif.manifest.json',
        'package.json',
        'README.md',
        'docs',
        '.ci',
        'dist',
        'a.tgz',
      ],
      ['dist/', '*.tgz'],
    ),
    says: [/^docs does not belong/, /^tsconfig\.json is missing/],
  },
  {
    rule: 'documents name what is there',
    finds: documentPaths(
      [
        file(
          'README.md',
          'See `src/gone.ts`, `src/there.ts`, `src/*.ts`, `src/<room>/x.ts`, `npm test`, src/no-ticks.ts',
        ),
      ],
      (path) => path === 'src/there.ts',
    ),
    says: [/^README\.md names src\/gone\.ts/],
  },
  {
    rule: 'rules are proved by tests that are there',
    finds: missingProofs(
      '| 1 | a | `test/a.test.ts`: kept |\n| 2 | b | `test/a.test.ts`: broken |\n| 3 | c | `test/gone.test.ts`: kept |\n',
      (path) => (path === 'test/a.test.ts' ? "test('it is kept', …)" : undefined),
    ),
    says: [/^test\/a\.test\.ts has no test that says: broken/, /^test\/gone\.test\.ts/],
  },
  {
    rule: 'versions are exact',
    finds: pins(
      '{"dependencies":{"a":"^1.0.0","b":"1.0.0"},"devDependencies":{"c":"latest","d":"1.0.0-beta.1"}}',
    ),
    says: [/asks for a \^1\.0\.0/, /asks for c latest/],
  },
  {
    rule: 'the lock names no host',
    finds: lockHosts('{"resolved": "https://registry.invalid/a.tgz"}, {"resolved": "test/local"}'),
    says: [/names the host registry\.invalid/],
  },
  {
    rule: 'the lock leaves nothing out',
    finds: lockGaps(JSON.stringify(LOCK)),
    says: [/leaves out c, which node_modules\/a names/],
  },
  {
    rule: 'every package of the lock has an integrity value',
    finds: lockIntegrity(JSON.stringify(INTEGRITIES)),
    says: [/no integrity for node_modules\/b:/, /no integrity for node_modules\/c:/],
  },
  {
    rule: 'the oldest Node that is promised will do for what is installed',
    finds: lockEngines(JSON.stringify(ENGINES)),
    says: [/^node_modules\/a wants Node >=22\.19\.0,/, /^node_modules\/b wants Node \^20\.1 \|\| >=24,/],
  },
  {
    rule: 'a manifest is there',
    finds: manifestProblems(undefined, MANIFEST),
    says: [/run npm run manifest$/],
  },
  {
    rule: 'the manifest is fresh',
    finds: manifestProblems('{"version":"0.9.0","commands":{"a":{"flags":{"x":1}},"c":{}}}', MANIFEST),
    says: [/stale for 'a': run npm run manifest/, /stale for 'c'/, /stale for 'b'/, /another version/],
  },
  {
    rule: 'the manifest is sorted, in whatever order its commands are found',
    finds: [
      ...manifestProblems(manifestText(MANIFEST), {
        version: '1.0.0',
        commands: { b: {}, a: { flags: {} } },
      }),
      ...manifestProblems('{"commands":{"b":{},"a":{"flags":{}}},"version":"1.0.0"}', MANIFEST),
    ],
    says: [/not written as npm pack writes it: run npm run manifest/],
  },
  {
    rule: 'what is compiled has a source',
    finds: orphans(['src/a.js', 'commands/b.js', 'src/tui/c.js'], ['src/a.ts', 'src/tui/c.tsx']),
    says: [/^dist\/commands\/b\.js has no source/],
  },
]
