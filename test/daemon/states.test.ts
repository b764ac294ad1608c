import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyDatabase } from '../../src/daemon/copy-database.ts'
import { checkDatabase } from '../../src/daemon/doctor.ts'
import {
  diffDatabases,
  readStateOrigin,
  removeHomeTemporaries,
  restoreState,
  saveState,
} from '../../src/daemon/states.ts'
import type { WebhookEndpoint } from '../../src/domain/events/webhook-endpoints.ts'
import type { WebhookSecret } from '../../src/domain/events/webhook-secrets.ts'
import type { InternalSandboxSecrets } from '../../src/domain/sandboxes/sandbox-secrets.ts'
import { DatabaseDamagedError } from '../../src/store/disk/database-errors.ts'
import { loadDatabase } from '../../src/store/file/recovery.ts'
import { COLLECTION_NAMES, type CollectionName } from '../../src/store/port/collections.ts'
import type { SandboxLocation } from '../../src/store/port/database.ts'
import { loadSandboxContents } from '../../src/store/sandbox-contents.ts'
import { createDatabaseFolder, type DatabaseFolder } from '../store/file/lowdb-folder.ts'
import { customer, put, rejection } from '../store/fixture.ts'
import { SAMPLES } from '../store/samples.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite<{ database: DatabaseFolder; state: string }>('daemon/states')

test.before.each(async (context) => {
  context.database = await createDatabaseFolder()
  context.state = join(newFolder(), 'state.json')
})

test.after.each(({ database }) => database.dispose())

const customersIn = async (file: string) => (await loadDatabase(file)).records.count('customers')

test('saves the current contents of a running database, with its origin', async ({ database, state }) => {
  const store = await database.open()
  await put(store, customer('cus_1'), customer('cus_2'))
  await saveState(database.file, state)
  await put(store, customer('cus_3'))
  await store.close()
  await restoreState(state, database.file)
  assert.is(await customersIn(database.file), 2)
  assert.equal(await readStateOrigin(database.file), { database: database.file, sandbox: 'default' })
})

test('removes the temporary state files of killed processes, but not of a running process', async ({
  database,
  state,
}) => {
  const folder = dirname(state)
  await put(await database.open(), customer('cus_1'))
  const { pid: ended } = spawnSync(process.execPath, ['-e', '0'])
  const other = `other.json.${process.ppid}-x.tmp`
  for (const name of [`state.json.${ended}-x.tmp`, `other.json.${process.pid}-x.tmp`, other, 'mine.tmp'])
    writeFileSync(join(folder, name), '')
  await saveState(database.file, state)
  assert.equal(readdirSync(folder).sort(), ['mine.tmp', other, 'state.json'].sort())
})

test('removes the temporary files of killed processes in the home folder', async () => {
  const home = newFolder()
  for (const folder of ['', 'states', 'services']) {
    mkdirSync(join(home, folder), { recursive: true })
    writeFileSync(join(home, folder, `a.json.${process.pid}-x.tmp`), '')
  }
  await removeHomeTemporaries(home)
  assert.equal(
    ['', 'states', 'services'].flatMap((folder) => readdirSync(join(home, folder))),
    ['services', 'states'],
  )
})

test('restores a state that includes the changes in the journal', async ({ database, state }) => {
  const target = join(newFolder(), 'target.json')
  const store = await database.open()
  await put(store, customer('cus_1'))
  await store.close()
  await put(await database.open(), customer('cus_2'))
  for (const name of readdirSync(database.folder))
    copyFileSync(join(database.folder, name), name.replace(/^paycli\.json/, state))
  await restoreState(state, target)
  assert.is(await customersIn(target), 2)
})

