import {
  bundledPackages,
  lockEngines,
  lockGaps,
  lockHosts,
  lockIntegrity,
  newerEngines,
  pins,
} from '../support/repository/lock-file.ts'
import { reports } from '../support/repository/reports.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('repository/lock-file')

test('pins reports versions that are not exact', () => {
  const json =
    '{"dependencies":{"a":"^1.0.0","b":"1.0.0"},"devDependencies":{"c":"latest","d":"1.0.0-beta.1"}}'
  reports(pins(json), /has a \^1\.0\.0/, /has c latest/)
})

test('lockHosts reports hosts in the lock file', () => {
  const lock = '{"resolved": "https://registry.invalid/a.tgz"}, {"resolved": "test/local"}'
  reports(lockHosts(lock), /names the host registry\.invalid/)
})

test('lockGaps reports optional packages that are not locked', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { b: '1.0.0', c: '1.0.0', d: '1.0.0' } },
    'node_modules/a/node_modules/b': {},
    'node_modules/d': {},
  }
  reports(lockGaps(JSON.stringify({ packages })), /leaves out c, which node_modules\/a names/)
})

test('lockIntegrity reports registry packages without a SHA-512 value', () => {
  const packages = {
    '': {},
    'node_modules/a': { integrity: `sha512-${'A'.repeat(86)}==` },
    'node_modules/b': { version: '1.0.0', optional: true },
    'node_modules/c': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
    'node_modules/d': { link: true },
    'node_modules/a/node_modules/e': { inBundle: true },
  }
  const problems = lockIntegrity(JSON.stringify({ packages }))
  reports(problems, /no integrity for node_modules\/b:/, /no integrity for node_modules\/c:/)
})

test('lockEngines reports packages with engines in the lock file', () => {
  const packages = {
    '': { engines: { node: '>=22.13' } },
    'node_modules/a': { engines: { node: '>=18' } },
    'node_modules/b': {},
  }
  reports(lockEngines(JSON.stringify({ packages })), /has engines of node_modules\/a: delete them$/)
})

test('bundledPackages finds the packages of the bundle by name and version', () => {
  const packages = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/@scope/b': { version: '2.0.0' },
    'node_modules/c': { version: '3.0.0' },
    'node_modules/a/node_modules/c': { version: '3.1.0' },
    'node_modules/d': { version: '4.0.0' },
  }
  const licenses = ['@scope/b 2.0.0 (MIT)\n', 'a 1.0.0 (ISC)\n\nd 4.0.0 (MIT)\n', 'c 3.1.0 (MIT)\n']
  assert.equal(bundledPackages(licenses.join(`\n${'-'.repeat(78)}\n\n`), JSON.stringify({ packages })), [
    'node_modules/a',
    'node_modules/@scope/b',
    'node_modules/a/node_modules/c',
  ])
})

test('newerEngines reports packages that require a newer Node.js version', () => {
  const bundled = {
    a: { engines: { node: '>=22.19.0' } },
    b: { engines: { node: '^20.1 || >=24' } },
    c: { engines: { node: '>= 18' } },
    d: { engines: { node: '18 || 20 || >=22' } },
    e: { engines: { node: '^22.12.0' } },
    f: {},
  }
  const json = Object.entries(bundled).map(([path, one]) => [path, JSON.stringify(one)] as const)
  reports(newerEngines('22.13', new Map(json)), /^a needs Node >=22\.19\.0,/, /^b /)
})

test.run()
