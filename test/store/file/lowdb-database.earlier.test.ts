import { mkdir, writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { checkDatabase } from '../../../src/daemon/doctor.ts'
import { saveState } from '../../../src/daemon/states.ts'
import { prepareSandbox } from '../../../src/engine/prepare-sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { SAMPLES } from '../samples.ts'
import { createDatabaseFolder, type DatabaseFolder } from './lowdb-folder.ts'

const test = suite<{ place: DatabaseFolder }>('store/lowdb database of version 0.1.0')

const SECRETS = {
  id: 'sandbox',
  object: 'sandbox',
  fingerprint_salt: 'earlier_salt',
  form_key: 'earlier_key',
  webhook_secret: 'whsec_earlier0123456789',
}
const META = '"meta":{"format":1,"generation":1,"transaction":0,"sequence":0,"closed":true,"version":"0.1.0"}'
const RECORDS = `"retention_marks":[\n${JSON.stringify(SAMPLES.retention_marks)}\n],\n"sandboxes":[\n${JSON.stringify(SECRETS)}\n]`

test.before.each(async (context) => {
  context.place = await createDatabaseFolder()
  const text = `{${META},\n${RECORDS}`
  const blocks = JSON.stringify([crc32(text)])
  await mkdir(context.place.folder, { recursive: true })
  await writeFile(context.place.file, `${text},\n"check":{"blocks":${blocks},"crc32":${crc32(blocks)}}}\n`)
})

test.after.each(({ place }) => place.dispose())

const newToken = () => 'new'

test('becomes the default sandbox with the same secrets', async ({ place }) => {
  const database = await place.openDatabase()
  const { fingerprint_salt, form_key, webhook_secret } = SECRETS
  const secrets = await prepareSandbox(database.defaultStore, newToken)
  assert.equal(secrets, {
    id: 'sandbox',
    object: 'sandbox_secrets',
    fingerprint_salt,
    form_key,
    webhook_secret,
  })
  assert.is(await database.defaultStore.count('retention_marks'), 1)
  assert.is(await database.defaultStore.count('sandboxes'), 0)
  await database.close()
  const store = await place.open()
  assert.equal(await prepareSandbox(store, newToken), secrets)
})

test('passes doctor before and after the first start', async ({ place }) => {
  const check = () => checkDatabase(place.file, () => {})
  const before = await check()
  assert.equal([before.problems, before.records], [[], { retention_marks: 1, sandboxes: 1 }])
  const store = await place.open()
  await prepareSandbox(store, newToken)
  await store.close()
  const after = await check()
  assert.equal([after.problems, after.records], [[], { retention_marks: 1, sandbox_secrets: 1 }])
})

test('a state of it keeps the secrets', async ({ place }) => {
  const state = `${place.file}.state`
  await saveState(place.file, state)
  const { records, problems } = await checkDatabase(state, () => {})
  assert.equal([problems, records], [[], { retention_marks: 1, sandboxes: 1 }])
})

test.run()
