import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../src/cli/service/config.ts'
import { findLocalDaemon } from '../../../src/cli/service/service-discovery.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/config')

const DAEMON = { api_url: 'http://127.0.0.1:5000', api_key: 'paysk_test_local' }
const NO_FILES = { findDaemon: () => null, findProfile: () => ({}) }
const REMOTE = 'https://pay.example.com'

const READ: readonly (readonly [
  flags: object,
  daemon: typeof DAEMON | null,
  base: string,
  key: string | undefined,
])[] = [
  [{}, null, 'http://127.0.0.1:4100', undefined],
  [{}, DAEMON, DAEMON.api_url, DAEMON.api_key],
  [{ 'api-key': 'own' }, DAEMON, DAEMON.api_url, 'own'],
  [{ 'api-key': 'own' }, null, 'http://127.0.0.1:4100', 'own'],
  [{ 'api-base': `${DAEMON.api_url}/` }, DAEMON, DAEMON.api_url, DAEMON.api_key],
  [{ 'api-base': REMOTE }, DAEMON, REMOTE, undefined],
  [{ 'api-base': 'http://127.0.0.1:5001' }, DAEMON, 'http://127.0.0.1:5001', undefined],
  [{ 'api-base': `${DAEMON.api_url}/prefix/` }, DAEMON, `${DAEMON.api_url}/prefix`, undefined],
  [{ 'api-base': REMOTE, 'api-key': 'own' }, DAEMON, REMOTE, 'own'],
  [{ 'api-base': '', 'api-key': '' }, DAEMON, DAEMON.api_url, DAEMON.api_key],
]

for (const [flags, daemon, apiBase, apiKey] of READ) {
  test(`uses ${apiBase} with ${apiKey === undefined ? 'no key' : `the key ${apiKey}`} for the flags ${JSON.stringify(flags)} and ${daemon ? 'a' : 'no'} local daemon`, () => {
    assert.equal(readConfig(Object(flags), {}, { ...NO_FILES, findDaemon: () => daemon }), {
      apiBase,
      apiKey,
    })
  })
}

test('reads no file when flags give the address and the key', () => {
  const fail = () => assert.unreachable('a file was read')
  readConfig(
    { 'api-base': REMOTE, 'api-key': 'own' },
    {},
    { findDaemon: () => Object(fail()), findProfile: () => Object(fail()) },
  )
})

const INVALID_ADDRESSES = [
  'nope',
  'ftp://x',
  'http://u:p@x',
  'http://x/v1',
  'http://x/v1/',
  'http://x?y',
  'http://x#y',
  '127.0.0.1:80',
]

for (const base of INVALID_ADDRESSES) {
  test(`rejects the API address '${base}'`, () => {
    const { param } = usageErrorFrom(() => readConfig({ 'api-base': base }, {}, NO_FILES))
    assert.is(param, 'api-base')
  })
}

for (const key of ['paysk_test_1\n', 'paysk test', 'paysk_tést', '\u0000']) {
  test(`rejects the API key ${JSON.stringify(key)} without printing it`, () => {
    const { message } = usageErrorFrom(() => readConfig({ 'api-key': key }, {}, NO_FILES))
    assert.not.match(message, 'paysk')
  })
}

const LOCATORS: readonly (readonly [content: string, daemon: object | null])[] = [
  [JSON.stringify({ pid: 1, ...DAEMON, checkout_url: 'http://x', db: null }), DAEMON],
  [JSON.stringify({ api_url: DAEMON.api_url }), null],
  ['[]', null],
  ['not JSON', null],
  ['', null],
]

for (const [content, daemon] of LOCATORS) {
  test(`${daemon ? 'returns the daemon from' : 'returns null for'} a locator file with ${content.slice(0, 20) || 'no text'}`, () => {
    const home = mkdtempSync(join(tmpdir(), 'paycli-locator-'))
    writeFileSync(join(home, 'daemon.json'), content)
    assert.equal(findLocalDaemon({ PAYCLI_HOME: home }), daemon)
    rmSync(home, { recursive: true })
  })
}

test('returns null without a locator file', () =>
  assert.is(findLocalDaemon({ PAYCLI_HOME: join(tmpdir(), 'paycli-is-not-here') }), null))

test.run()
