import { readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  deleteSandboxSecrets,
  findStoredSandbox,
  readStoredSandboxes,
  type StoredSandbox,
  storeSandboxSecrets,
} from '../../../src/cli/service/sandbox-keys.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/sandbox-keys')

const BASE = 'http://127.0.0.1:4100'

function sandbox(id: string, name: string | null, created = 1_800_000_000): StoredSandbox {
  const secrets = { api_key: `paysk_test_${id}`, webhook_secret: `whsec_${id}` }
  return { id, name, created, ...secrets, checkout_url: `http://127.0.0.1:4101/${id}` }
}

/** Returns the path of the only file below the folder of stored sandboxes. */
function onlyFile(home: string): string {
  const [folder = ''] = readdirSync(join(home, 'sandboxes'))
  const [file = ''] = readdirSync(join(home, 'sandboxes', folder))
  return join(home, 'sandboxes', folder, file)
}

test('stores only the known fields of a sandbox, in a file that only its owner can read', async () => {
  const env = { PAYCLI_HOME: join(newFolder(), 'home') }
  const stored = sandbox('sbx_1', 'worker-1')
  await storeSandboxSecrets(env, BASE, { ...stored, objects: 3 } as StoredSandbox)
  assert.equal(readStoredSandboxes(env, BASE), [stored])
  const file = onlyFile(env.PAYCLI_HOME)
  assert.is(statSync(file).mode & 0o777, 0o600)
  assert.is(statSync(join(file, '..')).mode & 0o777, 0o700)
})

test('keeps all keys that are stored concurrently', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  const all = Array.from({ length: 20 }, (_, index) => sandbox(`sbx_${index}`, null, index))
  await Promise.all(all.map((one) => storeSandboxSecrets(env, BASE, one)))
  assert.equal(readStoredSandboxes(env, BASE), all.toReversed())
})

test('does not find a sandbox that is stored for another address', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  await storeSandboxSecrets(env, BASE, sandbox('sbx_1', 'one'))
  await storeSandboxSecrets(env, 'https://pay.example.com/a', {
    ...sandbox('sbx_1', 'two'),
    api_key: 'remote',
  })
  assert.is(findStoredSandbox(env, BASE, 'two'), undefined)
  assert.is(findStoredSandbox(env, 'https://pay.example.com/a', 'sbx_1')?.api_key, 'remote')
})

test('finds a sandbox by id before name, and the newest of several sandboxes with the same name', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  await storeSandboxSecrets(env, BASE, sandbox('sbx_new', 'worker', 30))
  await storeSandboxSecrets(env, BASE, sandbox('sbx_old', 'worker', 10))
  await storeSandboxSecrets(env, BASE, sandbox('sbx_odd', 'sbx_old', 40))
  assert.is(findStoredSandbox(env, BASE, 'worker')?.id, 'sbx_new')
  assert.is(findStoredSandbox(env, BASE, 'sbx_old')?.id, 'sbx_old')
})

test('orders sandboxes created in the same second by the modification time of their files', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  await storeSandboxSecrets(env, BASE, sandbox('sbx_b', 'worker'))
  utimesSync(onlyFile(env.PAYCLI_HOME), 2_000_000_000, 2_000_000_000)
  await storeSandboxSecrets(env, BASE, sandbox('sbx_a', 'worker'))
  assert.is(findStoredSandbox(env, BASE, 'worker')?.id, 'sbx_b')
})

test('deletes only the stored key of the sandbox with the given id, and ignores a path', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  await storeSandboxSecrets(env, BASE, sandbox('sbx_1', null, 1))
  await storeSandboxSecrets(env, BASE, sandbox('sbx_2', null, 2))
  writeFileSync(join(env.PAYCLI_HOME, 'config.json'), '{}')
  deleteSandboxSecrets(env, BASE, '../../config')
  deleteSandboxSecrets(env, BASE, 'sbx_1')
  deleteSandboxSecrets(env, BASE, 'sbx_1')
  assert.equal(
    readStoredSandboxes(env, BASE).map(({ id }) => id),
    ['sbx_2'],
  )
  assert.ok(readdirSync(env.PAYCLI_HOME).includes('config.json'))
})

test('ignores an incomplete file, and rejects a symbolic link', async () => {
  const env = { PAYCLI_HOME: newFolder() }
  await storeSandboxSecrets(env, BASE, sandbox('sbx_1', 'one'))
  const file = onlyFile(env.PAYCLI_HOME)
  writeFileSync(join(file, '..', 'sbx_2.json'), '{"id":"sbx_2"}')
  assert.is(readStoredSandboxes(env, BASE).length, 1)
  symlinkSync(file, join(file, '..', 'sbx_3.json'))
  assert.match(usageErrorFrom(() => readStoredSandboxes(env, BASE)).message, 'symbolic link')
})

test('returns no stored sandboxes without a home folder', () =>
  assert.equal(readStoredSandboxes({ PAYCLI_HOME: join(newFolder(), 'none') }, BASE), []))

test.run()