test('a restored database ignores the journals of the replaced database', async ({ database, state }) => {
  await put(await database.open(), customer('cus_1'))
  await saveState(database.file, state)
  const target = join(newFolder(), 'paycli.json')
  for (const name of readdirSync(database.folder))
    copyFileSync(join(database.folder, name), name.replace(/^paycli\.json/, target))
  await restoreState(state, target)
  await rename(target, `${target}.aside`)
  copyFileSync(`${database.file}.journal-0`, `${target}.journal-0`)
  await rename(`${target}.aside`, target)
  assert.is(await customersIn(target), 1)
})

const SANDBOX: SandboxLocation = { id: 'sbx_1', storage: 'durable' }
const { api_keys: KEY, api_key_digests: DIGEST, sandbox_secrets: SECRETS } = SAMPLES

/** Fills a database: a customer in the default sandbox, and another customer in a sandbox with a key. */
async function fillWithSandbox({ openDatabase }: DatabaseFolder): Promise<void> {
  const database = await openDatabase()
  await put(database.defaultStore, customer('cus_default'), { ...SAMPLES.sandboxes, ...SANDBOX })
  const store = await database.openSandbox(SANDBOX)
  await put(store, customer('cus_1'), KEY, DIGEST, SECRETS)
  await store.close()
  await database.close()
}

const idsIn = async (file: string, sandbox?: string) => {
  const { records } = await loadSandboxContents(file, sandbox === undefined ? {} : { sandbox })
  return COLLECTION_NAMES.flatMap((name) => Array.from(records.all(name), ({ id }) => id))
}

test('saves, compares and restores a sandbox, and does not replace its keys and secrets', async ({
  database,
  state,
}) => {
  await fillWithSandbox(database)
  const saved = await saveState(database.file, state, SANDBOX.id)
  assert.equal(saved, { file: state, database: database.file, records: 1 })
  const opened = await database.openDatabase()
  const changed = await opened.openSandbox(SANDBOX)
  const salted: InternalSandboxSecrets = { ...SECRETS, fingerprint_salt: 'other', form_key: 'other' }
  await put(changed, customer('cus_2'), { ...KEY, id: 'key_new' }, salted)
  await changed.close()
  await opened.close()
  const differences = await diffDatabases(state, database.file, SANDBOX.id)
  assert.equal(
    differences.map(({ change, now }) => [change, now?.id]),
    [['added', 'cus_2']],
  )
  await restoreState(state, database.file, SANDBOX.id)
  const { records } = await loadSandboxContents(database.file, { sandbox: SANDBOX.id })
  assert.equal([...records.all('customers')], [customer('cus_1')])
  assert.equal(
    Array.from(records.all('api_keys'), ({ id }) => id),
    [KEY.id, 'key_new'],
  )
  assert.equal(
    [...records.all('sandbox_secrets')],
    [{ ...salted, fingerprint_salt: SECRETS.fingerprint_salt }],
  )
  assert.equal(await idsIn(database.file), ['cus_default', SANDBOX.id])
})

test('a state contains the id of its sandbox, and a restore into the default sandbox keeps the API keys there', async ({
  database,
  state,
}) => {
  await fillWithSandbox(database)
  const store = await database.open()
  await put(store, { ...KEY, id: 'key_default' })
  await store.close()
  await saveState(database.file, state, SANDBOX.id)
  assert.equal(await readStateOrigin(state), { database: database.file, sandbox: SANDBOX.id })
  await restoreState(state, database.file)
  const { records } = await loadSandboxContents(database.file)
  const idsOf = (name: CollectionName) => Array.from(records.all(name), ({ id }) => id)
  assert.equal(idsOf('customers'), ['cus_1'])
  assert.equal(idsOf('api_keys'), ['key_default'])
  assert.equal(idsOf('sandboxes'), [SANDBOX.id])
})

