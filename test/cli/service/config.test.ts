import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FlagValues } from '../../../src/cli/parse/params.ts'
import { resolveConnectionConfig } from '../../../src/cli/service/config.ts'
import { storeSandboxSecrets } from '../../../src/cli/service/sandbox-keys.ts'
import { findLocalDaemon } from '../../../src/cli/service/service-discovery.ts'
import type { ServerConnection } from '../../../src/client/server-connection.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/config')

const DAEMON = { api_url: 'http://127.0.0.1:5000', api_key: 'paysk_test_local' }
const addressOf = ({ apiBase, apiKey }: ServerConnection) => ({ apiBase, apiKey })
const REMOTE = 'https://pay.example.com'

/** Returns an environment whose home folder has the file of a local daemon, or no file. */
function envWith(daemon: typeof DAEMON | null) {
  const home = newFolder()
  if (daemon !== null) writeFileSync(join(home, 'daemon.json'), JSON.stringify(daemon))
  return { PAYCLI_HOME: home }
}

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
    const config = resolveConnectionConfig(Object(flags), envWith(daemon))
    assert.equal(addressOf(config), { apiBase, apiKey })
    const { 'api-base': base, 'api-key': key } = Object(flags)
    const isProofRequired = apiBase === daemon?.api_url && !(base && key)
    assert.is(config.readServerSecret !== undefined, isProofRequired)
  })
}

test('reads no file when flags give the address and the key', () => {
  const env = envWith(null)
  for (const name of ['daemon.json', 'config.json']) symlinkSync('nowhere', join(env.PAYCLI_HOME, name))
  usageErrorFrom(() => resolveConnectionConfig({}, env))
  const config = resolveConnectionConfig({ 'api-base': REMOTE, 'api-key': 'own' }, env)
  assert.equal(addressOf(config), { apiBase: REMOTE, apiKey: 'own' })
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
    const { param } = usageErrorFrom(() => resolveConnectionConfig({ 'api-base': base }, envWith(null)))
    assert.is(param, 'api-base')
  })
}

for (const key of ['paysk_test_1\n', 'paysk test', 'paysk_tést', '\u0000']) {
  test(`rejects the API key ${JSON.stringify(key)} without printing it`, () => {
    const { message } = usageErrorFrom(() => resolveConnectionConfig({ 'api-key': key }, envWith(null)))
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
    const home = newFolder()
    writeFileSync(join(home, 'daemon.json'), content)
    assert.equal(findLocalDaemon({ PAYCLI_HOME: home }), daemon)
  })
}

test('returns null without a locator file', () =>
  assert.is(findLocalDaemon({ PAYCLI_HOME: join(newFolder(), 'none') }), null))

/** Stores the key of the sandbox `worker-1` of the local daemon, and returns its environment. */
async function withStoredSandbox() {
  const env = envWith(DAEMON)
  const secrets = { api_key: 'paysk_test_sandbox', webhook_secret: 'whsec_x', checkout_url: 'http://x/sbx_1' }
  await storeSandboxSecrets(env, DAEMON.api_url, { id: 'sbx_1', name: 'worker-1', created: 1, ...secrets })
  return env
}

const SANDBOX_KEYS: readonly (readonly [flags: object, env: object, key: string])[] = [
  [{ sandbox: 'worker-1' }, {}, 'paysk_test_sandbox'],
  [{ sandbox: 'sbx_1' }, {}, 'paysk_test_sandbox'],
  [{ sandbox: 'default' }, {}, DAEMON.api_key],
  [{ sandbox: '' }, {}, DAEMON.api_key],
  [{ sandbox: 'default', 'api-key': 'own' }, {}, 'own'],
  [{ sandbox: 'worker-1', 'api-key': 'own' }, { PAYCLI_API_KEY: 'own' }, 'paysk_test_sandbox'],
  [{ sandbox: 'worker-1', 'api-key': 'own' }, { PAYCLI_SANDBOX: 'worker-1' }, 'own'],
]

for (const [flags, more, apiKey] of SANDBOX_KEYS) {
  test(`uses the key ${apiKey} for the flags ${JSON.stringify(flags)} with the variables ${JSON.stringify(more)}`, async () => {
    const env = { ...(await withStoredSandbox()), ...more }
    assert.equal(addressOf(resolveConnectionConfig(Object(flags), env)), {
      apiBase: DAEMON.api_url,
      apiKey,
    })
  })
}

for (const [env, message] of [
  [{}, '--sandbox and --api-key cannot both be set'],
  [
    { PAYCLI_API_KEY: 'own', PAYCLI_SANDBOX: 'worker-1' },
    'PAYCLI_SANDBOX and PAYCLI_API_KEY cannot both be set',
  ],
] as const) {
  test(`rejects a sandbox and a key when ${Object.keys(env).length === 0 ? 'flags' : 'variables'} give both`, () => {
    const flags = { sandbox: 'worker-1', 'api-key': 'own' }
    const error = usageErrorFrom(() => resolveConnectionConfig(flags, env))
    assert.match(error.message, message)
    assert.is(error.param, 'sandbox')
  })
}

test('the error for an unknown sandbox lists the stored sandboxes and explains how to continue', async () => {
  const env = await withStoredSandbox()
  const { message, hint } = usageErrorFrom(() => resolveConnectionConfig({ sandbox: 'worker-2' }, env))
  assert.is(message, `No key of sandbox 'worker-2' at ${DAEMON.api_url} is stored.`)
  assert.is(
    hint,
    'Stored: worker-1. Create it: paycli sandboxes create --name worker-2. For a sandbox that was created elsewhere, give its key with --api-key.',
  )
})

test('the error for an unknown sandbox id does not suggest creating a sandbox with this id as its name', () => {
  const env = { PAYCLI_HOME: newFolder() }
  const { hint } = usageErrorFrom(() => resolveConnectionConfig({ sandbox: 'sbx_9' }, env))
  assert.is(hint, 'For a sandbox that was created elsewhere, give its key with --api-key.')
})

test('requires a proof of the server identity before it sends the stored key of a sandbox', async () => {
  const env = await withStoredSandbox()
  assert.ok(resolveConnectionConfig({ sandbox: 'worker-1' }, env).readServerSecret)
  const noServer = envWith(null)
  const base = 'http://127.0.0.1:4100'
  await storeSandboxSecrets(noServer, base, {
    ...{ id: 'sbx_2', name: 'worker-2', created: 1, api_key: 'k' },
    ...{ webhook_secret: 'whsec_y', checkout_url: 'http://x/sbx_2' },
  })
  const isProofRequired = (flags: FlagValues) =>
    resolveConnectionConfig(flags, noServer).readServerSecret !== undefined
  assert.ok(isProofRequired({ sandbox: 'worker-2' }))
  assert.not(isProofRequired({ sandbox: 'worker-2', 'api-base': base }))
})

test('never sends the key of a sandbox to another address', async () => {
  const env = await withStoredSandbox()
  const { code } = usageErrorFrom(() =>
    resolveConnectionConfig({ sandbox: 'worker-1', 'api-base': REMOTE }, env),
  )
  assert.is(code, 'sandbox_unknown')
})

test.run()
