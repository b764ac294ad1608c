import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureApiKey, ensureCredentials } from '../../src/daemon/credentials.ts'
import { createIdGenerators } from '../../src/daemon/system/ids.ts'
import { StartupError } from '../../src/domain/core/startup-error.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeCoordinator } from './fake-coordinator.ts'

const test = suite('daemon/credentials')

const NOW = 1_790_000_000
const KEY = 'paysk_test_one'
const ids = createIdGenerators()
const runtimeOf = (store: Store) => ({ store, newId: ids.newId, wallNow: () => NOW })
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const fileIn = (home: string) => join(home, 'credentials.json')

/** Returns the StartupError that loading must throw. */
async function problem(home: string): Promise<StartupError> {
  const error = await ensureCredentials(home, ids).catch((thrown: unknown) => thrown)
  if (error instanceof StartupError) return error
  throw new Error(`no problem, but ${String(error)}`)
}

test('generates credentials on the first call, and returns the stored credentials on later calls', async () => {
  const home = join(newFolder(), 'new', 'home')
  const made = await ensureCredentials(home, ids)
  assert.match(made.api_key, /^paysk_test_[0-9A-Za-z]{32}$/)
  assert.match(made.webhook_secret, /^whsec_[0-9A-Za-z+/]{32}$/)
  assert.equal(await ensureCredentials(home, createIdGenerators()), made)
  assert.equal(JSON.parse(readFileSync(fileIn(home), 'utf8')), made)
})

test('creates the credentials file with mode 0600 in a folder with mode 0700', async () => {
  const home = join(newFolder(), 'home')
  await ensureCredentials(home, ids)
  assert.equal([modeOf(home), modeOf(fileIn(home))], ['700', '600'])
})

test('generates a missing webhook secret, keeps the API key and sets the mode of the file to 0600', async () => {
  const home = newFolder()
  writeFileSync(fileIn(home), '{"api_key":"paysk_test_mine"}')
  chmodSync(fileIn(home), 0o644)
  const { api_key, webhook_secret } = await ensureCredentials(home, ids)
  assert.is(api_key, 'paysk_test_mine')
  assert.match(webhook_secret, /^whsec_/)
  assert.is(modeOf(fileIn(home)), '600')
})

test('rejects a symbolic link in place of the credentials file and does not change its target', async () => {
  const [home, elsewhere] = [newFolder(), join(newFolder(), 'target.json')]
  const text = '{"api_key":"paysk_test_planted","webhook_secret":"whsec_planted"}'
  writeFileSync(elsewhere, text)
  symlinkSync(elsewhere, fileIn(home))
  const { code, message } = await problem(home)
  assert.is(code, 'file_is_link')
  assert.match(message, fileIn(home))
  assert.is(readFileSync(elsewhere, 'utf8'), text)
})

for (const text of ['', '{"api_key":"paysk_', 'null', '"text"']) {
  test(`rejects a credentials file with the invalid contents '${text}' and does not change it`, async () => {
    const home = newFolder()
    writeFileSync(fileIn(home), text)
    const { code, message } = await problem(home)
    assert.is(code, 'file_damaged')
    assert.match(message, `${fileIn(home)} is not a JSON object. Restore it from a backup, or remove it`)
    assert.is(readFileSync(fileIn(home), 'utf8'), text)
  })
}

test('the error names an inaccessible path', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  assert.match((await problem(file)).message, `${fileIn(file)} cannot be read: ENOTDIR`)
  const home = newFolder()
  mkdirSync(fileIn(home))
  assert.match((await problem(home)).message, `${fileIn(home)} is a folder, but a file is required.`)
})

test('replaces a revoked key of the home folder, and rejects a revoked key from --api-key', async () => {
  const store = createMemoryStore()
  const home = newFolder()
  const credentials = await ensureCredentials(home, ids)
  const own = { home, credentials, ids, isExposed: false }
  const admitted = (flagKey?: string) => ensureApiKey(runtimeOf(store), { ...own, flagKey })
  assert.is(await admitted(), credentials.api_key)
  assert.is(await admitted(KEY), KEY)
  for (const key of (await store.list('api_keys', { limit: 10 })).data) {
    const put = { ...key, status: 'revoked' as const }
    await store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
  }
  const fresh = await admitted()
  assert.is.not(fresh, credentials.api_key)
  assert.equal(await ensureCredentials(home, ids), { ...credentials, api_key: fresh })
  const problem = await admitted(KEY).catch((thrown: unknown) => thrown)
  assert.ok(problem instanceof StartupError && problem.code === 'api_key_refused')
})

test('an exposed server revokes the keys that earlier servers registered from --api-key', async () => {
  const store = createMemoryStore()
  const home = newFolder()
  const credentials = await ensureCredentials(home, ids)
  const own = { home, credentials, ids }
  await ensureApiKey(runtimeOf(store), { ...own, flagKey: 'test', isExposed: false })
  const statuses = async () => {
    const { data } = await store.list('api_keys', { limit: 10 })
    return data.map(({ last4, status }) => `${last4} ${status}`).sort()
  }
  const kept = `${credentials.api_key.slice(-4)} active`
  assert.equal(await statuses(), ['test active', kept].sort())
  await ensureApiKey(runtimeOf(store), { ...own, flagKey: KEY, isExposed: true })
  assert.equal(await statuses(), ['test revoked', kept, `${KEY.slice(-4)} active`].sort())
})

test('a server does not revoke keys of other servers in a shared database', async () => {
  const store = { ...createMemoryStore(), coordinator: createFakeCoordinator() }
  const services = await Promise.all(
    [KEY, undefined].map(async (flagKey) => {
      const home = newFolder()
      return { home, flagKey, credentials: await ensureCredentials(home, ids), ids, isExposed: true }
    }),
  )
  for (const service of services) await ensureApiKey(runtimeOf(store), service)
  const { data } = await store.list('api_keys', { limit: 10 })
  assert.equal(
    data.map(({ status }) => status),
    ['active', 'active', 'active'],
  )
})

test.run()