test('the endpoints of a restored state are disabled and get new secrets only in another sandbox', async ({
  database,
  state,
}) => {
  await fillWithSandbox(database)
  const store = await database.open()
  const endpoint = { id: 'we_1', object: 'webhook_endpoint', status: 'enabled', disabled_reason: null }
  const secret: WebhookSecret = { id: 'we_1', object: 'webhook_secret', secret: 'whsec_1' }
  await put(store, endpoint, secret)
  await store.close()
  await saveState(database.file, state)
  await restoreState(state, database.file, SANDBOX.id)
  await restoreState(state, database.file)
  const endpointIn = async (sandbox?: string) => {
    const { records } = await loadSandboxContents(database.file, sandbox === undefined ? {} : { sandbox })
    const [endpoint, own] = [records.get('webhook_endpoints', 'we_1'), records.get('webhook_secrets', 'we_1')]
    return { ...(endpoint as WebhookEndpoint), secret: (own as WebhookSecret).secret }
  }
  const [own, copy] = [await endpointIn(), await endpointIn(SANDBOX.id)]
  assert.equal([own.status, own.secret], ['enabled', 'whsec_1'])
  assert.equal([copy.status, copy.disabled_reason], ['disabled', 'copied'])
  assert.match(copy.secret, /^whsec_.{20,}/)
})

test('a state of the default sandbox neither contains nor replaces the records of sandboxes', async ({
  database,
  state,
}) => {
  await fillWithSandbox(database)
  await saveState(database.file, state)
  assert.equal(await idsIn(state), ['cus_default'])
  const store = await database.open()
  await put(store, customer('cus_2'), { ...SAMPLES.sandboxes, id: 'sbx_2' })
  await store.close()
  await restoreState(state, database.file)
  assert.equal(await idsIn(database.file), ['cus_default', SANDBOX.id, 'sbx_2'])
  assert.equal(await idsIn(database.file, SANDBOX.id), ['cus_1', KEY.id, DIGEST.id, SECRETS.id])
})

test('a restored state replaces a damaged database and keeps its readable sandbox records', async ({
  database,
  state,
}) => {
  await fillWithSandbox(database)
  await saveState(database.file, state)
  const text = readFileSync(database.file, 'utf8')
  // Removes the last line, which lists the checksums.
  writeFileSync(database.file, text.slice(0, text.lastIndexOf(',\n"check":')))
  assert.ok((await rejection(loadSandboxContents(database.file))) instanceof DatabaseDamagedError)
  await restoreState(state, database.file)
  assert.equal(await idsIn(database.file), ['cus_default', SANDBOX.id])
})

test('a copy of a database contains the durable sandboxes and their origins', async ({ database, state }) => {
  await fillWithSandbox(database)
  const opened = await database.openDatabase()
  const origin = await opened.openSandbox({ ...SANDBOX, id: 'sbx_1-origin' })
  await put(origin, customer('cus_origin'))
  await origin.close()
  const unknown = await opened.openSandbox({ ...SANDBOX, id: 'sbx_unknown' })
  await unknown.close()
  await opened.close()
  const copied = await copyDatabase(database.file, state)
  assert.is(copied.records, 7)
  for (const sandbox of ['default', SANDBOX.id, 'sbx_1-origin']) {
    assert.equal(await idsIn(state, sandbox), await idsIn(database.file, sandbox), sandbox)
  }
  assert.match(
    (await rejection(loadSandboxContents(state, { sandbox: 'sbx_unknown' }))).message,
    'does not contain',
  )
  assert.match((await rejection(copyDatabase(database.file, state))).message, 'already exists')
})

test('checks a sandbox, and the error names a sandbox that does not exist', async ({ database }) => {
  await fillWithSandbox(database)
  const diagnosis = await checkDatabase(database.file, () => {}, SANDBOX.id)
  assert.equal(diagnosis.records, { customers: 1, api_keys: 1, api_key_digests: 1, sandbox_secrets: 1 })
  const missing = await rejection(checkDatabase(database.file, () => {}, 'sbx_2'))
  assert.match(missing.message, `${database.file} does not contain the sandbox sbx_2`)
})

test.run()
